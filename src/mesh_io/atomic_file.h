// A file that appears under its final name only when complete: written under a temporary name in
// the same folder, synced to disk, then renamed. Without a commit the temporary file is removed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace firn {

class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  ~AtomicFile();

  // False once anything has failed, so that long loops can stop early; commit tells the reason.
  bool write(const void* data, std::size_t size);
  bool write(std::string_view text) { return write(text.data(), text.size()); }

  // The name to hand to a library or program that writes the file itself. It keeps the extension.
  const std::filesystem::path& temporary() const { return temporary_; }

  // The final path, or why the file could not be completed.
  Result<std::filesystem::path> commit();

 private:
  AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int descriptor);
  void discard();

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty: nothing left to remove
  int descriptor_ = -1;
  int error_ = 0;  // errno of the first failure
};

Result<std::filesystem::path> write_whole_file(const std::filesystem::path& path,
                                               std::string_view content);
Result<std::string> read_whole_file(const std::filesystem::path& path);

}  // namespace firn
