#include "geometry/simplex_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "exec/parallel.h"

namespace firn {
namespace {

constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kCellsAPiece = 1 << 14;

double angle_between(double cosine) {
  return std::acos(std::clamp(cosine, -1.0, 1.0)) / kDegree;
}

void include(AngleRange& range, double angle) {
  range.least = std::min(range.least, angle);
  range.largest = std::max(range.largest, angle);
}

AngleRange angles_of(const Vec<double, 2>* p) {
  AngleRange range;
  for (int i = 0; i < 3; ++i) {
    const Vec<double, 2> a = p[(i + 1) % 3] - p[i], b = p[(i + 2) % 3] - p[i];
    include(range, angle_between(dot(a, b) / std::sqrt(dot(a, a) * dot(b, b))));
  }
  return range;
}

// Normals of the faces, all outwards or all inwards: the angle between two faces is that between
// one normal and the other turned round.
AngleRange angles_of(const Vec3d* p) {
  const Vec3d u = p[1] - p[0], v = p[2] - p[0], w = p[3] - p[0];
  Vec3d normals[4] = {cross(p[2] - p[1], p[3] - p[1]), cross(w, v), cross(u, w), cross(v, u)};
  for (Vec3d& normal : normals) normal = normal / std::sqrt(dot(normal, normal));
  AngleRange range;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) include(range, angle_between(-dot(normals[i], normals[j])));
  return range;
}

template <int D>
void corners_of(const SimplexMesh<D>& mesh, std::size_t cell, Vec<double, D>* corners) {
  for (int i = 0; i <= D; ++i) corners[i] = mesh.points[mesh.cells[cell][i]];
}

}  // namespace

double simplex_volume(const Vec<double, 2>& a, const Vec<double, 2>& b, const Vec<double, 2>& c) {
  const Vec<double, 2> u = b - a, v = c - a;
  return (u[0] * v[1] - u[1] * v[0]) / 2;
}

double simplex_volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return dot(b - a, cross(c - a, d - a)) / 6;
}

template <int D>
double cell_volume(const SimplexMesh<D>& mesh, std::size_t cell) {
  Vec<double, D> p[D + 1];
  corners_of(mesh, cell, p);
  if constexpr (D == 2)
    return simplex_volume(p[0], p[1], p[2]);
  else
    return simplex_volume(p[0], p[1], p[2], p[3]);
}

template <int D>
double mesh_volume(const SimplexMesh<D>& mesh) {
  double total = 0;
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) total += cell_volume(mesh, i);
  return total;
}

template <int D>
AngleRange cell_angles(const SimplexMesh<D>& mesh, std::size_t cell) {
  Vec<double, D> p[D + 1];
  corners_of(mesh, cell, p);
  return angles_of(p);
}

template <int D>
AngleRange mesh_angles(const SimplexMesh<D>& mesh) {
  const auto n = static_cast<std::int64_t>(mesh.cells.size());
  std::vector<AngleRange> pieces(static_cast<std::size_t>(n / kCellsAPiece + 1));
  parallel_for("angles of a mesh", n, kCellsAPiece, [&](std::int64_t begin, std::int64_t end) {
    AngleRange& range = pieces[static_cast<std::size_t>(begin / kCellsAPiece)];
    for (std::int64_t i = begin; i < end; ++i) {
      const AngleRange of_cell = cell_angles(mesh, static_cast<std::size_t>(i));
      include(range, of_cell.least);
      include(range, of_cell.largest);
    }
  });
  AngleRange all;
  for (const AngleRange& piece : pieces) {
    all.least = std::min(all.least, piece.least);
    all.largest = std::max(all.largest, piece.largest);
  }
  return all;
}

template <int D>
std::size_t drop_unused_points(SimplexMesh<D>& mesh) {
  std::vector<std::uint32_t> number(mesh.points.size(), kUnused);
  for (const auto& cell : mesh.cells)
    for (const std::uint32_t corner : cell) number[corner] = 0;
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] == kUnused) continue;
    mesh.points[kept] = mesh.points[i];
    number[i] = kept++;
  }
  const std::size_t dropped = mesh.points.size() - kept;
  if (dropped == 0) return 0;
  mesh.points.resize(kept);
  for (auto& cell : mesh.cells)
    for (std::uint32_t& corner : cell) corner = number[corner];
  return dropped;
}

template double cell_volume(const SimplexMesh<2>&, std::size_t);
template double cell_volume(const SimplexMesh<3>&, std::size_t);
template double mesh_volume(const SimplexMesh<2>&);
template double mesh_volume(const SimplexMesh<3>&);
template AngleRange cell_angles(const SimplexMesh<2>&, std::size_t);
template AngleRange cell_angles(const SimplexMesh<3>&, std::size_t);
template AngleRange mesh_angles(const SimplexMesh<2>&);
template AngleRange mesh_angles(const SimplexMesh<3>&);
template std::size_t drop_unused_points(SimplexMesh<2>&);
template std::size_t drop_unused_points(SimplexMesh<3>&);

}  // namespace firn
