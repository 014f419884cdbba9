// Numbers of a file one after the other, as words of text or as bytes.
#pragma once

#include <bit>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "mesh_io/text_scan.h"

namespace firn {

enum class NumberForm { text, little_endian, big_endian };

// All that takes something answers false at the end of the file, or where there is no number.
class NumberStream {
 public:
  // In text the rest of a line behind `comment` does not count; 0: there are none.
  explicit NumberStream(std::string_view bytes, NumberForm form = NumberForm::text,
                        char comment = '\0')
      : rest_(bytes), form_(form), comment_(comment) {}

  bool is_text() const { return form_ == NumberForm::text; }
  std::string_view rest() const { return rest_; }
  void go_on_with(std::string_view rest) { rest_ = rest; }
  void change_form(NumberForm form) { form_ = form; }

  // The next word of text; empty at the end.
  std::string_view word() {
    std::string_view found = take_word(rest_);
    while (comment_ != '\0' && found.starts_with(comment_)) {
      rest_ = std::string_view(found.data(), found.size() + rest_.size());
      skip_line();
      found = take_word(rest_);
    }
    return found;
  }

  void skip_line() {
    std::string_view line;
    take_line(rest_, line);
  }

  bool skip_bytes(std::uint64_t count) {
    if (count > rest_.size()) return false;
    rest_.remove_prefix(count);
    return true;
  }

  // Of 4 or 8 bytes, where these are bytes.
  bool integer(std::int64_t& value, int bytes = 4) {
    if (is_text()) {
      const std::string_view digits = word();
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      return error == std::errc() && end == digits.data() + digits.size();
    }
    std::uint64_t bits = 0;
    if (!take_bits(bits, bytes)) return false;
    value = bytes == 8 ? static_cast<std::int64_t>(bits)
                       : static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
    return true;
  }

  bool real(double& value, int bytes = 8) {
    if (is_text()) return parse_number(word(), value);
    std::uint64_t bits = 0;
    if (!take_bits(bits, bytes)) return false;
    value = bytes == 8 ? std::bit_cast<double>(bits)
                       : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return true;
  }

 private:
  bool take_bits(std::uint64_t& bits, int bytes) {
    if (rest_.size() < static_cast<std::size_t>(bytes)) return false;
    for (int i = 0; i < bytes; ++i) {
      const int at = form_ == NumberForm::little_endian ? bytes - 1 - i : i;
      bits = bits << 8 | static_cast<unsigned char>(rest_[static_cast<std::size_t>(at)]);
    }
    rest_.remove_prefix(static_cast<std::size_t>(bytes));
    return true;
  }

  std::string_view rest_;
  NumberForm form_;
  char comment_;
};

}  // namespace firn
