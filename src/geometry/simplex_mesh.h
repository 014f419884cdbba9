// Meshes of simplices: triangles in 2D, tetrahedra in 3D. What a solver of finite elements walks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vec.h"

namespace firn {

template <int D>
struct SimplexMesh {
  static_assert(D == 2 || D == 3);
  using Point = Vec<double, D>;
  using Cell = std::array<std::uint32_t, D + 1>;

  std::vector<Point> points;  // m
  // Positively oriented: counter-clockwise triangles; tetrahedra whose last corner sees the first
  // three counter-clockwise from inside, det(p1 - p0, p2 - p0, p3 - p0) > 0.
  std::vector<Cell> cells;
};

using TriangleCells = SimplexMesh<2>;
using TetrahedronCells = SimplexMesh<3>;

// The pairs of corners of a cell, in the order in which mid-edge nodes are numbered: (0,1), (0,2),
// then (0,3) in 3D, (1,2), and (1,3), (2,3) in 3D.
template <int D>
struct SimplexEdges;
template <>
struct SimplexEdges<2> {
  static constexpr int kCount = 3;
  static constexpr int kCorners[kCount][2] = {{0, 1}, {0, 2}, {1, 2}};
};
template <>
struct SimplexEdges<3> {
  static constexpr int kCount = 6;
  static constexpr int kCorners[kCount][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
};

// Volume in m^3 (2D: area in m^2) by the sign of the orientation.
double simplex_volume(const Vec<double, 2>& a, const Vec<double, 2>& b, const Vec<double, 2>& c);
double simplex_volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

template <int D>
double cell_volume(const SimplexMesh<D>& mesh, std::size_t cell);

// Of all cells, added in their order.
template <int D>
double mesh_volume(const SimplexMesh<D>& mesh);

// Degrees.
struct AngleRange {
  double least = 180, largest = 0;
};

// Angles between the faces of tetrahedra; in 2D between the edges of triangles. Without cells the
// range is empty.
template <int D>
AngleRange cell_angles(const SimplexMesh<D>& mesh, std::size_t cell);
template <int D>
AngleRange mesh_angles(const SimplexMesh<D>& mesh);

// Drops points that no cell names; the others keep their order. Returns how many went.
template <int D>
std::size_t drop_unused_points(SimplexMesh<D>& mesh);

}  // namespace firn
