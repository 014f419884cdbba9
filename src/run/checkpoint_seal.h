// The first bytes of a checkpoint: what it is, how long the rest is and a checksum of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace firn {

// HDF5 looks for its own signature at 0, 512, 1024, ...
inline constexpr std::size_t kSealBytes = 512;

// A checksum fast enough for gigabytes: four lanes of multiply and rotate over 8-byte words.
class Checksum {
 public:
  // Every piece but the last must have a multiple of 32 bytes.
  void add(const void* data, std::size_t size);
  std::uint64_t value() const;

 private:
  std::array<std::uint64_t, 4> lanes_{1, 2, 3, 4};
  std::uint64_t size_ = 0;
};

// The seal for content that follows it.
std::string make_seal(const void* content, std::size_t size);

bool has_seal(const std::filesystem::path& path);

// Reads the whole file; the size of the content, or what is wrong with the file.
Result<std::uint64_t> verify_seal(const std::filesystem::path& path);

}  // namespace firn
