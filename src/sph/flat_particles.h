// The particles of all sets in one order, by block and cell, as the sums over neighbours want them.
// Behind the last one stands a particle without volume, far from everything: it fills up lists.
#pragma once

#include "base/mat.h"
#include "particles/particles.h"
#include "sph/four.h"

namespace firn {

template <class T, int D>
struct FlatParticles {
  static constexpr int kStressFours = D == 3 ? 2 : 1;
  static constexpr double kFarAway = 1e4;  // cells

  std::size_t count = 0;
  Buffer<std::uint32_t> row;    // in its set
  Buffer<std::uint16_t> set;    // of each
  Buffer<std::uint32_t> begin;  // first of each block, and the end
  Buffer<Four<T>> place;        // in its block, cells; volume, cells^D
  Buffer<Four<T>> velocity;     // m/s; density, kg/m^3
  Buffer<Four<T>> stress;       // kStressFours of each: SymMat, Pa
  Buffer<Four<T>> leading;      // the same, where the next iteration looks

  void resize(std::size_t n) {
    count = n;
    row.resize(n);
    set.resize(n);
    place.resize(n + 1);
    velocity.resize(n + 1);
    stress.resize((n + 1) * kStressFours);
    leading.resize((n + 1) * kStressFours);
  }
  // Columns to here, in the order that `row` and `set` say; and back.
  void load(const Particles<T, D>& all);
  void store(Particles<T, D>& all) const;

  std::size_t bytes() const {
    return row.bytes() + set.bytes() + begin.bytes() + place.bytes() + velocity.bytes() +
           stress.bytes() + leading.bytes();
  }
};

template <class T, int D>
FIRN_INLINE SymMat<T, D> stress_at(const Four<T>* fours, std::size_t i) {
  SymMat<T, D> r;
  const T* e = fours[i * FlatParticles<T, D>::kStressFours].e;
  for (int k = 0; k < r.kSize; ++k) r.e[k] = e[k];
  return r;
}
template <class T, int D>
FIRN_INLINE void set_stress(Four<T>* fours, std::size_t i, const SymMat<T, D>& s) {
  T* e = fours[i * FlatParticles<T, D>::kStressFours].e;
  for (int k = 0; k < s.kSize; ++k) e[k] = s.e[k];
}

}  // namespace firn
