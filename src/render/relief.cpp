#include "render/relief.h"

#include <cmath>

#include "exec/parallel.h"

namespace firn {

namespace {

constexpr int kSteps = 4;  // distances at which the slope is measured

// Depth per pixel along (dx, dy): the mean of differences to both sides that are not cliffs.
float slope(const DepthImage& image, int x, int y, int dx, int dy, float pixels, float cliff) {
  const float z = image.at(x, y);
  float sum = 0, weight = 1e-6f;
  for (int k = 1; k <= kSteps; ++k) {
    const int d = std::max(k, static_cast<int>(pixels * static_cast<float>(k) / kSteps));
    for (const int side : {-1, 1}) {
      const float rise = image.at(x + side * d * dx, y + side * d * dy) - z;
      if (!(std::abs(rise) < cliff)) continue;
      // Least squares through the pixel itself: far samples count more.
      sum += rise * static_cast<float>(side * d);
      weight += static_cast<float>(d * d);
    }
  }
  return sum / weight;
}

Vec3f unit_or_zero(const Vec3f& v) {
  const float length = std::sqrt(dot(v, v));
  return length > 0 ? v * (1 / length) : v;
}

}  // namespace

std::vector<Vec3f> relief_normals(const DepthImage& image, const Projection& projection,
                                  float reach) {
  const auto n = static_cast<float>(image.step);
  std::vector<Vec3f> raw(image.depth.size(), Vec3f::zero()), smooth(raw);
  parallel_for("relief", image.height, 8, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < image.width; ++x) {
        const float z = image.at(x, y);
        if (z == kFar) continue;
        const float pixel = projection.pixel_size(z) * n;
        const float pixels = std::clamp(reach / pixel, 4.0f, 40.0f);
        const float cliff = 3 * pixels * pixel;
        // Tangents along the picture's x and y (down) on the surface that is seen.
        const Vec3f ray = projection.ray_direction((static_cast<float>(x) + 0.5f) * n,
                                                   (static_cast<float>(y) + 0.5f) * n);
        const Vec3f along =
            projection.right * pixel + ray * slope(image, x, y, 1, 0, pixels, cliff);
        const Vec3f down = projection.up * -pixel + ray * slope(image, x, y, 0, 1, pixels, cliff);
        raw[std::size_t(y) * image.width + x] = unit_or_zero(cross(down, along));
      }
  });
  parallel_for("smooth relief", image.height, 8, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < image.width; ++x) {
        Vec3f sum = Vec3f::zero();
        for (int j = std::max(y - 2, 0); j <= std::min(y + 2, image.height - 1); ++j)
          for (int i = std::max(x - 2, 0); i <= std::min(x + 2, image.width - 1); ++i)
            sum += raw[std::size_t(j) * image.width + i];
        smooth[std::size_t(y) * image.width + x] = unit_or_zero(sum);
      }
  });
  return smooth;
}

}  // namespace firn
