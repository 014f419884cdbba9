#include "run/checkpoint_seal.h"

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

namespace firn {
namespace {

constexpr const char* kMagic = "Firn checkpoint 1\n";
constexpr const char* kPattern = "bytes %" SCNu64 "\nchecksum %" SCNx64 "\n";
constexpr std::size_t kLaneBytes = 32;

std::string seal_text(std::uint64_t size, std::uint64_t checksum) {
  char text[kSealBytes] = {};
  std::snprintf(text, sizeof(text), "%sbytes %" PRIu64 "\nchecksum %016" PRIx64 "\n", kMagic, size,
                checksum);
  return std::string(text, sizeof(text));
}

}  // namespace

void Checksum::add(const void* data, std::size_t size) {
  constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15u;
  const char* bytes = static_cast<const char*>(data);
  for (std::size_t at = 0; at < size; at += kLaneBytes) {
    std::uint64_t words[4] = {};
    std::memcpy(words, bytes + at, std::min(kLaneBytes, size - at));
    for (int i = 0; i < 4; ++i) lanes_[i] = std::rotl((lanes_[i] ^ words[i]) * kPrime, 29);
  }
  size_ += size;
}

std::uint64_t Checksum::value() const {
  Checksum last = *this;
  last.add(&size_, sizeof(size_));
  last.add(lanes_.data(), sizeof(lanes_));
  std::uint64_t folded = 0;
  for (const std::uint64_t lane : last.lanes_) folded = std::rotl(folded, 17) + lane;
  return folded;
}

std::string make_seal(const void* content, std::size_t size) {
  Checksum checksum;
  checksum.add(content, size);
  return seal_text(size, checksum.value());
}

bool has_seal(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string start(std::strlen(kMagic), '\0');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kMagic;
}

Result<std::uint64_t> verify_seal(const std::filesystem::path& path) {
  const auto failure = [&](const char* what) {
    return Result<std::uint64_t>::failure(path.string() + ": " + what);
  };
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))  // a pipe would keep us waiting
    return failure("the checkpoint is damaged: it is no plain file");
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure("cannot read the checkpoint");
  char seal[kSealBytes + 1] = {};
  const std::size_t magic = std::strlen(kMagic);
  std::uint64_t size = 0, expected = 0;
  if (!file.read(seal, kSealBytes) || std::strncmp(seal, kMagic, magic) != 0 ||
      std::sscanf(seal + magic, kPattern, &size, &expected) != 2)
    return failure("not a Firn checkpoint, or one whose start is damaged");
  std::error_code error;
  const std::uintmax_t on_disk = std::filesystem::file_size(path, error);
  if (error || on_disk != kSealBytes + size)
    return failure("the checkpoint is damaged: it does not have the length that it should have");
  Checksum checksum;
  std::vector<char> block(1 << 20);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
    checksum.add(block.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return failure("cannot read the checkpoint");
  if (seal_text(size, checksum.value()) != std::string(seal, kSealBytes))
    return failure("the checkpoint is damaged: its content does not match its checksum");
  return size;
}

}  // namespace firn
