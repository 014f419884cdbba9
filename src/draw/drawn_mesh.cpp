#include "draw/drawn_mesh.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "render/color.h"

namespace firn {

namespace {

constexpr int kBand = 4;  // voxels in which distances must hold for the smoothing
constexpr int kPasses = 3;

// Mean colours in linear light by cell, looked up trilinearly.
class ColorCells {
 public:
  ColorCells(const std::vector<DrawnPoint>& points, const std::vector<std::uint32_t>& chosen,
             double cell)
      : inverse_(static_cast<float>(1 / cell)) {
    for (const std::uint32_t i : chosen) {
      const DrawnPoint& p = points[i];
      Sum& sum = cells_[key(coordinate(p.position, 0))];
      for (int k = 0; k < 3; ++k) sum.color[k] += linear_from_srgb(p.color[k]);
      sum.count += 1;
    }
  }

  // The mean of the eight cells around; of none, the middle of all.
  Rgb8 at(const Vec3f& p) const {
    Vec3f color = Vec3f::zero();
    float weight = 1e-12f;
    const Vec<int, 3> low = coordinate(p, 0.5f);
    for (int c = 0; c < 8; ++c) {
      Vec<int, 3> cell = low;
      float share = 1;
      for (int k = 0; k < 3; ++k) {
        const float f = p[k] * inverse_ - 0.5f - static_cast<float>(low[k]);
        cell[k] += c >> k & 1;
        share *= 0.05f + (c >> k & 1 ? f : 1 - f);
      }
      const auto found = cells_.find(key(cell));
      if (found == cells_.end()) continue;
      color += found->second.color * share;
      weight += found->second.count * share;
    }
    color = color * (1 / weight);
    return {srgb_from_linear(color[0]), srgb_from_linear(color[1]), srgb_from_linear(color[2])};
  }

 private:
  struct Sum {
    Vec3f color{{0, 0, 0}};
    float count = 0;
  };
  Vec<int, 3> coordinate(const Vec3f& p, float shift) const {
    Vec<int, 3> c;
    for (int k = 0; k < 3; ++k)
      c[k] = static_cast<int>(std::floor(std::clamp(p[k] * inverse_ - shift, -1e6f, 1e6f)));
    return c;
  }
  static std::uint64_t key(const Vec<int, 3>& c) {
    std::uint64_t k = 0;
    for (int a = 0; a < 3; ++a) k = k << 21 | static_cast<std::uint64_t>(c[a] + (1 << 20));
    return k;
  }

  float inverse_;
  std::unordered_map<std::uint64_t, Sum> cells_;
};

// Unit normals of the vertices, weighted by the area of the triangles around.
std::vector<Vec3f> vertex_normals(const SurfaceMesh& mesh) {
  std::vector<Vec3f> normals(mesh.vertices.size(), Vec3f::zero());
  for (const SurfaceMesh::Triangle& t : mesh.triangles) {
    const Vec3f a = mesh.vertices[t[0]];
    const Vec3f across = cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a);
    for (const std::uint32_t v : t) normals[v] += across;
  }
  for (Vec3f& n : normals) n = n * (1 / std::sqrt(std::max(dot(n, n), 1e-30f)));
  return normals;
}

void append(const SurfaceMesh& mesh, const ColorCells& colors, std::uint8_t group, DrawnMesh& to) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  const std::vector<Vec3f> normals = vertex_normals(mesh);
  to.vertices.insert(to.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  to.normals.insert(to.normals.end(), normals.begin(), normals.end());
  for (const Vec3f& vertex : mesh.vertices) {
    const Rgb8 c = colors.at(vertex);
    to.colors.insert(to.colors.end(), {c.r, c.g, c.b, group});
  }
  for (const SurfaceMesh::Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) to.indices.push_back(first + v);
}

}  // namespace

DrawnMesh make_drawn_mesh(const std::vector<DrawnPoint>& points, const FrameOptions& options) {
  DrawnMesh drawn;
  // Of a ball with a particle's volume, where drawn balls overlap so that no holes show.
  const double radius = options.radius / (0.5 * kSphereOverlap) * std::cbrt(0.75 / kPi);
  const double voxel = options.mesh_voxel > 0 ? options.mesh_voxel : radius * 2 / 3;
  std::vector<std::uint32_t> of_group[256];
  for (std::size_t i = 0; i < points.size(); ++i)
    of_group[points[i].group].push_back(static_cast<std::uint32_t>(i));
  for (int m = 0; m < 256; ++m) {
    if (of_group[m].empty()) continue;
    std::vector<Vec3f> places;
    for (const std::uint32_t i : of_group[m]) places.push_back(points[i].position);
    if (!bin_problem(places, voxel).empty()) continue;
    LevelSet level_set = make_level_set(bin_points(places, voxel), voxel, radius);
    make_signed_distance(level_set, kBand);
    smooth_level_set(level_set, 0.5 * radius, kPasses);
    const ColorCells colors(points, of_group[m], 3 * radius);
    append(make_mesh(level_set), colors, static_cast<std::uint8_t>(m), drawn);
  }
  return drawn;
}

}  // namespace firn
