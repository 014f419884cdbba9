// Driving the built program from tests: a scratch folder, running it, and comparing what it leaves.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace firn::test {

namespace fs = std::filesystem;

struct Outcome {
  int status = -1;  // exit status; 128 + signal when killed
  std::string out, err;
};

// Limits under which the program is started.
struct Limits {
  long file_bytes = 0;  // largest file; 0: none
  std::string out =
      {};  // what standard output goes to; empty: a file that Outcome::out is read from
};

// A folder of its own for each test, removed afterwards; programs run in it.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  Outcome firn(const std::vector<std::string>& arguments, Limits limits = {});
  // The engine's program.
  Outcome engine(const std::vector<std::string>& arguments);
  // Without waiting for it.
  pid_t start(const std::vector<std::string>& arguments, Limits limits = {});
  Outcome wait_for(pid_t process);

  fs::path path(const std::string& name) const { return folder_ / name; }
  std::string write(const std::string& name, const std::string& text) const;

 private:
  pid_t start_program(const char* program, const std::vector<std::string>& arguments,
                      Limits limits);

  fs::path folder_;
};

std::string test_scene(const std::string& name);  // of tests/cli/scenes
std::string content(const fs::path& file);
std::vector<std::string> lines_of(const std::string& text);

// Waits until a process has made a file; false when it ended without, or after a minute.
bool wait_until_exists(const fs::path& file, pid_t process);

// The names of all files below a folder, sorted.
std::vector<std::string> files_below(const fs::path& folder);

// Frames 0 to `last` are there, complete, without NaN, and nothing more is; statistics agree.
void expect_whole_run(const fs::path& folder, int last);
// The frames of two runs are the same bytes.
void expect_same_frames(const fs::path& a, const fs::path& b);

}  // namespace firn::test
