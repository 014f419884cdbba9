// The lattices of isosurface stuffing: where their vertices lie, which are neighbours, which make a
// simplex. Vertices have integer coordinates, "sites"; a cell is what repeats.
#pragma once

#include <array>

#include "base/vec.h"

namespace firn::stuffing {

// The body-centred cubic lattice: corners of cubes have even coordinates, their middles odd ones,
// in halves of the cube's edge. Its tetrahedra are all alike: two long edges (between corners, and
// between middles) opposite each other, and four short ones.
struct BodyCentred {
  static constexpr int kDim = 3;
  static constexpr int kKinds = 2;                        // vertices a cell
  static constexpr int kNeighbors = 14;                   // of a vertex
  static constexpr int kBlockSide = 4;                    // cells
  static constexpr double kCellVolume = 1, kLongest = 1;  // for edge 1
  static constexpr int kSimplices = 12;                   // a cell
  using Site = Vec<int, 3>;

  // Opposite directions are d and d ^ 1; long edges first.
  static constexpr int kSteps[kNeighbors][3] = {
      {2, 0, 0},    {-2, 0, 0}, {0, 2, 0},   {0, -2, 0}, {0, 0, 2},   {0, 0, -2}, {1, 1, 1},
      {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1}};
  static bool is_long(int direction) { return direction < 6; }
  static double length(int direction) { return is_long(direction) ? 1 : 0.86602540378443865; }
  // Vertices nearer to a cut than this part of the edge move onto it (Labelle and Shewchuk 2007,
  // table 1: the thresholds for which all angles are between 10.7 and 164.8 degrees).
  static double reach(int direction) { return is_long(direction) ? 0.24999 : 0.41189; }

  static int kind_of(const Site& site) { return site[0] & 1; }
  static Site cell_of(const Site& site) { return {{site[0] >> 1, site[1] >> 1, site[2] >> 1}}; }
  static Site site_of(const Site& cell, int kind) {
    return {{2 * cell[0] + kind, 2 * cell[1] + kind, 2 * cell[2] + kind}};
  }
  // In edges, from the lattice's origin.
  static Vec3d position(const Site& site) {
    return {{0.5 * site[0], 0.5 * site[1], 0.5 * site[2]}};
  }
  static Vec3d cell_coordinates(const Vec3d& x) { return x; }
};

// Equilateral triangles; a cell is a rhomb, its coordinates are along two of its edges.
struct Triangular {
  static constexpr int kDim = 2;
  static constexpr int kKinds = 1;
  static constexpr int kNeighbors = 6;
  static constexpr int kBlockSide = 8;
  static constexpr double kHeight = 0.86602540378443865;  // of a triangle of edge 1
  static constexpr double kCellVolume = kHeight, kLongest = 1;
  static constexpr int kSimplices = 2;
  using Site = Vec<int, 2>;

  static constexpr int kSteps[kNeighbors][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {-1, 1}, {1, -1}};
  // Where fields of noise come out best, by trial: 17 degrees at least, before the worst are
  // undone.
  static double reach(int) { return 0.42; }
  static double length(int) { return 1; }

  static int kind_of(const Site&) { return 0; }
  static Site cell_of(const Site& site) { return site; }
  static Site site_of(const Site& cell, int) { return cell; }
  static Vec3d position(const Site& site) {
    return {{site[0] + 0.5 * site[1], kHeight * site[1], 0}};
  }
  static Vec3d cell_coordinates(const Vec3d& x) {
    return {{x[0] - 0.5 * x[1] / kHeight, x[1] / kHeight, 0}};
  }
};

// The direction from one vertex to a neighbour.
template <class L>
int direction_between(const typename L::Site& from, const typename L::Site& to) {
  const typename L::Site way = to - from;
  for (int d = 0; d < L::kNeighbors; ++d) {
    bool same = true;
    for (int i = 0; i < L::kDim; ++i) same = same && way[i] == L::kSteps[d][i];
    if (same) return d;
  }
  return -1;
}

template <class L>
typename L::Site neighbor(const typename L::Site& site, int direction) {
  typename L::Site next = site;
  for (int i = 0; i < L::kDim; ++i) next[i] += L::kSteps[direction][i];
  return next;
}

}  // namespace firn::stuffing
