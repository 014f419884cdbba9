// An 8-bit sRGB picture, rows from the top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace firn {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  // 3 bytes a pixel

  Image() = default;
  Image(int w, int h) : width(w), height(h), rgb(std::size_t(3) * w * h) {}
  std::uint8_t* pixel(int x, int y) { return &rgb[3 * (std::size_t(y) * width + x)]; }
  const std::uint8_t* pixel(int x, int y) const { return &rgb[3 * (std::size_t(y) * width + x)]; }
};

}  // namespace firn
