#include "mesh_io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace firn {
namespace fs = std::filesystem;

namespace {

std::string io_error(const fs::path& path, const char* action, int error) {
  return path.string() + ": " + action + ": " + std::strerror(error);
}

// Hidden, so that listings of frames do not see it; the extension stays last for programs that
// choose a format by it.
fs::path temporary_name(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  const std::string tag = std::to_string(getpid()) + "-" + std::to_string(counter++);
  return path.parent_path() / (".tmp-" + tag + "-" + path.filename().string());
}

// Makes a rename survive a power cut. Some file systems refuse to sync folders: not our failure.
void sync_folder(const fs::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)fsync(descriptor);
  close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(fs::path path, fs::path temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  path_ = std::move(other.path_);
  temporary_ = std::exchange(other.temporary_, {});
  descriptor_ = std::exchange(other.descriptor_, -1);
  error_ = other.error_;
  return *this;
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

Result<AtomicFile> AtomicFile::create(const fs::path& path) {
  if (path.filename().empty())
    return Result<AtomicFile>::failure(path.string() + ": not a file name");
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return Result<AtomicFile>::failure(io_error(path, "cannot write", EISDIR));
  fs::path temporary = temporary_name(path);
  const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return Result<AtomicFile>::failure(io_error(path, "cannot write", errno));
  return AtomicFile(path, std::move(temporary), descriptor);
}

bool AtomicFile::write(const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (error_ == 0 && size > 0) {
    const ssize_t done = ::write(descriptor_, next, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      error_ = errno;
    } else {
      next += done;
      size -= static_cast<std::size_t>(done);
    }
  }
  return error_ == 0;
}

Result<fs::path> AtomicFile::commit() {
  if (error_ == 0 && fsync(descriptor_) != 0 && errno != EINVAL) error_ = errno;
  // Network file systems report a full disk as late as here.
  if (close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && rename(temporary_.c_str(), path_.c_str()) != 0) error_ = errno;
  if (error_ != 0) {
    discard();
    return Result<fs::path>::failure(io_error(path_, "cannot write", error_));
  }
  temporary_.clear();
  sync_folder(path_.parent_path());
  return path_;
}

Result<fs::path> write_whole_file(const fs::path& path, std::string_view content) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.errors();
  file->write(content);
  return file->commit();
}

Result<std::string> read_whole_file(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return Result<std::string>::failure(io_error(path, "cannot read", errno));
  struct stat info {};
  int error = fstat(descriptor, &info) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(info.st_mode)) error = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
  std::string content;
  if (error == 0) content.resize(static_cast<std::size_t>(info.st_size));
  std::size_t filled = 0;
  while (error == 0 && filled < content.size()) {
    const ssize_t got = read(descriptor, content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = errno;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  close(descriptor);
  if (error != 0) return Result<std::string>::failure(io_error(path, "cannot read", error));
  content.resize(filled);
  return content;
}

}  // namespace firn
