// What is remembered about drivers: only what was written, whole, of late, and about the same
// driver; and how a trial in another process ends.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#include "draw/driver_check.h"
#include "draw/driver_memory.h"
#include "mesh_io/atomic_file.h"
#include "test_folder.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

class DriverMemory : public testing::Test {
 protected:
  DriverMemory() { setenv("FIRN_CACHE", cache().c_str(), 1); }
  ~DriverMemory() override {
    unsetenv("FIRN_CACHE");
    unsetenv("FIRN_DRIVER_SECONDS");
  }
  std::string cache() const { return (folder_.path() / "cache").string(); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> list;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(cache(), error)) list.push_back(entry.path());
    return list;
  }
  // A program that answers with these lines of a shell.
  Errors check(const std::string& script) const { return check_driver({"/bin/sh", "-c", script}); }

  const TestFolder folder_{"driver_memory"};
  const Digest one_ = digest_of("one"), other_ = digest_of("other");
};

TEST_F(DriverMemory, ComesBackForTheSameDriverOnly) {
  EXPECT_FALSE(recall_driver(one_));
  remember_driver(one_, {DriverFate::dies, "dies of SIGILL when it draws"}, true);
  remember_driver(other_, {DriverFate::works, ""}, true);
  ASSERT_TRUE(recall_driver(one_));
  EXPECT_EQ(recall_driver(one_)->fate, DriverFate::dies);
  EXPECT_EQ(recall_driver(one_)->words, "dies of SIGILL when it draws");
  EXPECT_EQ(recall_driver(other_)->fate, DriverFate::works);
  EXPECT_FALSE(recall_driver(digest_of("a third")));
  // A file under the name of another driver says nothing about it.
  ASSERT_EQ(files().size(), 2u);
  fs::copy_file(files()[0], files()[1], fs::copy_options::overwrite_existing);
  EXPECT_NE(recall_driver(one_).has_value(), recall_driver(other_).has_value());
}

TEST_F(DriverMemory, EveryDamageIsAsIfThereWereNone) {
  remember_driver(one_, {DriverFate::dies, "dies"}, true);
  const fs::path file = files().at(0);
  const std::string whole = *read_whole_file(file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    std::ofstream(file, std::ios::binary) << damaged;
    EXPECT_FALSE(recall_driver(one_)) << i;
    std::ofstream(file, std::ios::binary) << whole.substr(0, i);
    EXPECT_FALSE(recall_driver(one_)) << i;
  }
  std::ofstream(file, std::ios::binary) << whole;
  EXPECT_TRUE(recall_driver(one_));
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_FALSE(recall_driver(one_));
  remember_driver(one_, {DriverFate::works, ""}, true);  // cannot be written; nothing happens
  EXPECT_FALSE(recall_driver(one_));
}

TEST_F(DriverMemory, AFolderThatCannotBeUsedCostsNothing) {
  for (const char* folder : {"off", "/dev/null/below", "/proc/nowhere"}) {
    setenv("FIRN_CACHE", folder, 1);
    remember_driver(one_, {DriverFate::dies, "dies"}, true);
    EXPECT_FALSE(recall_driver(one_)) << folder;
    EXPECT_TRUE(check("echo firn-driver verdict works").empty());
  }
}

TEST_F(DriverMemory, ManyWhoRememberAtOnceLeaveOneWholeFile) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([this, t] {
      for (int i = 0; i < 20; ++i) {
        remember_driver(one_, {DriverFate::dies, "dies " + std::to_string(t)}, true);
        const std::optional<DriverVerdict> known = recall_driver(one_);
        EXPECT_TRUE(known && known->words.starts_with("dies "));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(DriverMemory, TheEndOfAProcessIsTheVerdict) {
  const std::string known = "echo firn-driver identity 7 8 whole; echo firn-driver name Slow Pipe;";
  const auto expect = [&](const std::string& script, const std::string& words, bool remembered) {
    fs::remove_all(cache());
    const Errors errors = check(script);
    ASSERT_EQ(errors.size(), words.empty() ? 0u : 1u) << script;
    if (!words.empty()) {
      EXPECT_NE(errors[0].find(words), std::string::npos) << errors[0];
    }
    EXPECT_EQ(recall_driver({7, 8}).has_value(), remembered) << script;
  };
  expect(known + "echo firn-driver verdict works", "", true);
  expect("echo noise; " + known + "echo more noise; kill -ILL $$",
         "(Slow Pipe) dies of SIGILL when it draws", true);
  expect(known + "kill -SEGV $$", "SIGSEGV", true);
  expect(known + "exit 3", "ends the program", true);
  expect(known + "exit 0", "ends the program", true);
  expect(known + "echo firn-driver verdict wrong shows no spheres", "shows no spheres", true);
  expect("echo firn-driver identity 7 8 early; kill -ABRT $$", "SIGABRT when it starts", true);
  // Somebody else ended it, there is no driver, or nothing can be said about which one it was.
  expect(known + "kill -KILL $$", "SIGKILL", false);
  expect(known + "echo firn-driver verdict missing there is no libEGL", "there is no libEGL",
         false);
  expect("kill -ILL $$", "SIGILL", false);
  setenv("FIRN_DRIVER_SECONDS", "0.5", 1);
  expect(known + "exec sleep 100", "hangs when it draws", true);
  expect(known + "while :; do :; done", "hangs when it draws", true);
}

TEST_F(DriverMemory, AProgramThatIsNotThereIsOneLine) {
  EXPECT_EQ(check_driver({"/no/such/program"}).size(), 1u);
}

}  // namespace
}  // namespace firn
