// The triangles of marching cubes, made from one rule instead of written down: on each face of the
// cell every run of corners that are inside is cut off by its own line. Two cells that share a face
// agree on it, so that surfaces have no cracks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace firn {

// Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4 a + n runs along axis a from
// the n-th corner of those that lie low on it.
struct CellEdge {
  int axis;
  int corner;  // the lower end
};
CellEdge cell_edge(int edge);

// For each set of corners inside (bit c for corner c): triples of edges, counter-clockwise seen
// from outside. No side of a triangle joins two points of a face but the lines that cut it.
using CellTriangles = std::vector<std::array<std::uint8_t, 3>>;
const std::array<CellTriangles, 256>& cell_triangles();

}  // namespace firn
