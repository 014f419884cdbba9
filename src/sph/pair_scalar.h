// One particle and one of its neighbours at a time, as device code takes them; the functions of
// several (sph/pair_lanes.h) for one.
#pragma once

#include <cstdint>

#include "sph/sph_view.h"

namespace firn {

template <class T, int D>
struct ScalarPair {
  std::uint32_t number[1];
  T way[D], r, volume;
  T slope[D];  // gradient of the kernel times the volume
};

template <class T>
FIRN_INLINE void load_lanes(const Four<T>* from, const std::uint32_t* number, int stride,
                            T (&to)[4]) {
  const Four<T> loaded = from[std::size_t(*number) * stride];
  for (int k = 0; k < 4; ++k) to[k] = loaded[k];
}
template <class T>
FIRN_INLINE T gathered(const T* from, const std::uint32_t* number, T) {
  return from[*number];
}
FIRN_INLINE void set_lane(float& x, int, float value) {
  x = value;
}
FIRN_INLINE void set_lane(double& x, int, double value) {
  x = value;
}
FIRN_INLINE float lane_of(float x, int) {
  return x;
}
FIRN_INLINE double lane_of(double x, int) {
  return x;
}

// ParticleLanes of one particle.
template <class T>
struct OneParticle {
  using S = T;

  FIRN_INLINE T load(const T* from, std::size_t i) const { return from[i]; }
  FIRN_INLINE void store(T* to, std::size_t i, T x) const { to[i] = x; }
  FIRN_INLINE void load(const Four<T>* from, std::size_t i, int stride, T (&to)[4]) const {
    const Four<T> loaded = from[i * stride];
    for (int k = 0; k < 4; ++k) to[k] = loaded[k];
  }
  FIRN_INLINE void store(Four<T>* to, std::size_t i, int stride, const T (&from)[4]) const {
    to[i * stride] = {{from[0], from[1], from[2], from[3]}};
  }
  template <class F>
  FIRN_INLINE void each(std::size_t i, F&& f) const {
    f(i, 0);
  }
  FIRN_INLINE double total(std::size_t, T x) const { return double(x); }
  FIRN_INLINE double most(std::size_t, T x) const { return double(x); }
  template <int D>
  FIRN_INLINE const YieldLaw<T>& law(const SphView<T, D>& all, std::size_t i) const {
    return all.law(i);
  }
};

}  // namespace firn
