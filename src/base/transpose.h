// Rows of lanes become columns: the bridge between one particle per lane and one node per pack.
#pragma once

#include "base/pack.h"

namespace firn {

// Lane j of row i goes to lane i of row j.
template <class T>
FIRN_INLINE void transpose_lanes(Pack<T, 4>& a, Pack<T, 4>& b, Pack<T, 4>& c, Pack<T, 4>& d) {
  const auto ab0 = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6);
  const auto ab1 = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
  const auto cd0 = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6);
  const auto cd1 = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
  a.v = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  b.v = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  c.v = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  d.v = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

}  // namespace firn
