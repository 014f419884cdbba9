#include "draw/cell_mesh.h"

#include <cmath>

#include "draw/drawn_mesh.h"

namespace firn {
namespace {

constexpr std::uint32_t kNoVertex = 0xffffffffu;

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
      for (std::uint32_t& vertex : triangle) {
        drawn_.indices.push_back(vertex);
        vertex -= static_cast<std::uint32_t>(first);
      }
      surface.triangles.push_back(triangle);
    }
    surface.vertices.assign(drawn_.vertices.begin() + static_cast<std::ptrdiff_t>(first),
                            drawn_.vertices.end());
    const std::vector<Vec3f> normals = vertex_normals(surface);
    drawn_.normals.insert(drawn_.normals.end(), normals.begin(), normals.end());
    for (const std::uint32_t row : mesh.triangles)
      if (row < vertex_of_.size()) vertex_of_[row] = kNoVertex;
  }

 private:
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
