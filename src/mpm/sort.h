// Keeping particles sorted by block.
#pragma once

#include "mpm/state.h"

namespace firn {

// First sort: world positions (metres) of every set's particles become a topology, ranges and
// block-relative positions. Fails when a position lies outside the addressable space.
template <class T, int D>
bool sort_from_world(MpmState<T, D>& state, const std::vector<std::vector<Vec3d>>& world, double h,
                     double kernel_shift);

// Block and place in it, in cells, of a world position; false outside of the addressable space.
template <class T, int D>
bool place_in_block(const MpmState<T, D>& state, const Vec3d& x, double h, double kernel_shift,
                    std::uint64_t& key, Vec<T, D>& place);

// Later sorts: particles that drifted into a neighbouring block move there. Stable and independent
// of threads: a block's new range is the concatenation of what its 3^D sources send, in order.
template <class T, int D>
void sort_after_drift(MpmState<T, D>& state);

// Shift between a particle's stored position and its world position, in cells.
double kernel_shift(KernelKind kernel);

// World position of particle p of a block, metres; inside the periods of the grid.
template <class T, int D>
Vec3d world_position(const MpmState<T, D>& state, const ParticleSet<T, D>& set, int block,
                     std::size_t p, double h, double shift) {
  Vec3d x{{0, 0, 0}};
  for (int a = 0; a < D; ++a)
    x[a] = state.blocks.wrapped_cells(double(state.blocks.coord(block)[a]) * BlockShape<D>::kEdge +
                                          double(set.position[a][p]) + shift,
                                      a) *
           h;
  return x;
}

}  // namespace firn
