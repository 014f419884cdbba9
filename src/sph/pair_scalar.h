// One neighbour of a particle at a time, as device code takes them; the functions of several
// (sph/pair_lanes.h) for one.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sph/four.h"

namespace firn {

template <class T, int D>
struct ScalarPair {
  std::uint32_t number[1];
  T way[D], pull, r, volume;
};

template <class T>
FIRN_INLINE void load_lanes(const Four<T>* from, const std::uint32_t* number, int stride,
                            T (&to)[4]) {
  const Four<T> loaded = from[std::size_t(*number) * stride];
  for (int k = 0; k < 4; ++k) to[k] = loaded[k];
}
// One number of each particle, several of them or one.
template <class S, class T>
FIRN_INLINE S lanes_of(const T* from, const std::uint32_t* number) {
  if constexpr (std::is_same_v<S, T>) {
    return from[*number];
  } else {
    S lanes;
    for (int k = 0; k < S::kWidth; ++k) lanes.set(k, from[number[k]]);
    return lanes;
  }
}

}  // namespace firn
