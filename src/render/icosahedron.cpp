#include "render/icosahedron.h"

#include <cmath>
#include <numbers>

namespace firn {

namespace {

Icosahedron make() {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  std::array<Vec3d, 12> corners;
  for (int k = 0; k < 12; ++k) {
    const double a = k & 1 ? 1 : -1, b = k & 2 ? g : -g;
    Vec3d& corner = corners[static_cast<std::size_t>(k)];
    corner = Vec3d::zero();
    corner[k / 4] = a;
    corner[(k / 4 + 1) % 3] = b;
  }
  // Faces are the triples at the distance of an edge, 2.
  const double volume = 5.0 / 12 * (3 + std::sqrt(5.0)) * 8;
  const double scale = std::cbrt(4 * std::numbers::pi / 3 / volume);
  const auto is_edge = [&](std::size_t a, std::size_t b) {
    const Vec3d d = corners[a] - corners[b];
    return std::abs(dot(d, d) - 4) < 1e-6;
  };
  Icosahedron made{};
  std::size_t face = 0;
  for (std::size_t a = 0; a < 12; ++a)
    for (std::size_t b = a + 1; b < 12; ++b)
      for (std::size_t c = b + 1; c < 12; ++c) {
        if (!is_edge(a, b) || !is_edge(b, c) || !is_edge(a, c)) continue;
        const Vec3d middle = corners[a] + corners[b] + corners[c];
        const bool turn = dot(cross(corners[b] - corners[a], corners[c] - corners[a]), middle) < 0;
        made.faces[face++] = {static_cast<int>(a), static_cast<int>(turn ? c : b),
                              static_cast<int>(turn ? b : c)};
      }
  for (std::size_t k = 0; k < 12; ++k) made.corners[k] = (corners[k] * scale).cast<float>();
  return made;
}

}  // namespace

const Icosahedron& icosahedron() {
  static const Icosahedron made = make();
  return made;
}

}  // namespace firn
