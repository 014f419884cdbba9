// What kernels see of each species: its sets and nodes, over blocks and obstacles that all share.
#pragma once

#include <vector>

#include "mpm_cuda/view.h"

namespace firn {

template <class T, int D>
struct SpeciesViews {
  View<T, D> all;              // has the sets of all species, and of the nodes none but the first's
  std::vector<View<T, D>> of;  // each species; where there is one, the same as `all`

  int count() const { return static_cast<int>(of.size()); }
};

}  // namespace firn
