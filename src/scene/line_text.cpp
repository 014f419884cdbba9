#include "scene/line_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "expr/nearest_name.h"

namespace firn {

std::string pointer_piece(std::string_view key) {
  std::string r;
  for (const char c : printable(key)) {
    if (c == '~')
      r += "~0";
    else if (c == '/')
      r += "~1";
    else
      r += c;
  }
  return r;
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  std::string r;
  for (const char c : text.substr(0, kLongest))
    r += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  // A cut must not split a UTF-8 sequence.
  if (text.size() > kLongest) {
    while (!r.empty() && (static_cast<unsigned char>(r.back()) & 0xc0) == 0x80) r.pop_back();
    if (!r.empty() && static_cast<unsigned char>(r.back()) >= 0xc0) r.pop_back();
    r += "...";
  }
  return r;
}

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

std::string suggestion(std::string_view wrong, const std::vector<std::string>& names) {
  const std::string near = nearest_name(wrong, names);
  if (!near.empty()) return "; did you mean " + in_quotes(near) + "?";
  return choices(names);
}

std::string choices(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  constexpr std::size_t kListed = 24;
  std::string line = names.size() == 1 ? "; the only one is " : "; choose from ";
  for (std::size_t i = 0; i < std::min(names.size(), kListed); ++i)
    line += (i > 0 ? ", " : "") + in_quotes(names[i]);
  return names.size() > kListed ? line + ", ..." : line;
}

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", x);
  return text;
}

std::string grouped(double x) {
  if (!(x < 1e15)) return short_number(x);
  std::string digits = std::to_string(std::llround(x));
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(i, ",");
  return digits;
}

std::string gibibytes(double bytes) {
  const double gib = bytes / (1 << 30);
  return (gib < 10 ? short_number(std::round(10 * gib) / 10) : grouped(gib)) + " GiB";
}

}  // namespace firn
