#include "scene/stream.h"

#include <algorithm>
#include <cmath>

#include "scene/defaults.h"

namespace firn {
namespace {

double length(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

// A unit vector at right angles to a unit vector.
Vec3d normal_to(const Vec3d& v, int dimension) {
  if (dimension == 2) return {{-v[1], v[0], 0}};
  const Vec3d other = std::abs(v[0]) < 0.6 ? Vec3d{{1, 0, 0}} : Vec3d{{0, 1, 0}};
  const Vec3d n = cross(v, other);
  return n / length(n);
}

}  // namespace

Stream::Stream(const Shape& shape, const Vec3d& velocity, double distance)
    : mouth(shape),
      spacing(distance),
      radius(length(half_extents(shape)) + distance),
      speed(length(velocity)),
      along(velocity / speed) {
  across[0] = normal_to(along, mouth.dimension);
  across[1] = cross(along, across[0]);
}

// Whether the line that passes the centre at (u, v), m, meets the mouth.
bool Stream::hits(double u, double v) const {
  Vec3d x = mouth.center - along * radius + across[0] * u;
  if (mouth.dimension == 3) x += across[1] * v;
  for (double way = 0; way < 2 * radius;) {
    const double d = signed_distance(mouth, x + along * way).distance;
    if (d < 0) return true;
    way += std::max(0.5 * d, 1e-3 * radius);
  }
  return false;
}

// Lines over the square (2D: the line) around the mouth stand in a golden lattice, which edges cut
// evenly whatever their direction.
double Stream::seen_area() const {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kLines = 96 * 96;
  int count = 0;
  for (int i = 0; i < kLines; ++i)
    count += hits(radius * (2 * (i + 0.5) / kLines - 1),
                  radius * (2 * (i * kGolden - std::floor(i * kGolden)) - 1));
  return double(count) / kLines * std::pow(2 * radius, mouth.dimension - 1);
}

double Stream::area() const {
  return std::max(seen_area(), std::pow(spacing, mouth.dimension - 1));
}

double Stream::lattice_area() const {
  const int wide = static_cast<int>(std::ceil(radius / spacing)) + 1;
  const int layers = mouth.dimension == 3 ? wide : 0;
  int columns = 0;
  for (int k = -layers; k <= layers; ++k)
    for (int j = -wide; j <= wide; ++j) columns += hits((j + 0.5) * spacing, (k + 0.5) * spacing);
  return columns * std::pow(spacing, mouth.dimension - 1);
}

double full_flow(const SceneSettings& scene, const EmitterSettings& emitter) {
  const Stream stream(placed(emitter.shape, static_cast<int>(scene.dimension)), emitter.velocity,
                      particle_spacing(scene, emitter.sampling));
  return emitter.density * stream.area() * stream.speed;
}

}  // namespace firn
