#include "render/occlusion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exec/parallel.h"

namespace firn {

namespace {

constexpr int kPairs = 8;
constexpr int kSpiralPattern =
    4;  // the sampling directions repeat every 4 x 4 pixels; the blur joins them

// Offsets in the unit disc, one spiral for each place in the pattern.
using Spiral = std::array<std::array<float, 2>, kPairs>;
std::array<Spiral, kSpiralPattern * kSpiralPattern> make_spirals() {
  std::array<Spiral, kSpiralPattern * kSpiralPattern> spirals;
  for (int s = 0; s < kSpiralPattern * kSpiralPattern; ++s)
    for (int k = 0; k < kPairs; ++k) {
      // 5 is coprime to 16: neighbours in the pattern get distant directions.
      const float turn = static_cast<float>(s * 5 % 16) / 16.0f;
      const float radius = (static_cast<float>(k) + 0.3f + 0.6f * turn) / kPairs;
      const float angle = 2.39996323f * static_cast<float>(k) + 3.14159265f * turn;
      spirals[static_cast<std::size_t>(s)][static_cast<std::size_t>(k)] = {
          radius * std::cos(angle), radius * std::sin(angle)};
    }
  return spirals;
}

// Opposite samples come in pairs: on a plane, however inclined, one is as much nearer as the other
// is farther, so only hollows darken and no normals are needed.
float openness_at(const DepthImage& image, int x, int y, float pixels, float radius,
                  const Spiral& spiral) {
  const float z = image.at(x, y);
  float sum = 0;
  for (const auto& offset : spiral) {
    const int dx = static_cast<int>(std::lround(offset[0] * pixels));
    const int dy = static_cast<int>(std::lround(offset[1] * pixels));
    const auto nearer = [&](int sx, int sy) {
      const float d = (z - image.at(sx, sy)) / radius;
      // Something far in front floats there: it hides the sky less and less.
      return d > 1 ? std::max(0.0f, 2 - 0.5f * d) * 0.5f : std::max(d, -1.0f);
    };
    sum += std::clamp(nearer(x + dx, y + dy) + nearer(x - dx, y - dy), 0.0f, 1.0f);
  }
  return 1 - sum / kPairs;
}

}  // namespace

std::vector<float> ambient_openness(const DepthImage& image, const Projection& projection,
                                    float radius) {
  static const auto spirals = make_spirals();
  std::vector<float> raw(image.depth.size(), 1.0f), smooth(image.depth.size(), 1.0f);
  parallel_for("ambient occlusion", image.height, 8, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < image.width; ++x) {
        const float z = image.at(x, y);
        if (z == kFar) continue;
        const float pixels = std::clamp(
            radius / (projection.pixel_size(z) * static_cast<float>(image.step)), 2.0f, 64.0f);
        const auto& spiral = spirals[static_cast<std::size_t>(y % kSpiralPattern * kSpiralPattern +
                                                              x % kSpiralPattern)];
        raw[std::size_t(y) * image.width + x] = openness_at(image, x, y, pixels, radius, spiral);
      }
  });
  parallel_for("smooth occlusion", image.height, 8, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < image.width; ++x) {
        const float z = image.at(x, y);
        if (z == kFar) continue;
        float sum = 0, weight = 0;
        for (int j = -1; j <= 2; ++j)
          for (int i = -1; i <= 2; ++i) {
            const int sx = std::clamp(x + i, 0, image.width - 1);
            const int sy = std::clamp(y + j, 0, image.height - 1);
            const std::size_t at = std::size_t(sy) * image.width + sx;
            if (std::abs(image.depth[at] - z) > radius) continue;
            sum += raw[at];
            weight += 1;
          }
        smooth[std::size_t(y) * image.width + x] = sum / weight;
      }
  });
  return smooth;
}

}  // namespace firn
