#include "render/shadow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exec/parallel.h"

namespace firn {

namespace {

constexpr int kMapSize = 2048;
constexpr float kLightRadius = 0.09f;  // tangent of half the angle that the light fills
constexpr int kBlurRadius[] = {1, 6, 22};  // texels of the half-size map

struct LightFrame {
  Vec3f right, up, forward;
};

LightFrame light_frame(const Vec3f& towards_light) {
  LightFrame frame;
  frame.forward = -towards_light;
  const Vec3f helper = std::abs(towards_light[1]) < 0.9f ? Vec3f{{0, 1, 0}} : Vec3f{{1, 0, 0}};
  const Vec3f side = cross(frame.forward, helper);
  frame.right = side * (1 / std::sqrt(dot(side, side)));
  frame.up = cross(frame.right, frame.forward);
  return frame;
}

// A square view along the light around everything that casts shadows, with a margin for blurs.
Projection fit(const std::vector<Surface>& surfaces, Bounds box, const Vec3f& towards_light) {
  for (const Surface& surface : surfaces)
    if (surface.is_solid()) box = united(box, bounding_box(surface.shape));
  const LightFrame frame = light_frame(towards_light);
  const Vec3f center = center_of(box).cast<float>();
  float reach = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3f d;
    for (int k = 0; k < 3; ++k)
      d[k] = static_cast<float>((corner >> k & 1) ? box.high[k] : box.low[k]) - center[k];
    reach = std::max({reach, std::abs(dot(d, frame.right)), std::abs(dot(d, frame.up))});
  }
  Projection p;
  p.perspective = false;
  p.forward = frame.forward;
  p.right = frame.right;
  p.up = frame.up;
  p.width = p.height = kMapSize;
  p.scale = 0.5f * kMapSize / std::max(1.1f * reach, 1e-6f);
  p.eye = center + towards_light * static_cast<float>(diagonal_of(box));
  return p;
}

float mean_radius(const std::vector<Point>& points) {
  double sum = 0;
  for (const Point& point : points) sum += point.radius;
  return points.empty() ? 0 : static_cast<float>(sum / static_cast<double>(points.size()));
}

// Points spread evenly over the unit disc (Vogel's spiral).
constexpr int kTaps = 8;
const std::array<std::array<float, 2>, kTaps>& disc_taps() {
  static const auto taps = [] {
    std::array<std::array<float, 2>, kTaps> t;
    for (int i = 0; i < kTaps; ++i) {
      const float radius = std::sqrt((static_cast<float>(i) + 0.5f) / kTaps);
      const float angle = 2.39996323f * static_cast<float>(i);  // golden angle
      t[static_cast<std::size_t>(i)] = {radius * std::cos(angle), radius * std::sin(angle)};
    }
    return t;
  }();
  return taps;
}

// Running mean of 2 radius + 1 values, zero beyond the ends.
void box_blur_line(const float* from, float* to, int n, int radius) {
  const float share = 1.0f / static_cast<float>(2 * radius + 1);
  float sum = 0;
  for (int i = 0; i < std::min(radius, n); ++i) sum += from[i];
  for (int i = 0; i < n; ++i) {
    if (i + radius < n) sum += from[i + radius];
    to[i] = sum * share;
    if (i >= radius) sum -= from[i - radius];
  }
}

}  // namespace

ShadowMap::ShadowMap(const std::vector<Point>& points, const std::vector<Surface>& surfaces,
                     const Bounds& box, const Vec3f& towards_light)
    : projection_(fit(surfaces, box, towards_light)), buffer_(kMapSize, kMapSize) {
  splat_points(points, projection_, buffer_);
  draw_solids(surfaces, projection_, buffer_);
  // A sphere must not shadow itself or the layer it lies in.
  bias_ = std::max(1.0f * mean_radius(points), 2.5f / projection_.scale);
}

float ShadowMap::light_at(const Vec3f& place, const Vec3f& normal, float turn) const {
  const Spot spot = projection_.project(place + normal * bias_, 0);
  const float limit = spot.depth - bias_;
  const float spread = 3.5f;  // texels
  const float c = spread * std::cos(turn), s = spread * std::sin(turn);
  int lit = 0;
  for (const auto& tap : disc_taps()) {
    const int x = static_cast<int>(std::floor(spot.x + c * tap[0] - s * tap[1]));
    const int y = static_cast<int>(std::floor(spot.y + s * tap[0] + c * tap[1]));
    const bool outside = x < 0 || y < 0 || x >= buffer_.width || y >= buffer_.height;
    lit += outside || buffer_.depth[buffer_.index(x, y)] >= limit;
  }
  return static_cast<float>(lit) / kTaps;
}

PlaneShadow::PlaneShadow(const ShadowMap& map, const Plane& plane, const Vec3f& towards_light)
    : projection_(map.projection()), size_(map.buffer().width / 2) {
  projection_.width = projection_.height = size_;
  projection_.scale *= 0.5f;
  faces_light_ = dot(plane.normal, towards_light) > 1e-3f;
  if (faces_light_) cover(map, plane);
}

void PlaneShadow::cover(const ShadowMap& map, const Plane& plane) {
  Layer covered(std::size_t(size_) * size_), weighted(covered.size());
  const float slope = dot(plane.normal, map.projection().forward);
  parallel_for("cover plane", size_, 16, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < size_; ++x) {
        float hits = 0, heights = 0;
        for (int k = 0; k < 4; ++k) {
          const int mx = 2 * x + (k & 1), my = 2 * y + (k >> 1);
          const float depth = map.buffer().depth[map.buffer().index(mx, my)];
          if (depth == kFar) continue;
          const Vec3f origin = map.projection().ray_origin(static_cast<float>(mx) + 0.5f,
                                                           static_cast<float>(my) + 0.5f);
          const float height = (plane.offset - dot(plane.normal, origin)) / slope - depth;
          if (height > 0) hits += 0.25f, heights += 0.25f * height;
        }
        const std::size_t at = std::size_t(y) * size_ + x;
        covered[at] = hits;
        weighted[at] = heights;
      }
  });
  for (int level = 0; level < kLevels; ++level) covered_[level] = blurred(covered, kBlurRadius[level]);
  height_ = blurred(weighted, kBlurRadius[1]);
  for (std::size_t i = 0; i < height_.size(); ++i) height_[i] /= std::max(covered_[1][i], 1e-6f);
}

// Two box blurs in each direction: a tent, smooth enough for shadows.
PlaneShadow::Layer PlaneShadow::blurred(const Layer& from, int radius) const {
  Layer result = from, turned(from.size());
  const auto n = static_cast<std::size_t>(size_);
  // Blurs rows and writes them as columns, so that both directions read along memory.
  const auto pass = [&](const Layer& in, Layer& out) {
    parallel_for("blur shadow", size_, 16, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> line(n), twice(n);
      for (auto y = static_cast<std::size_t>(begin); y < static_cast<std::size_t>(end); ++y) {
        box_blur_line(&in[y * n], line.data(), size_, radius);
        box_blur_line(line.data(), twice.data(), size_, radius);
        for (std::size_t x = 0; x < n; ++x) out[x * n + y] = twice[x];
      }
    });
  };
  pass(result, turned);
  pass(turned, result);
  return result;
}

float PlaneShadow::sample(const Layer& layer, float x, float y) const {
  x -= 0.5f, y -= 0.5f;
  const float fx = std::floor(x), fy = std::floor(y);
  if (!(fx >= 0 && fy >= 0 && fx < static_cast<float>(size_ - 1) &&
        fy < static_cast<float>(size_ - 1)))
    return 0;
  const float* p = &layer[static_cast<std::size_t>(fy) * size_ + static_cast<std::size_t>(fx)];
  const float u = x - fx, v = y - fy;
  return (1 - v) * ((1 - u) * p[0] + u * p[1]) + v * ((1 - u) * p[size_] + u * p[size_ + 1]);
}

float PlaneShadow::light_at(const Vec3f& place) const {
  if (!faces_light_) return 0;
  const Spot spot = projection_.project(place, 0);
  const float height = sample(height_, spot.x, spot.y);
  const float wanted = height * kLightRadius * projection_.scale;  // blur in texels
  int level = 0;
  while (level < kLevels - 2 && wanted > static_cast<float>(kBlurRadius[level + 1])) ++level;
  const auto low = static_cast<float>(kBlurRadius[level]);
  const auto high = static_cast<float>(kBlurRadius[level + 1]);
  const float t = std::clamp((wanted - low) / (high - low), 0.0f, 1.0f);
  const float shade = (1 - t) * sample(covered_[level], spot.x, spot.y) +
                      t * sample(covered_[level + 1], spot.x, spot.y);
  return 1 - std::clamp(shade, 0.0f, 1.0f);
}

}  // namespace firn
