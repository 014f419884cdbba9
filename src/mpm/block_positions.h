// Where the particles of a block are, to be known after they moved.
#pragma once

#include <vector>

#include "mpm/state.h"

namespace firn {

// Component by component, set by set.
template <class T, int D>
void copy_positions(const MpmState<T, D>& state, int block, std::vector<T>& to) {
  to.clear();
  for (const auto& set : state.sets)
    for (int a = 0; a < D; ++a) {
      const T* column = set.particles.position[a];
      to.insert(to.end(), column + set.begin[block], column + set.begin[block + 1]);
    }
}

}  // namespace firn
