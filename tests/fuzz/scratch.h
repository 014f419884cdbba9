// A folder for the files of a fuzz target, in memory where there is one; removed at the end.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace firn {

class Scratch {
 public:
  explicit Scratch(const std::string& name) {
    std::error_code ignored;
    const std::filesystem::path memory = "/dev/shm";
    const std::filesystem::path base = std::filesystem::is_directory(memory, ignored)
                                           ? memory
                                           : std::filesystem::temp_directory_path();
    path_ = base / ("firn-fuzz-" + name + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace firn
