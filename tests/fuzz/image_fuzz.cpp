// Fuzz target of the picture reader: a picture with as many values as it says, or clear lines.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exec/parallel.h"
#include "io/image_file.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  firn::set_thread_count(1);
  constexpr std::size_t most_pixels = 65536;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto picture = firn::parse_image(bytes, "fuzz.png", most_pixels);
  if (!firn::check_result(picture, "fuzz.png")) return -1;
  const std::size_t pixels = std::size_t(picture->width) * std::size_t(picture->height);
  firn::require(pixels > 0 && pixels <= most_pixels, "a picture beyond the limit");
  firn::require(picture->rgb.size() == 3 * pixels, "a picture of the wrong size");
  for (const float value : picture->rgb)
    firn::require(value >= 0 && value <= 1, "a value out of range");
  if (pixels > 1024) return 0;
  firn::BitmapRegion region;
  region.filter = pixels % 2 == 0 ? firn::PixelFilter::nearest : firn::PixelFilter::bilinear;
  const auto field = firn::bitmap_distance_field(gray_of(*picture), region, 0.1);
  if (!field) firn::check_lines(field.errors(), "");
  return 0;
}
