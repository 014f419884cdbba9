#include "picture_size.h"

#include <charconv>

#include "scene/line_text.h"

namespace firn::cli {

std::string parse_size(const std::string& text, RenderRunOptions& options) {
  const char* end = text.data() + text.size();
  const auto [after_width, first] = std::from_chars(text.data(), end, options.width);
  if (first == std::errc() && after_width != end && *after_width == 'x') {
    const auto [after, second] = std::from_chars(after_width + 1, end, options.height);
    const auto fits = [](int side) { return side >= 1 && side <= 16384; };
    if (second == std::errc() && after == end && fits(options.width) && fits(options.height))
      return "";
  }
  return "--size " + printable(text) +
         ": must be WIDTHxHEIGHT of 1 to 16384 pixels each, such as 1280x720";
}

}  // namespace firn::cli
