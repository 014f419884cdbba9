#include <algorithm>
#include <charconv>

#include "mesh_io/image_formats.h"

namespace firn {
namespace {

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// A number of the header, after blanks and comments; -1 when there is none or it is too long.
long take_number(std::string_view& rest) {
  while (!rest.empty() && (is_blank(rest[0]) || rest[0] == '#')) {
    const bool comment = rest[0] == '#';
    rest.remove_prefix(comment ? std::min(rest.find('\n'), rest.size()) : 1);
  }
  long value = -1;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return error == std::errc() ? value : -1;
}

}  // namespace

bool is_pnm(std::string_view bytes) {
  return bytes.starts_with("P5") || bytes.starts_with("P6");
}

Result<Picture> parse_pnm(std::string_view bytes, const std::string& name,
                          std::size_t most_pixels) {
  const std::size_t channels = bytes.starts_with("P6") ? 3 : 1;
  std::string_view rest = bytes.substr(2);
  const long width = take_number(rest), height = take_number(rest), white = take_number(rest);
  if (width < 0 || height < 0 || white < 1 || white > 65535 || rest.empty() || !is_blank(rest[0]))
    return Result<Picture>::failure(name + ": the header of the picture is damaged");
  rest.remove_prefix(1);
  const std::string fault = picture_size_fault(width, height, most_pixels, name);
  if (!fault.empty()) return Result<Picture>::failure(fault);
  const std::size_t pixels = static_cast<std::size_t>(width * height), size = white > 255 ? 2 : 1;
  if (rest.size() < pixels * channels * size)
    return Result<Picture>::failure(name + ": the file ends inside the picture");
  Picture picture{
      static_cast<int>(width), static_cast<int>(height), std::vector<float>(3 * pixels), {}};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  for (std::size_t i = 0; i < 3 * pixels; ++i) {
    const std::size_t at = size * (channels == 3 ? i : i / 3);
    const int value = size == 2 ? byte(at) << 8 | byte(at + 1) : byte(at);
    picture.rgb[i] = std::min(static_cast<float>(value) / static_cast<float>(white), 1.0f);
  }
  return picture;
}

}  // namespace firn
