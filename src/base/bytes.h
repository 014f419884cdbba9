// Values as bytes, for binary files: numbers are stored as they lie in memory.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace firn {

// Two independent 64-bit hashes.
using Digest = std::array<std::uint64_t, 2>;

// Of bytes, continuing from `start`. Against accidents, not against malice.
inline Digest digest_of(std::string_view bytes,
                        Digest start = {0x243f6a8885a308d3u, 0x13198a2e03707344u}) {
  std::uint64_t a = start[0] ^ bytes.size(), b = start[1];
  const auto add = [&](std::uint64_t word) {
    a = (a ^ word) * 0x9e3779b97f4a7c15u;
    a ^= a >> 32;
    b = (b + word) * 0xc2b2ae3d27d4eb4fu;
    b ^= b >> 29;
  };
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    add(word);
  }
  std::uint64_t last = 0;
  if (!bytes.empty()) std::memcpy(&last, bytes.data(), bytes.size());
  add(last);
  add(0);
  return {a, b};
}

// Writer and reader have the same face, so that one function can say the order of the parts.
class ByteWriter {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <class List>
  void list(const List& list) {
    value(static_cast<std::uint64_t>(list.size()));
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  }
  bool fine() const { return true; }

  std::string bytes;
};

// Every read fails once one has: the caller asks at the end. What has failed leaves its value.
class ByteReader {
 public:
  static constexpr bool kReads = true;

  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void value(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!fine_ || rest_.size() < sizeof(T)) {
      fine_ = false;
      return;
    }
    std::memcpy(static_cast<void*>(&value), rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
  }
  // No more is allocated than there are bytes.
  template <class List>
  void list(List& list) {
    std::uint64_t count = 0;
    value(count);
    constexpr std::size_t size = sizeof(list[0]);
    if (!fine_ || count > rest_.size() / size) {
      fine_ = false;
      return;
    }
    list.resize(count);
    if (count > 0) std::memcpy(static_cast<void*>(list.data()), rest_.data(), count * size);
    rest_.remove_prefix(count * size);
  }
  bool fine() const { return fine_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool fine_ = true;
};

}  // namespace firn
