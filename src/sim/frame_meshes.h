// The meshes of a solver as a frame has them: with rows of points in place of ids.
#pragma once

#include <algorithm>

#include "particles/frame.h"
#include "particles/particles.h"

namespace firn {

// Of all particles, in the order in which a snapshot has them.
template <class T, int D>
std::vector<std::uint64_t> sorted_ids(const Particles<T, D>& all) {
  std::vector<std::uint64_t> ids;
  for (const auto& set : all.sets)
    ids.insert(ids.end(), set.particles.id[0], set.particles.id[0] + set.particles.size());
  std::sort(ids.begin(), ids.end());
  return ids;
}

// `ids` ascend, one a row. Cells with a corner that is not there are left out, with their values.
std::vector<FrameMesh> frame_meshes(std::vector<SolverMesh> meshes,
                                    const std::vector<std::uint64_t>& ids);

}  // namespace firn
