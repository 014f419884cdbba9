#include "program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "frames/ply.h"
#include "frames/run_folder.h"

namespace firn::test {
namespace {

int status_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

void redirect(int target, const fs::path& file) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(descriptor, target);
  close(descriptor);
}

void expect_finite(const PointTable& table, const fs::path& file) {
  for (const Column& column : table.columns)
    for (const double value : column.as<double>())
      ASSERT_TRUE(std::isfinite(value)) << file << " " << column.name;
}

}  // namespace

ProgramTest::ProgramTest() {
  std::string pattern = (fs::temp_directory_path() / "firn-test-XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
}

ProgramTest::~ProgramTest() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

pid_t ProgramTest::start(const std::vector<std::string>& arguments, Limits limits) {
  return start_program(FIRN_PROGRAM, arguments, limits);
}

pid_t ProgramTest::start_program(const char* program, const std::vector<std::string>& arguments,
                                 Limits limits) {
  std::vector<char*> argv = {const_cast<char*>(program)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const fs::path out = path(".stdout"), err = path(".stderr");
  const pid_t child = fork();
  if (child != 0) return child;
  if (chdir(folder_.c_str()) != 0) _exit(126);
  redirect(STDOUT_FILENO, limits.out.empty() ? out : fs::path(limits.out));
  redirect(STDERR_FILENO, err);
  if (limits.file_bytes > 0) {
    const rlimit limit{rlim_t(limits.file_bytes), rlim_t(limits.file_bytes)};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  execv(program, argv.data());
  _exit(127);
}

Outcome ProgramTest::wait_for(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  Outcome outcome{status_of(status), content(path(".stdout")), content(path(".stderr"))};
  fs::remove(path(".stdout"));
  fs::remove(path(".stderr"));
  return outcome;
}

Outcome ProgramTest::engine(const std::vector<std::string>& arguments) {
  return wait_for(start_program(FIRN_ENGINE, arguments, {}));
}

Outcome ProgramTest::firn(const std::vector<std::string>& arguments, Limits limits) {
  return wait_for(start(arguments, limits));
}

std::string ProgramTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name).string();
}

std::string test_scene(const std::string& name) {
  return std::string(FIRN_SOURCE_DIR) + "/tests/cli/scenes/" + name;
}

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool wait_until_exists(const fs::path& file, pid_t process) {
  for (int i = 0; i < 6000; ++i) {
    if (fs::exists(file)) return true;
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid != 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

void expect_whole_run(const fs::path& folder, int last) {
  const RunFolder run{folder};
  std::vector<std::string> expected = {"checkpoint.h5", "log.txt", "scene.json", "stats.jsonl"};
  for (int i = 0; i <= last; ++i) expected.push_back("frames/" + run.frame(i).filename().string());
  for (const std::int64_t i : body_numbers(run))  // where bodies move
    expected.push_back("frames/" + run.bodies(i).filename().string());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(files_below(folder), expected);
  for (int i = 0; i <= last; ++i) {
    const Result<Frame> table = read_ply(run.frame(i));
    ASSERT_TRUE(table) << table.errors().front();
    EXPECT_GT(table->count, 0u);
    expect_finite(*table, run.frame(i));
  }
  const std::vector<std::string> stats = lines_of(content(run.stats()));
  ASSERT_EQ(stats.size(), std::size_t(last) + 1);
  for (int i = 0; i <= last; ++i) EXPECT_EQ(nlohmann::json::parse(stats[i])["frame"].get<int>(), i);
}

void expect_same_frames(const fs::path& a, const fs::path& b) {
  const std::vector<std::string> names = files_below(a / "frames");
  ASSERT_FALSE(names.empty());
  ASSERT_EQ(names, files_below(b / "frames"));
  for (const std::string& name : names)
    EXPECT_TRUE(content(a / "frames" / name) == content(b / "frames" / name)) << name;
}

}  // namespace firn::test
