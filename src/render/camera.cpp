#include "render/camera.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firn {

namespace {

constexpr double kMargin = 0.86;  // share of the picture that the framed box may take

struct NamedDirection {
  const char* name;
  Vec3d direction;  // from the target to the eye
};
constexpr std::array<NamedDirection, 4> kDirections = {{{"three_quarter", {{-0.50, 0.42, 1.0}}},
                                                        {"front", {{0, 0.16, 1.0}}},
                                                        {"side", {{1.0, 0.16, 0}}},
                                                        {"top", {{0, 1.0, 0.02}}}}};

Vec3d unit(const Vec3d& v) {
  return v * (1 / std::sqrt(dot(v, v)));
}

// The smallest box around the places.
Bounds bounds_of(const std::vector<Vec3d>& places) {
  Bounds box{places[0], places[0]};
  for (const Vec3d& p : places) box = united(box, {p, p});
  return box;
}

// The range of finite values without the outermost half percent on either side, from a sample.
void robust_range(const std::vector<double>& values, double& low, double& high) {
  const std::size_t step = std::max<std::size_t>(1, values.size() / 200000);
  std::vector<double> sample;
  for (std::size_t i = 0; i < values.size(); i += step)
    if (std::isfinite(values[i])) sample.push_back(values[i]);
  if (sample.empty()) return;
  const auto at = [&](double share) {
    const auto n = static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size() - 1));
    std::nth_element(sample.begin(), sample.begin() + n, sample.end());
    return sample[static_cast<std::size_t>(n)];
  };
  low = at(0.005);
  high = at(0.995);
}

}  // namespace

const std::vector<std::string>& camera_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const NamedDirection& entry : kDirections) list.push_back(entry.name);
    return list;
  }();
  return names;
}

Vec3d center_of(const Bounds& box) {
  return (box.low + box.high) * 0.5;
}

double diagonal_of(const Bounds& box) {
  const Vec3d d = box.high - box.low;
  return std::sqrt(dot(d, d));
}

Bounds robust_bounds(const PointTable& table) {
  Bounds box{{{-0.5, -0.5, -0.5}}, {{0.5, 0.5, 0.5}}};
  const char* names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    if (table.count > 0 && !table.has(names[k])) box.low[k] = box.high[k] = 0;
    robust_range(table.as_double(names[k]), box.low[k], box.high[k]);
  }
  return box;
}

std::vector<Vec3d> corners_of(const Bounds& box) {
  std::vector<Vec3d> corners(8);
  for (std::size_t i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k) corners[i][k] = (i >> k & 1) ? box.high[k] : box.low[k];
  return corners;
}

std::vector<Vec3d> places_inside(const PointTable& table, const Bounds& box) {
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  const std::size_t step = std::max<std::size_t>(1, table.count / 5000);
  std::vector<Vec3d> places;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); i += step) {
    const Vec3d p{{x[i], y[i], z.empty() ? 0 : z[i]}};
    bool inside = true;
    for (int k = 0; k < 3; ++k) inside = inside && p[k] >= box.low[k] && p[k] <= box.high[k];
    if (inside) places.push_back(p);
  }
  return places;
}

Camera framing_camera(const std::vector<Vec3d>& places, double aspect, double field_of_view,
                      const std::string& name) {
  Camera camera;
  camera.field_of_view = field_of_view;
  const Bounds box = places.empty() ? Bounds{{{-1, -1, -1}}, {{1, 1, 1}}} : bounds_of(places);
  Vec3d direction = kDirections[0].direction;
  for (const NamedDirection& entry : kDirections)
    if (name == entry.name) direction = entry.direction;
  const Vec3d back = unit(direction);
  const Vec3d right = unit(cross(camera.up, back));
  const Vec3d up = cross(back, right);
  const double tan_y = std::tan(0.5 * field_of_view * kDegree) * kMargin;
  const double tan_x = tan_y * aspect;

  // The nearest eye on the line through the target that sees every place; then the target moves
  // to the middle of what is seen, and again.
  camera.target = center_of(box);
  const double smallest = std::max(1e-6, 1e-3 * diagonal_of(box));
  double distance = smallest;
  for (int round = 0; round < 4; ++round) {
    distance = smallest;
    for (const Vec3d& place : places) {
      const Vec3d d = place - camera.target;
      const double sideways =
          std::max(std::abs(dot(d, right)) / tan_x, std::abs(dot(d, up)) / tan_y);
      distance = std::max(distance, sideways + dot(d, back));
    }
    double low_x = 1e300, high_x = -1e300, low_y = 1e300, high_y = -1e300;
    for (const Vec3d& place : places) {
      const Vec3d d = place - camera.target;
      const double depth = std::max(distance - dot(d, back), smallest);
      const double x = dot(d, right) / depth, y = dot(d, up) / depth;
      low_x = std::min(low_x, x), high_x = std::max(high_x, x);
      low_y = std::min(low_y, y), high_y = std::max(high_y, y);
    }
    if (round < 3)
      camera.target += (right * (low_x + high_x) + up * (low_y + high_y)) * (0.5 * distance);
  }
  camera.eye = camera.target + back * distance;
  return camera;
}

Camera flat_camera(const Bounds& box, double aspect) {
  Camera camera;
  const Vec3d size = box.high - box.low;
  camera.target = center_of(box);
  camera.ortho_height = std::max({size[1], size[0] / aspect, 1e-6}) / kMargin;
  camera.eye = camera.target + Vec3d{{0, 0, camera.ortho_height}};
  return camera;
}

}  // namespace firn
