// Words and numbers of text files, the same in every locale.
#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace firn {

// Takes a line off the front of `text`, without its line end. False at the end.
inline bool take_line(std::string_view& text, std::string_view& line) {
  if (text.empty()) return false;
  const std::size_t end = text.find('\n');
  line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

// Takes a word off the front; empty when there is none.
inline std::string_view take_word(std::string_view& line, std::string_view blanks = " \t\r\n\v\f") {
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

// Whether the whole word is a number. What is too large becomes infinite, what is too small 0.
inline bool parse_number(std::string_view word, double& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  if (error == std::errc::result_out_of_range) {
    const std::size_t exponent = word.find_first_of("eE");
    const bool small = exponent != std::string_view::npos && word.substr(exponent).find('-') == 1;
    value = small ? 0 : std::numeric_limits<double>::infinity();
  }
  return error != std::errc::invalid_argument && end == last;
}

// Quoted for an error line: short, and without control characters.
inline std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > 40 ? "...\"" : "\"");
}

}  // namespace firn
