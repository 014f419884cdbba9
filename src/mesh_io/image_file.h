// Pictures from files: PNG, JPEG, BMP, TGA, PGM and PPM, of 8 or 16 bits.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "geometry/bitmap_field.h"

namespace firn {

constexpr int kMostPixelsAcross = 16384;
constexpr std::size_t kMostPixels = 100'000'000;

// Rows from the top, values from 0 to 1 as the file has them, without any change of gamma.
struct Picture {
  int width = 0, height = 0;
  std::vector<float> rgb;    // 3 a pixel
  std::vector<float> alpha;  // 1 a pixel; empty when the file has none
};

Result<Picture> read_image(const std::filesystem::path& path);

// The reader on bytes in memory; `name` is what error lines call the file.
Result<Picture> parse_image(std::string_view bytes, const std::string& name,
                            std::size_t most_pixels = kMostPixels);

// Brightness: the weights of Rec. 709 on the values as they are. Alpha does not count.
GrayImage gray_of(const Picture& picture);

}  // namespace firn
