// What kernels see of each species: its sets and nodes, over blocks and obstacles that all share.
#pragma once

#include <vector>

#include "mpm_cuda/view.h"

namespace firn {

template <class T, int D>
struct SpeciesViews {
  View<T, D> all;              // has the sets of all species, and of the nodes none but the first's
  std::vector<View<T, D>> of;  // each species; where there is one, the same as `all`
  // The same with the sets of others that share their room.
  std::vector<View<T, D>> room_of;

  int count() const { return static_cast<int>(of.size()); }
  // Whether each species has lists of obstacles of its own.
  bool list_apart() const { return of[0].species >= 0; }
  // All sets, each with the obstacles that stop it.
  template <class Act>
  void with_obstacles(const Act& act) const {
    if (!list_apart()) return act(all);
    for (const View<T, D>& own : of) act(own);
  }
};

}  // namespace firn
