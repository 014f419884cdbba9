// Cells between particles as a solver names them: by the ids of their corners, which stay the same
// however particles are sorted.
#pragma once

#include "particles/point_table.h"

namespace firn {

struct SolverMesh {
  std::string name;
  std::vector<std::uint64_t> triangles;   // three ids each, counter-clockwise from outside
  std::vector<std::uint64_t> tetrahedra;  // four ids each; none: the mesh is a surface
  PointTable values;  // one row a tetrahedron, or a triangle where there are none; or no columns
};

}  // namespace firn
