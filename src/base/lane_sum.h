// The sum over the lanes of a register, by halves.
#pragma once

#include <utility>

#include "base/simd.h"

namespace firn {

template <class T, int W, int... L>
FIRN_HOST_INLINE Simd<T, W / 2> sum_of_halves(const Simd<T, W>& x,
                                              std::integer_sequence<int, L...>) {
  using Half = Simd<T, W / 2>;
  return Half(__builtin_shufflevector(x.v, x.v, L...)) +
         Half(__builtin_shufflevector(x.v, x.v, (L + W / 2)...));
}
template <class T, int W>
FIRN_HOST_INLINE T sum_of_lanes(const Simd<T, W>& x) {
  if constexpr (W == 2)
    return x[0] + x[1];
  else if constexpr (W == 4)
    return (x[0] + x[1]) + (x[2] + x[3]);
  else if constexpr (requires { x.lo; })
    return sum_of_lanes(x.lo + x.hi);
  else
    return sum_of_lanes(sum_of_halves(x, std::make_integer_sequence<int, W / 2>()));
}

}  // namespace firn
