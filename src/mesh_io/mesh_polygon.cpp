#include <cmath>

#include "mesh_io/mesh_formats.h"

namespace firn {
namespace {

// Beyond this many corners a polygon becomes a fan, whatever its shape: clipping takes the third
// power of their number.
constexpr std::size_t kMostCornersToClip = 64;

double area(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// The corners in the plane in which the polygon is largest, counter-clockwise there.
std::vector<Vec2d> flattened(const TriangleMesh& mesh, const std::vector<std::uint32_t>& corners) {
  const Vec3d& origin = mesh.vertices[corners[0]];
  Vec3d normal = Vec3d::zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    normal += cross(mesh.vertices[corners[i]] - origin, mesh.vertices[corners[i + 1]] - origin);
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(normal[i]) > std::fabs(normal[axis])) axis = i;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::vector<Vec2d> flat;
  for (const std::uint32_t c : corners) {
    const Vec3d p = mesh.vertices[c] - origin;
    flat.push_back(normal[axis] < 0 ? Vec2d{{p[v], p[u]}} : Vec2d{{p[u], p[v]}});
  }
  return flat;
}

bool is_convex(const std::vector<Vec2d>& p) {
  for (std::size_t i = 0; i < p.size(); ++i)
    if (area(p[i], p[(i + 1) % p.size()], p[(i + 2) % p.size()]) < 0) return false;
  return true;
}

// Whether the corner k of the remaining ones can be cut off.
bool is_ear(const std::vector<Vec2d>& p, const std::vector<std::size_t>& rest, std::size_t k) {
  const std::size_t n = rest.size();
  const std::size_t before = rest[(k + n - 1) % n], here = rest[k], after = rest[(k + 1) % n];
  if (!(area(p[before], p[here], p[after]) > 0)) return false;
  for (const std::size_t other : rest) {
    if (other == before || other == here || other == after) continue;
    if (area(p[before], p[here], p[other]) >= 0 && area(p[here], p[after], p[other]) >= 0 &&
        area(p[after], p[before], p[other]) >= 0)
      return false;
  }
  return true;
}

}  // namespace

void add_polygon(TriangleMesh& mesh, const std::vector<std::uint32_t>& corners) {
  const std::size_t n = corners.size();
  if (n < 3) return;
  std::vector<std::size_t> rest(n);
  for (std::size_t i = 0; i < n; ++i) rest[i] = i;
  if (n > 3 && n <= kMostCornersToClip) {
    const std::vector<Vec2d> flat = flattened(mesh, corners);
    if (!is_convex(flat)) {
      for (std::size_t k = 0, failed = 0; rest.size() > 3 && failed < rest.size();) {
        k %= rest.size();
        if (is_ear(flat, rest, k)) {
          const std::size_t size = rest.size();
          mesh.triangles.push_back({corners[rest[(k + size - 1) % size]], corners[rest[k]],
                                    corners[rest[(k + 1) % size]]});
          rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
          failed = 0;
        } else {
          ++k;
          ++failed;
        }
      }
    }
  }
  // What is left, or all of a convex polygon: a fan.
  for (std::size_t i = 1; i + 1 < rest.size(); ++i)
    mesh.triangles.push_back({corners[rest[0]], corners[rest[i]], corners[rest[i + 1]]});
}

}  // namespace firn
