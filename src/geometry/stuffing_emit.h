// The simplices that remain of a lattice when its vertices have signs: published stencils, and the
// rules by which faces that two simplices share are cut alike.
#pragma once

#include "geometry/simplex_mesh.h"
#include "geometry/stuffing_grid.h"

namespace firn::stuffing {

// Points in the coordinates of the grid's source. False where the distance was steeper than
// promised, so that the mesh has holes.
template <class L>
bool emit_mesh(Grid<L>& grid, SimplexMesh<L::kDim>& mesh);

}  // namespace firn::stuffing
