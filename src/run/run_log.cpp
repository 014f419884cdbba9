#include "run/run_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <utility>

namespace firn {
namespace {

const std::string kFirstLine = "Log of a Firn run";

}  // namespace

bool is_run_log(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) && line == kFirstLine;
}

RunLog::RunLog(RunLog&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RunLog& RunLog::operator=(RunLog&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

RunLog::~RunLog() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<RunLog> RunLog::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return Result<RunLog>::failure(path.string() + ": cannot write: " + std::strerror(errno));
  RunLog log(descriptor);
  // File systems without locks: better no protection than no run.
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Result<RunLog>::failure(path.parent_path().string() +
                                   ": another firn is running in this folder");
  if (lseek(descriptor, 0, SEEK_END) == 0) log.put(kFirstLine + "\n");
  return log;
}

void RunLog::clear() {
  if (ftruncate(descriptor_, 0) == 0) put(kFirstLine + "\n");
}

void RunLog::line(const std::string& text) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof(stamp), "%Y-%m-%d %H:%M:%S  ", &local);
  put(stamp + text + "\n");
}

void RunLog::put(const std::string& text) {
  if (write(descriptor_, text.data(), text.size()) < 0) return;
}

}  // namespace firn
