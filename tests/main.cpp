// The main function of every test program. CTest starts each test in a process of its own, several
// at a time: what they write goes to a folder that no other process has, removed at the end.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#ifdef FIRN_TEST_OPENGL
#include "opengl/driver.h"
#endif

namespace {

namespace fs = std::filesystem;

class OwnTemporaryFolder {
 public:
  OwnTemporaryFolder() {
    path_ = (fs::temp_directory_path() / "firn-test-XXXXXX").string();
    if (!mkdtemp(path_.data())) {
      std::perror(path_.c_str());
      std::exit(1);
    }
    setenv("TMPDIR", path_.c_str(), 1);
    setenv("TEST_TMPDIR", path_.c_str(), 1);  // testing::TempDir()
  }
  ~OwnTemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

 private:
  std::string path_;
};

}  // namespace

int main(int argc, char** argv) {
#ifdef FIRN_TEST_OPENGL
  std::vector<char*> arguments(argv, argv + argc + 1);  // before any is taken away
#endif
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
#ifdef FIRN_TEST_OPENGL
  firn::test::prepare_opengl(arguments.data());
#endif
  const OwnTemporaryFolder folder;
  return RUN_ALL_TESTS();
}
