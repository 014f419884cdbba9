// Fuzz target of the picture readers: a picture with as many values as it says, or clear lines; and
// the same again for the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "exec/parallel.h"
#include "mesh_io/image_file.h"
#include "require.h"

namespace {

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

// PNG files carry checksums, which would catch nearly every change: they are made to fit, so that
// what lies behind them is reached.
std::string with_checksums(std::string bytes) {
  if (!bytes.starts_with("\x89PNG")) return bytes;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
      size = size << 8 | static_cast<unsigned char>(bytes[at + i]);
    if (size > bytes.size() - at - 12) break;
    const std::uint32_t crc = crc32(std::string_view(bytes).substr(at + 4, 4 + size));
    for (std::size_t i = 0; i < 4; ++i)
      bytes[at + 8 + size + i] = static_cast<char>(crc >> (24 - 8 * i));
    at += 12 + size;
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  firn::set_thread_count(1);
  constexpr std::size_t most_pixels = 65536;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (size % 8 != 0) bytes = with_checksums(std::move(bytes));
  const auto picture = firn::parse_image(bytes, "fuzz.png", most_pixels);
  if (!firn::check_result(picture, "fuzz.png")) return -1;
  const std::size_t pixels = std::size_t(picture->width) * std::size_t(picture->height);
  firn::require(pixels > 0 && pixels <= most_pixels, "a picture beyond the limit");
  firn::require(picture->rgb.size() == 3 * pixels, "a picture of the wrong size");
  for (const float value : picture->rgb)
    firn::require(value >= 0 && value <= 1, "a value out of range");
  const auto again = firn::parse_image(bytes, "fuzz.png", most_pixels);
  firn::require(again && again->rgb == picture->rgb && again->alpha == picture->alpha,
                "another picture from the same bytes");
  if (pixels > 1024) return 0;
  firn::BitmapRegion region;
  region.filter = pixels % 2 == 0 ? firn::PixelFilter::nearest : firn::PixelFilter::bilinear;
  const auto field = firn::bitmap_distance_field(gray_of(*picture), region, 0.1);
  if (!field) firn::check_lines(field.errors(), "");
  return 0;
}
