// Rows of lanes become columns: the bridge between one particle per lane and one node per SIMD
// vector.
#pragma once

#include "base/simd.h"

namespace firn {

// Lane j of row i goes to lane i of row j.
template <class T>
FIRN_INLINE void transpose_lanes(Simd<T, 4>& a, Simd<T, 4>& b, Simd<T, 4>& c, Simd<T, 4>& d) {
  if constexpr (kPaired<T, 4>) {
    using H = Simd<T, 2>;
    const auto first = [](H x, H y) { return H(__builtin_shufflevector(x.v, y.v, 0, 2)); };
    const auto second = [](H x, H y) { return H(__builtin_shufflevector(x.v, y.v, 1, 3)); };
    const Simd<T, 4> rows[4] = {a, b, c, d};
    a = {first(rows[0].lo, rows[1].lo), first(rows[2].lo, rows[3].lo)};
    b = {second(rows[0].lo, rows[1].lo), second(rows[2].lo, rows[3].lo)};
    c = {first(rows[0].hi, rows[1].hi), first(rows[2].hi, rows[3].hi)};
    d = {second(rows[0].hi, rows[1].hi), second(rows[2].hi, rows[3].hi)};
  } else {
    const auto ab0 = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6);
    const auto ab1 = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
    const auto cd0 = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6);
    const auto cd1 = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
    a.v = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    b.v = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    c.v = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    d.v = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
  }
}

}  // namespace firn
