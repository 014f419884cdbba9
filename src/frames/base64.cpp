#include "frames/base64.h"

#include <cstdint>

namespace firn {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void append_triple(const unsigned char* bytes, std::string& text) {
  const std::uint32_t bits =
      std::uint32_t(bytes[0]) << 16 | std::uint32_t(bytes[1]) << 8 | bytes[2];
  for (const int shift : {18, 12, 6, 0}) text.push_back(kDigits[bits >> shift & 63]);
}

}  // namespace

void Base64::add(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  text_.reserve(text_.size() + (size / 3 + 2) * 4);
  while (size > 0 && (waiting_size_ > 0 || size < 3)) {
    waiting_[waiting_size_++] = *bytes++;
    --size;
    if (waiting_size_ < 3) continue;
    append_triple(waiting_.data(), text_);
    waiting_size_ = 0;
  }
  for (; size >= 3; size -= 3, bytes += 3) append_triple(bytes, text_);
  for (; size > 0; --size) waiting_[waiting_size_++] = *bytes++;
}

void Base64::end() {
  if (waiting_size_ == 0) return;
  for (std::size_t i = waiting_size_; i < 3; ++i) waiting_[i] = 0;
  append_triple(waiting_.data(), text_);
  for (std::size_t i = waiting_size_; i < 3; ++i) text_[text_.size() - 3 + i] = '=';
  waiting_size_ = 0;
}

}  // namespace firn
