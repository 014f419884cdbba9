// Moving vertices onto the surface where it passes close by, so that no simplex is cut badly.
#pragma once

#include "geometry/simplex_mesh.h"
#include "geometry/stuffing_grid.h"

namespace firn::stuffing {

// Vertices in their order: one that has a cut within reach is moved to the nearest one and has the
// sign 0 from then on, so that the other cuts of its edges are gone.
template <class L>
void snap_vertices(Grid<L>& grid);

// A moved vertex about which what is inside is no disc (of the sphere of its neighbours) would make
// the surface touch itself there. Such vertices go back to their place, and the cuts of their edges
// are kept out of reach, so that the bounds of the angles hold. Returns how many went back.
template <class L>
std::size_t undo_pinches(Grid<L>& grid);

// Moved vertices of cells with angles beyond what is allowed go back likewise. Where a shape is far
// thinner than the lattice, neighbours may be moved towards each other: about one cell of a million
// in fields of noise, none in bodies with a thickness. Returns how many went back; the mesh must
// then be made anew.
template <class L>
std::size_t undo_bad_angles(Grid<L>& grid, const SimplexMesh<L::kDim>& mesh,
                            const AngleRange& allowed);

}  // namespace firn::stuffing
