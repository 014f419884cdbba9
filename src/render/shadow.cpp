#include "render/shadow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exec/parallel.h"

namespace firn {

namespace {

constexpr float kLightRadius = 0.09f;  // tangent of half the angle that the light fills
constexpr float kBlur[] = {0.001f, 0.006f, 0.022f};  // radii of the blurs over the map's side

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
Projection fit(const std::vector<Surface>& surfaces, Bounds box, const Vec3f& towards_light,
               int map_size) {
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
  p.width = p.height = map_size;
  p.scale = 0.5f * static_cast<float>(map_size) / std::max(1.1f * reach, 1e-6f);
  p.eye = center + towards_light * static_cast<float>(diagonal_of(box));
  return p;
}

// A power of two, so that half of it is whole.
int map_size(int picture_size) {
  int size = 256;
  while (size < picture_size && size < 2048) size *= 2;
  return size;
}

float mean_radius(const std::vector<Point>& points) {
  double sum = 0;
  for (const Point& point : points) sum += point.radius;
  return points.empty() ? 0 : static_cast<float>(sum / static_cast<double>(points.size()));
}

// Points spread evenly over a disc (Vogel's spiral), turned differently for each pixel of a small
// pattern: neighbours together sample the disc finely.
constexpr int kTaps = 8;
constexpr int kTapPattern = 4;
constexpr float kSpread = 3.5f;  // texels
using Taps = std::array<std::array<float, 2>, kTaps>;

std::array<Taps, kTapPattern * kTapPattern> make_taps() {
  std::array<Taps, kTapPattern * kTapPattern> all;
  for (int turn = 0; turn < kTapPattern * kTapPattern; ++turn)
    for (int i = 0; i < kTaps; ++i) {
      const float radius = kSpread * std::sqrt((static_cast<float>(i) + 0.5f) / kTaps);
      // The golden angle between points; 7 is coprime to 16, so neighbours turn far apart.
      const float angle =
          2.39996323f * static_cast<float>(i) + 6.2831853f * static_cast<float>(7 * turn % 16) / 16;
      all[static_cast<std::size_t>(turn)][static_cast<std::size_t>(i)] = {radius * std::cos(angle),
                                                                          radius * std::sin(angle)};
    }
  return all;
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

ShadowMap::ShadowMap(const PointCloud& cloud, const std::vector<Surface>& surfaces,
                     const Bounds& box, const Vec3f& towards_light, int picture_size)
    : projection_(fit(surfaces, box, towards_light, map_size(picture_size))),
      buffer_(projection_.width, projection_.height) {
  splat_points(cloud.points, projection_, buffer_);
  if (cloud.bodies.casts_shadows) draw_bodies(cloud.bodies, projection_, buffer_);
  draw_solids(surfaces, projection_, buffer_);
  // Grains must not shadow the layer they lie in; large spheres need only the map's resolution.
  texel_ = 1 / projection_.scale;
  bias_ = std::clamp(mean_radius(cloud.points), 2 * texel_, 8 * texel_);
}

float ShadowMap::light_at(const Vec3f& place, int x, int y) const {
  static const auto taps = make_taps();
  const Spot spot = projection_.project(place, 0);
  const float limit = spot.depth - bias_;
  const auto size = static_cast<float>(buffer_.width);
  int lit = 0;
  for (const auto& tap :
       taps[static_cast<std::size_t>(y % kTapPattern * kTapPattern + x % kTapPattern)]) {
    const float mx = spot.x + tap[0], my = spot.y + tap[1];
    const bool covered = mx >= 0 && my >= 0 && mx < size && my < size;
    lit += !covered ||
           buffer_.depth[buffer_.index(static_cast<int>(mx), static_cast<int>(my))] >= limit;
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
  for (int level = 0; level < kLevels; ++level)
    covered_[level] = blurred(covered, blur_radius(level));
  // As wide as the widest shadow, so that every place in its fringe knows how high the cover is.
  height_ = blurred(weighted, blur_radius(kLevels - 1));
  const Layer& share = covered_[kLevels - 1];
  for (std::size_t i = 0; i < height_.size(); ++i)
    height_[i] = share[i] > 1e-4f ? height_[i] / share[i] : 0;
}

int PlaneShadow::blur_radius(int level) const {
  return std::max(level + 1, static_cast<int>(kBlur[level] * static_cast<float>(size_)));
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
  while (level < kLevels - 2 && wanted > static_cast<float>(blur_radius(level + 1))) ++level;
  const auto low = static_cast<float>(blur_radius(level));
  const auto high = static_cast<float>(blur_radius(level + 1));
  const float t = std::clamp((wanted - low) / (high - low), 0.0f, 1.0f);
  const float shade = (1 - t) * sample(covered_[level], spot.x, spot.y) +
                      t * sample(covered_[level + 1], spot.x, spot.y);
  return 1 - std::clamp(shade, 0.0f, 1.0f);
}

}  // namespace firn
