// Colours: 8-bit sRGB outside, linear light inside, and the scales that turn numbers into colour.
#pragma once

#include <cstdint>

#include "base/vec.h"
#include "scene/look_settings.h"

namespace firn {

struct Rgb8 {
  std::uint8_t r = 0, g = 0, b = 0;
};

float linear_from_srgb(std::uint8_t value);  // table
float linear_from_srgb(double value);        // 0..1
std::uint8_t srgb_from_linear(float value);  // clamps
Vec3f linear_color(const Vec3d& srgb);       // components 0..1

// t in [0, 1]. The default is perceptually even, from dark blue over green to yellow.
Rgb8 scale_color(float t, ColorMap map = ColorMap::viridis);

// Distinct colours for small whole numbers; repeats after ten.
Rgb8 category_color(int category);

}  // namespace firn
