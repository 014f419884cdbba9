#include "geometry/triangle_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace firn {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr double kLargestCoordinate = 1e12;  // m

std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(x + 0.0);  // -0 becomes 0
}

std::uint64_t hash_of(const Vec3d& p) {
  std::uint64_t h = 0;
  for (int i = 0; i < 3; ++i) {
    h = (h ^ bits_of(p[i])) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

// For each vertex the first one at the same position.
std::vector<std::uint32_t> first_at_same_position(const std::vector<Vec3d>& vertices) {
  const std::size_t size = std::bit_ceil(2 * vertices.size() + 1);
  std::vector<std::uint32_t> table(size, kNone), first(vertices.size());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    std::size_t at = hash_of(vertices[v]) & (size - 1);
    while (table[at] != kNone && !(vertices[table[at]] == vertices[v])) at = (at + 1) & (size - 1);
    if (table[at] == kNone) table[at] = v;
    first[v] = table[at];
  }
  return first;
}

Vec3d doubled_area(const TriangleMesh& mesh, const Triangle& t) {
  const Vec3d& a = mesh.vertices[t[0]];
  return cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a);
}

}  // namespace

std::string mesh_fault(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return "the mesh has no triangles";
  if (mesh.vertices.size() >= kNone / 2 || mesh.triangles.size() >= kNone / 3)
    return "the mesh has more than a billion triangles";
  for (const Vec3d& p : mesh.vertices)
    for (int i = 0; i < 3; ++i)
      if (!(std::fabs(p[i]) <= kLargestCoordinate))
        return "a vertex is not finite or further than 1e12 from the origin";
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t)
      if (v >= mesh.vertices.size()) return "a triangle names a vertex that does not exist";
  return "";
}

Bounds mesh_bounds(const TriangleMesh& mesh) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Bounds b{Vec3d::fill(infinity), Vec3d::fill(-infinity)};
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t)
      for (int i = 0; i < 3; ++i) {
        b.low[i] = std::min(b.low[i], mesh.vertices[v][i]);
        b.high[i] = std::max(b.high[i], mesh.vertices[v][i]);
      }
  return b;
}

double signed_volume(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return 0;
  // Seen from the middle: far from the origin the terms would cancel badly, and an open mesh has
  // its holes counted as cones to here.
  const Bounds bounds = mesh_bounds(mesh);
  const Vec3d origin = (bounds.low + bounds.high) * 0.5;
  double volume = 0;
  for (const Triangle& t : mesh.triangles)
    volume += dot(mesh.vertices[t[0]] - origin, doubled_area(mesh, t));
  return volume / 6;
}

double surface_area(const TriangleMesh& mesh) {
  double area = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3d n = doubled_area(mesh, t);
    area += std::sqrt(dot(n, n)) / 2;
  }
  return area;
}

void weld_vertices(TriangleMesh& mesh) {
  const std::vector<std::uint32_t> first = first_at_same_position(mesh.vertices);
  std::vector<std::uint32_t> renamed(mesh.vertices.size(), kNone);
  std::vector<Vec3d> kept;
  for (Triangle& t : mesh.triangles)
    for (std::uint32_t& v : t) {
      std::uint32_t& name = renamed[first[v]];
      if (name == kNone) {
        name = static_cast<std::uint32_t>(kept.size());
        kept.push_back(mesh.vertices[first[v]]);
      }
      v = name;
    }
  mesh.vertices = std::move(kept);
}

std::size_t remove_degenerate_triangles(TriangleMesh& mesh) {
  return std::erase_if(mesh.triangles, [&](const Triangle& t) {
    const Vec3d n = doubled_area(mesh, t);
    return !(dot(n, n) > 0);
  });
}

std::size_t count_open_edges(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> first = first_at_same_position(mesh.vertices);
  // The two ends, smaller first, and in the lowest bit the direction.
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t a = first[t[i]], b = first[t[(i + 1) % 3]];
      edges.push_back(std::min(a, b) << 33 | std::max(a, b) << 1 | (a < b ? 1u : 0u));
    }
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0;
  for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
    while (end < edges.size() && edges[end] >> 1 == edges[i] >> 1) ++end;
    if (end - i != 2 || edges[i] == edges[i + 1]) ++open;
  }
  return open;
}

std::vector<std::uint32_t> part_of_triangles(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> parent = first_at_same_position(mesh.vertices);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Triangle& t : mesh.triangles)
    for (int i = 1; i < 3; ++i) parent[root(t[i])] = root(t[0]);
  std::vector<std::uint32_t> number(mesh.vertices.size(), kNone), part;
  part.reserve(mesh.triangles.size());
  std::uint32_t parts = 0;
  for (const Triangle& t : mesh.triangles) {
    std::uint32_t& name = number[root(t[0])];
    if (name == kNone) name = parts++;
    part.push_back(name);
  }
  return part;
}

std::size_t count_parts(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> part = part_of_triangles(mesh);
  return part.empty() ? 0 : *std::max_element(part.begin(), part.end()) + std::size_t(1);
}

}  // namespace firn
