// Which particles are worth drawing. In software OpenGL a hidden fragment costs as much as a seen
// one, while our own splatter passes over most hidden particles at a glance: it finds those that
// are seen, and only these are drawn. A GPU draws them all.
#include <algorithm>
#include <cmath>

#include "draw/renderer_state.h"
#include "render/visibility.h"

namespace firn {

namespace {

// Hiders are a little smaller than what they stand for: rounding must not open gaps.
constexpr float kHiderRadius = 0.93f;
constexpr float kLeastPixels = 0.6f;  // smaller ones are drawn by chance, and cheap
constexpr std::size_t kWorthIt = 5000;

// Neither to be seen nor to be seen through.
bool keeps_none_in_sight(const ParticleLook& look) {
  return !look.visible || look.opacity >= 1;
}

}  // namespace

void Renderer::State::choose_points(const Picture& picture, const ShaderCamera& camera,
                                    PointArrays& arrays) {
  const Projection& p = camera.projection;
  const auto size = static_cast<float>(diagonal_of(picture.box));
  const float middle = dot(center_of(picture.box).cast<float>() - p.eye, p.forward);
  const float pixels = smallest_radius / p.pixel_size(std::max(middle + size, 1e-9f));
  bool worth_it = host_points.size() >= kWorthIt && pixels > kLeastPixels;
  // Whatever shines through lets others be seen.
  for (const ParticleLook& look : picture.look.groups)
    worth_it = worth_it && keeps_none_in_sight(look);
  if (!worth_it) return fill_points(host_points, host_frames, arrays);

  std::vector<Point> spheres;
  std::vector<std::uint32_t> source;
  spheres.reserve(host_points.size());
  source.reserve(host_points.size());
  for (std::size_t i = 0; i < host_points.size(); ++i) {
    const DrawnPoint& point = host_points[i];
    const PointStyle style = style_of_group[point.group];
    if (!shown_group[point.group] || style == PointStyle::mesh) continue;
    spheres.push_back({point.position, kHiderRadius * point.radius});
    source.push_back(static_cast<std::uint32_t>(i));
  }
  VisibilityBuffer buffer(p.width, p.height);
  splat_points(spheres, p, buffer);
  std::vector<bool> seen(spheres.size(), false);
  for (const std::uint32_t id : buffer.id)
    if (id != kNothing) seen[id] = true;
  std::vector<DrawnPoint> points_seen;
  std::vector<DrawnFrame> frames_seen;
  for (std::size_t k = 0; k < source.size(); ++k) {
    if (!seen[k]) continue;
    points_seen.push_back(host_points[source[k]]);
    if (!host_frames.empty()) frames_seen.push_back(host_frames[source[k]]);
  }
  fill_points(points_seen, frames_seen, arrays);
  arrays.holds_all = false;
}

void Renderer::State::fill_points(const std::vector<DrawnPoint>& list,
                                  const std::vector<DrawnFrame>& frames, PointArrays& arrays) {
  if (arrays.holds_all && arrays.count == static_cast<GLsizei>(list.size()) && !arrays.stale)
    return;
  arrays.points.fill(GL_ARRAY_BUFFER, list.data(), list.size() * sizeof(DrawnPoint));
  if (!frames.empty())
    arrays.frames.fill(GL_ARRAY_BUFFER, frames.data(), frames.size() * sizeof(DrawnFrame));
  arrays.count = static_cast<GLsizei>(list.size());
  arrays.holds_all = true;
  arrays.stale = false;
}

}  // namespace firn
