// Shapes as stacks of squares and cubes, each cut into simplices: exact for boxes, stairs
// otherwise.
#pragma once

#include "base/result.h"
#include "geometry/shape.h"
#include "geometry/simplex_mesh.h"

namespace firn {

// The shape's own box is cut into round(extent / edge) cubes along each of its axes, at least one;
// those whose middle is inside the shape remain, all of them for a box. Each becomes five
// tetrahedra, in 2D two triangles, mirrored from cube to cube so that faces match. Points are
// numbered along the lattice, x first; the same mesh for any number of threads. Stairs of other
// shapes may touch themselves along edges.
template <int D>
Result<SimplexMesh<D>> lattice_mesh(const Shape& shape, double edge);

}  // namespace firn
