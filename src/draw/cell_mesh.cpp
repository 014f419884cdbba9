#include "draw/cell_mesh.h"

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

constexpr std::uint32_t kNoVertex = 0xffffffffu;

// Normals of the corners of triangles: the mean, by area, of the faces around that turn by little
// against the corner's own, so that edges of boxes stay sharp. Between the two angles it fades:
// what bends shows no sudden facets.
class CreasedNormals {
 public:
  explicit CreasedNormals(const SurfaceMesh& mesh) : mesh_(mesh) {
    first_.assign(mesh.vertices.size() + 1, 0);
    for (const SurfaceMesh::Triangle& t : mesh.triangles) {
      for (const std::uint32_t v : t) ++first_[v + 1];
      const Vec3f a = mesh.vertices[t[0]];
      across_.push_back(cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a));
      unit_.push_back(normalized(across_.back()));
    }
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) first_[v + 1] += first_[v];
    around_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      for (const std::uint32_t v : mesh.triangles[t]) around_[next[v]++] = t;
  }

  // `sharp`: the normal is not that of the vertex as a whole.
  Vec3f of(std::size_t triangle, std::uint32_t vertex, bool& sharp) const {
    constexpr float kRound = 0.77f, kSharp = 0.5f;  // cosines of 40 and 60 degrees
    Vec3f sum = Vec3f::zero();
    sharp = false;
    for (std::uint32_t k = first_[vertex]; k < first_[vertex + 1]; ++k) {
      const float along = dot(unit_[triangle], unit_[around_[k]]);
      const float weight = std::clamp((along - kSharp) / (kRound - kSharp), 0.0f, 1.0f);
      sharp = sharp || weight < 1;
      sum += across_[around_[k]] * weight;
    }
    return normalized(sum);
  }

 private:
  static Vec3f normalized(const Vec3f& v) {
    return v * (1 / std::sqrt(std::max(dot(v, v), 1e-30f)));
  }
  const SurfaceMesh& mesh_;
  std::vector<Vec3f> across_, unit_;           // by triangle; the first as long as twice its area
  std::vector<std::uint32_t> first_, around_;  // triangles by vertex
};

// One mesh: vertices as its triangles come to them.
class CellMeshMaker {
 public:
  CellMeshMaker(std::size_t points, const std::function<DrawnCorner(std::uint32_t)>& corner,
                DrawnMesh& drawn)
      : corner_(corner), drawn_(drawn), vertex_of_(points, kNoVertex) {}

  void add(const FrameMesh& mesh) {
    const std::size_t first = drawn_.vertices.size();
    SurfaceMesh surface;
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
      SurfaceMesh::Triangle triangle;
      if (!take(&mesh.triangles[i], triangle)) continue;
      for (std::uint32_t& vertex : triangle) vertex -= static_cast<std::uint32_t>(first);
      surface.triangles.push_back(triangle);
    }
    surface.vertices.assign(drawn_.vertices.begin() + static_cast<std::ptrdiff_t>(first),
                            drawn_.vertices.end());
    shade(surface, first);
    for (const std::uint32_t row : mesh.triangles)
      if (row < vertex_of_.size()) vertex_of_[row] = kNoVertex;
  }

 private:
  void shade(const SurfaceMesh& surface, std::size_t first) {
    const CreasedNormals normals(surface);
    drawn_.normals.resize(drawn_.vertices.size(), Vec3f::zero());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      for (const std::uint32_t corner : surface.triangles[t]) {
        bool sharp;
        const Vec3f normal = normals.of(t, corner, sharp);
        const std::size_t vertex = sharp ? add_copy(first + corner) : first + corner;
        drawn_.normals[vertex] = normal;
        drawn_.indices.push_back(static_cast<std::uint32_t>(vertex));
      }
  }
  std::size_t add_copy(std::size_t vertex) {
    const Vec3f place = drawn_.vertices[vertex];
    drawn_.vertices.push_back(place);
    drawn_.normals.push_back(Vec3f::zero());
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint8_t color = drawn_.colors[vertex * 4 + k];
      drawn_.colors.push_back(color);
    }
    return drawn_.vertices.size() - 1;
  }
  // False where a corner has no place.
  bool take(const std::uint32_t* rows, SurfaceMesh::Triangle& triangle) {
    DrawnCorner corners[3];
    for (int k = 0; k < 3; ++k) {
      if (rows[k] >= vertex_of_.size()) return false;
      corners[k] = corner_(rows[k]);
      const Vec3f& p = corners[k].position;
      if (!std::isfinite(p[0] + p[1] + p[2])) return false;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      // A corner between two groups is there twice.
      const bool own = corners[k].group == corners[0].group;
      corners[k].group = corners[0].group;
      std::uint32_t fresh = kNoVertex;
      std::uint32_t& vertex = own ? vertex_of_[rows[k]] : fresh;
      if (vertex == kNoVertex) vertex = add_vertex(corners[k]);
      triangle[k] = vertex;
    }
    return true;
  }
  std::uint32_t add_vertex(const DrawnCorner& corner) {
    drawn_.vertices.push_back(corner.position);
    const Rgb8& c = corner.color;
    drawn_.colors.insert(drawn_.colors.end(), {c.r, c.g, c.b, corner.group});
    return static_cast<std::uint32_t>(drawn_.vertices.size() - 1);
  }

  const std::function<DrawnCorner(std::uint32_t)>& corner_;
  DrawnMesh& drawn_;
  std::vector<std::uint32_t> vertex_of_;  // by point
};

}  // namespace

DrawnMesh make_cell_mesh(const Frame& frame,
                         const std::function<DrawnCorner(std::uint32_t)>& corner) {
  DrawnMesh drawn;
  if (frame.meshes.empty()) return drawn;
  CellMeshMaker maker(frame.count, corner, drawn);
  for (const FrameMesh& mesh : frame.meshes) maker.add(mesh);
  return drawn;
}

}  // namespace firn
