// Small meshes for tests: boxes, spheres, and their flaws.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/math.h"
#include "geometry/triangle_mesh.h"

namespace firn {

inline void append(TriangleMesh& mesh, const TriangleMesh& other, bool inverted = false) {
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (Triangle t : other.triangles) {
    if (inverted) std::swap(t[1], t[2]);
    mesh.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
}

// The twelve triangles of a cube with normals outwards; the last two are the lid at high z.
inline TriangleMesh cube_mesh(const Vec3d& center, double half) {
  TriangleMesh m;
  for (int c = 0; c < 8; ++c)
    m.vertices.push_back(center +
                         Vec3d{{c & 1 ? half : -half, c & 2 ? half : -half, c & 4 ? half : -half}});
  const std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& f : faces) {
    m.triangles.push_back({f[0], f[1], f[2]});
    m.triangles.push_back({f[0], f[2], f[3]});
  }
  return m;
}

// A sphere by longitude and latitude, closed at the poles.
inline TriangleMesh sphere_mesh(const Vec3d& center, double radius, int rings) {
  TriangleMesh m;
  const int around = 2 * rings;
  m.vertices.push_back(center + Vec3d{{0, -radius, 0}});
  for (int j = 1; j < rings; ++j)
    for (int i = 0; i < around; ++i) {
      const double a = 2 * kPi * i / around, b = kPi * j / rings;
      m.vertices.push_back(center +
                           Vec3d{{radius * std::sin(b) * std::cos(a), -radius * std::cos(b),
                                  radius * std::sin(b) * std::sin(a)}});
    }
  const auto top = static_cast<std::uint32_t>(m.vertices.size());
  m.vertices.push_back(center + Vec3d{{0, radius, 0}});
  const auto at = [&](int j, int i) {
    return static_cast<std::uint32_t>(1 + (j - 1) * around + i % around);
  };
  for (int i = 0; i < around; ++i) {
    m.triangles.push_back({0, at(1, i), at(1, i + 1)});
    m.triangles.push_back({top, at(rings - 1, i + 1), at(rings - 1, i)});
    for (int j = 1; j + 1 < rings; ++j) {
      m.triangles.push_back({at(j, i), at(j + 1, i), at(j + 1, i + 1)});
      m.triangles.push_back({at(j, i), at(j + 1, i + 1), at(j, i + 1)});
    }
  }
  return m;
}

}  // namespace firn
