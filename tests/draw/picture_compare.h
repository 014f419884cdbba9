// Pictures beside those that were looked at and kept. Drivers round differently: means over squares
// of pixels are compared. FIRN_WRITE_REFERENCES=1 writes them anew; look at them before they are
// kept.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "mesh_io/png.h"

namespace firn {

inline constexpr int kSquare = 4;              // pixels
inline constexpr double kMostDifference = 14;  // of a square, of 255
inline constexpr double kMostMean = 1.5;

// Means of squares, 3 values each.
inline std::vector<double> squares(const Image& image) {
  const int across = image.width / kSquare, down = image.height / kSquare;
  std::vector<double> sums(std::size_t(3) * across * down, 0);
  for (int y = 0; y < down * kSquare; ++y)
    for (int x = 0; x < across * kSquare; ++x)
      for (int k = 0; k < 3; ++k)
        sums[std::size_t(3) * (y / kSquare * across + x / kSquare) + k] +=
            double(image.pixel(x, y)[k]) / (kSquare * kSquare);
  return sums;
}

// Half as large: enough to compare, and less to keep.
inline Image halved(const Image& image) {
  Image half(image.width / 2, image.height / 2);
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x)
      for (int k = 0; k < 3; ++k) {
        int sum = 2;
        for (const int j : {0, 1})
          for (const int i : {0, 1}) sum += image.pixel(2 * x + i, 2 * y + j)[k];
        half.pixel(x, y)[k] = static_cast<std::uint8_t>(sum / 4);
      }
  return half;
}

struct Difference {
  double most = 0, mean = 0;
  bool is_small() const { return most < kMostDifference && mean < kMostMean; }
};

inline Difference difference(const Image& a, const Image& b) {
  Difference d;
  const std::vector<double> left = squares(a), right = squares(b);
  if (left.size() != right.size()) return {255, 255};
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double one = std::abs(left[i] - right[i]);
    d.most = std::max(d.most, one);
    d.mean += one / static_cast<double>(left.size());
  }
  return d;
}

// `name`: a file in the source folder.
inline void expect_like_reference(const std::string& name, const Image& image) {
  const std::filesystem::path path = std::filesystem::path(FIRN_SOURCE_DIR) / name;
  if (std::getenv("FIRN_WRITE_REFERENCES")) {
    ASSERT_TRUE(write_png(path, image));
    return;
  }
  const Result<Image> kept = read_png(path);
  ASSERT_TRUE(kept) << kept.errors()[0];
  const Difference d = difference(image, *kept);
  EXPECT_TRUE(d.is_small()) << name << ": mean " << d.mean << ", most " << d.most;
  // The comparison sees what a wrong picture would have: everything a little to the side.
  Image moved = image;
  for (int y = 0; y < image.height; ++y)
    for (int x = 6; x < image.width; ++x) std::copy_n(image.pixel(x - 6, y), 3, moved.pixel(x, y));
  EXPECT_FALSE(difference(moved, *kept).is_small()) << name;
}

}  // namespace firn
