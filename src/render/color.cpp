#include "render/color.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firn {

float linear_from_srgb(double value) {
  const double v = std::clamp(value, 0.0, 1.0);
  return static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
}

float linear_from_srgb(std::uint8_t value) {
  static const auto table = [] {
    std::array<float, 256> t;
    for (std::size_t i = 0; i < 256; ++i) t[i] = linear_from_srgb(static_cast<double>(i) / 255.0);
    return t;
  }();
  return table[value];
}

std::uint8_t srgb_from_linear(float value) {
  constexpr int kSteps = 4096;  // fine enough that neighbours differ by less than a level
  static const auto table = [] {
    std::array<std::uint8_t, kSteps + 1> t;
    for (int i = 0; i <= kSteps; ++i) {
      const double v = static_cast<double>(i) / kSteps;
      const double s = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
      t[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::lround(255 * s));
    }
    return t;
  }();
  const float clamped = std::clamp(value, 0.0f, 1.0f);
  return table[static_cast<std::size_t>(clamped * kSteps + 0.5f)];
}

Vec3f linear_color(const Vec3d& srgb) {
  return {{linear_from_srgb(srgb[0]), linear_from_srgb(srgb[1]), linear_from_srgb(srgb[2])}};
}

Rgb8 scale_color(float t) {
  // Stops of rising lightness, evenly spaced; between them straight lines.
  static constexpr std::array<std::array<float, 3>, 9> kStops = {{{{62, 38, 108}},
                                                                  {{66, 65, 145}},
                                                                  {{51, 97, 165}},
                                                                  {{30, 130, 165}},
                                                                  {{27, 160, 150}},
                                                                  {{68, 188, 121}},
                                                                  {{128, 210, 86}},
                                                                  {{196, 224, 58}},
                                                                  {{252, 232, 62}}}};
  const float at = std::clamp(t, 0.0f, 1.0f) * (kStops.size() - 1);
  const auto i = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
  const float f = at - static_cast<float>(i);
  const auto mix = [&](std::size_t k) {
    return static_cast<std::uint8_t>(std::lround(kStops[i][k] * (1 - f) + kStops[i + 1][k] * f));
  };
  return {mix(0), mix(1), mix(2)};
}

Rgb8 category_color(int category) {
  static constexpr std::array<Rgb8, 10> kColors = {{{214, 160, 92},
                                                    {74, 134, 190},
                                                    {206, 92, 82},
                                                    {116, 172, 104},
                                                    {150, 116, 184},
                                                    {226, 196, 96},
                                                    {96, 182, 190},
                                                    {220, 138, 172},
                                                    {148, 124, 104},
                                                    {130, 140, 152}}};
  const int n = static_cast<int>(kColors.size());
  return kColors[static_cast<std::size_t>((category % n + n) % n)];
}

}  // namespace firn
