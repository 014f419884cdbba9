// Files appear under their final name only when complete, and failures leave nothing behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>

#include "frames/ply.h"
#include "mesh_io/atomic_file.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("firn_atomic_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  int files() const {
    return static_cast<int>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

// A disk that is full beyond some bytes: the kernel refuses to let files grow further.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    old_handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit tight{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_;
  sighandler_t old_handler_;
};

TEST_F(AtomicFileTest, FinalNameOnlyAfterCommit) {
  const fs::path path = folder_ / "a.txt";
  Result<AtomicFile> file = AtomicFile::create(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->write("hello"));
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(file->temporary().extension(), ".txt");
  EXPECT_EQ(file->temporary().parent_path(), folder_);
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(*read_whole_file(path), "hello");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, ReplacesAndKeepsTheOldUntilThen) {
  const fs::path path = folder_ / "a.txt";
  ASSERT_TRUE(write_whole_file(path, "old"));
  {
    Result<AtomicFile> file = AtomicFile::create(path);
    ASSERT_TRUE(file);
    file->write("half");
    EXPECT_EQ(files(), 2);
  }  // never committed
  EXPECT_EQ(*read_whole_file(path), "old");
  EXPECT_EQ(files(), 1);
  ASSERT_TRUE(write_whole_file(path, "new"));
  EXPECT_EQ(*read_whole_file(path), "new");
}

TEST_F(AtomicFileTest, FullDiskLeavesTheOldFileAndNoRest) {
  const fs::path path = folder_ / "frame.ply";
  PointTable table;
  table.count = 100000;
  table.add<float>("x");
  PointTable small;
  small.count = 1;
  small.add<float>("x");
  ASSERT_TRUE(write_ply(path, small));
  const std::string before = *read_whole_file(path);
  {
    const FullDisk full(65536);
    const auto result = write_ply(path, table);
    ASSERT_FALSE(result);
    EXPECT_NE(result.errors()[0].find("frame.ply: cannot write: "), std::string::npos);
  }
  EXPECT_EQ(*read_whole_file(path), before);
  EXPECT_EQ(files(), 1);
  EXPECT_TRUE(write_ply(path, table));
}

TEST_F(AtomicFileTest, SaysWhyAFolderCannotBeWritten) {
  const auto missing = write_whole_file(folder_ / "none" / "a.txt", "x");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.errors()[0].find("No such file"), std::string::npos);
  fs::create_directory(folder_ / "sub");
  EXPECT_FALSE(write_whole_file(folder_ / "sub", "x"));
  EXPECT_FALSE(write_whole_file(folder_ / "", "x"));
  EXPECT_FALSE(read_whole_file(folder_));
}

}  // namespace
}  // namespace firn
