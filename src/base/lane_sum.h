// The sum over the lanes of a register, by halves.
#pragma once

#include "base/simd.h"

namespace firn {

template <class T, int W>
FIRN_HOST_INLINE T sum_of_lanes(const Simd<T, W>& x) {
  if constexpr (W == 2)
    return x[0] + x[1];
  else if constexpr (W == 4)
    return (x[0] + x[1]) + (x[2] + x[3]);
  else if constexpr (requires { x.lo; })
    return sum_of_lanes(x.lo + x.hi);
  else if constexpr (W == 8)
    return sum_of_lanes(Simd<T, 4>(__builtin_shufflevector(x.v, x.v, 0, 1, 2, 3)) +
                        Simd<T, 4>(__builtin_shufflevector(x.v, x.v, 4, 5, 6, 7)));
  else
    return sum_of_lanes(
        Simd<T, 8>(__builtin_shufflevector(x.v, x.v, 0, 1, 2, 3, 4, 5, 6, 7)) +
        Simd<T, 8>(__builtin_shufflevector(x.v, x.v, 8, 9, 10, 11, 12, 13, 14, 15)));
}

}  // namespace firn
