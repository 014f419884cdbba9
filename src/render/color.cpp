#include "render/color.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firn {

namespace {

// Evenly spaced colours; between them straight lines.
using Stops = std::array<std::array<float, 3>, 9>;

// In the order of ColorMap.
constexpr std::array<Stops, 5> kStops = {{
    {{{{62, 38, 108}},
      {{66, 65, 145}},
      {{51, 97, 165}},
      {{30, 130, 165}},
      {{27, 160, 150}},
      {{68, 188, 121}},
      {{128, 210, 86}},
      {{196, 224, 58}},
      {{252, 232, 62}}}},
    {{{{36, 16, 120}},
      {{86, 12, 158}},
      {{132, 16, 162}},
      {{172, 38, 142}},
      {{204, 68, 116}},
      {{230, 102, 88}},
      {{248, 144, 64}},
      {{252, 192, 52}},
      {{242, 242, 60}}}},
    {{{{59, 76, 192}},
      {{98, 130, 234}},
      {{141, 176, 254}},
      {{184, 208, 249}},
      {{221, 221, 221}},
      {{245, 196, 173}},
      {{244, 154, 123}},
      {{222, 96, 77}},
      {{180, 4, 38}}}},
    {{{{64, 44, 110}},
      {{70, 110, 226}},
      {{42, 171, 238}},
      {{32, 220, 186}},
      {{110, 246, 106}},
      {{190, 234, 58}},
      {{246, 190, 56}},
      {{242, 110, 32}},
      {{178, 40, 12}}}},
    {{{{28, 28, 28}},
      {{52, 52, 52}},
      {{78, 78, 78}},
      {{105, 105, 105}},
      {{132, 132, 132}},
      {{160, 160, 160}},
      {{188, 188, 188}},
      {{216, 216, 216}},
      {{244, 244, 244}}}},
}};

}  // namespace

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

Rgb8 scale_color(float t, ColorMap map) {
  const Stops& stops = kStops[static_cast<std::size_t>(map)];
  // Also zero for what is no number.
  const float at = (t > 0 ? std::min(t, 1.0f) : 0.0f) * (stops.size() - 1);
  const auto i = std::min<std::size_t>(static_cast<std::size_t>(at), stops.size() - 2);
  const float f = at - static_cast<float>(i);
  const auto mix = [&](std::size_t k) {
    return static_cast<std::uint8_t>(std::lround(stops[i][k] * (1 - f) + stops[i + 1][k] * f));
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
