// Keeping particles sorted by block.
#pragma once

#include "particles/particles.h"

namespace firn {

// First sort: world positions (metres) of every set's particles become a topology, ranges and
// block-relative positions. Fails when a position lies outside the addressable space.
template <class T, int D>
bool sort_from_world(Particles<T, D>& all, const std::vector<std::vector<Vec3d>>& world);

// Block and place in it, in cells, of a world position; false outside of the addressable space.
template <class T, int D>
bool place_in_block(const Particles<T, D>& all, const Vec3d& x, std::uint64_t& key,
                    Vec<T, D>& place);

// Later sorts: particles that drifted into a neighbouring block move there. Stable and independent
// of threads: a block's new range is the concatenation of what its 3^D sources send, in order.
template <class T, int D>
void sort_after_drift(Particles<T, D>& all);

// The same for particles that may have come farther than the next block; false where one left the
// addressable space.
template <class T, int D>
bool sort_after_flight(Particles<T, D>& all);

}  // namespace firn
