// Nodes of quadratic elements: the corners of a mesh of simplices and the middles of its edges.
#pragma once

#include "geometry/simplex_mesh.h"

namespace firn {

// 6-node triangles, 10-node tetrahedra. A cell lists its corners as the mesh does, then the nodes
// of its edges in the order of SimplexEdges.
template <int D>
struct SimplexNodes {
  static constexpr int kPerCell = D + 1 + SimplexEdges<D>::kCount;

  std::vector<Vec<double, D>> points;  // those of the mesh, then one a pair of corners
  std::vector<std::array<std::uint32_t, kPerCell>> cells;
  std::vector<std::array<std::uint32_t, 2>> ends;  // of each mid-edge node, the lesser first
};

// Edges are numbered in the order in which cells first name them. The mesh must have no problems.
template <int D>
SimplexNodes<D> quadratic_nodes(const SimplexMesh<D>& mesh);

}  // namespace firn
