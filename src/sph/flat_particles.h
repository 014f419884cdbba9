// The particles of all sets in one order, by block and cell, as the sums over neighbours want them.
// Behind the last one stands a particle without volume, far from everything: it fills up lists.
#pragma once

#include "base/mat.h"
#include "particles/particles.h"
#include "sph/sph_view.h"

namespace firn {

// That of the last shift, which the next one begins with, Pa.
inline const ColumnName kShiftPressure("shift_pressure");

template <class T, int D>
struct FlatParticles {
  static constexpr double kFarAway = 1e4;  // cells

  std::size_t count = 0;
  bool even_volume = true;      // all have the same
  Buffer<std::uint32_t> row;    // in its set
  Buffer<std::uint16_t> set;    // of each
  Buffer<std::uint32_t> begin;  // first of each block, and the end
  Buffer<Four<T>> place;        // in its block, cells; volume, cells^D
  Buffer<Four<T>> velocity;     // m/s; density, kg/m^3
  Buffer<Four<T>> stress;       // kStressFours of each: SymMat, Pa
  Buffer<Four<T>> leading;      // the same, where the next iteration looks

  // With room for whole packs of particles behind the last one.
  void resize(std::size_t n);
  // Columns to here, in the order that `row` and `set` say; and back.
  void load(const Particles<T, D>& all);
  void store(Particles<T, D>& all) const;

  std::size_t bytes() const {
    return row.bytes() + set.bytes() + begin.bytes() + place.bytes() + velocity.bytes() +
           stress.bytes() + leading.bytes();
  }
};

}  // namespace firn
