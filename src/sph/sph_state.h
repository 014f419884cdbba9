// What the stages of a step work on.
#pragma once

#include "particles/particles.h"
#include "sph/flat_particles.h"
#include "sph/neighbors.h"
#include "sph/sph_settings.h"
#include "sph/walls.h"
#include "sph/yield_law.h"

namespace firn {

template <class T, int D>
struct SphState {
  Particles<T, D> all;
  FlatParticles<T, D> flat;
  NeighborLists<T, D> lists;
  Walls<T, D> walls;
  std::vector<YieldLaw<T>> laws;  // by set

  Buffer<Four<T>> free;      // velocity without stress, m/s
  Buffer<T> compression;     // density over that at rest, less 1
  Buffer<T> diagonal;        // of pressure and compression, s^-1 Pa^-1
  Buffer<T> shear_diagonal;  // of deviator and strain rate
  Buffer<T> limit;           // of the norm of the deviator, Pa
  Buffer<T> pressure;        // of the shift; and where its next iteration looks
  Buffer<T> leading_pressure;
  Buffer<Four<T>> shift;  // velocity that only positions get, m/s

  void resize();
  // Of particles that neighbours and walls have been found for.
  SphView<T, D> view() {
    SphView<T, D> v{};
    v.count = flat.count;
    v.place = flat.place.data();
    v.velocity = flat.velocity.data();
    v.stress = flat.stress.data();
    v.leading = flat.leading.data();
    v.free = free.data();
    v.shift = shift.data();
    v.compression = compression.data();
    v.diagonal = diagonal.data();
    v.shear_diagonal = shear_diagonal.data();
    v.limit = limit.data();
    v.pressure = pressure.data();
    v.leading_pressure = leading_pressure.data();
    v.set = flat.set.data();
    v.laws = laws.data();
    walls.show(v);
    return v;
  }
  std::size_t bytes() const;
};

// Work on pieces of fixed size, the sums of which are added in their order: bytes do not depend on
// threads. f(i, sums) for each `stride`th particle.
template <class Sums, class F>
Sums sum_over_particles(const char* name, std::size_t count, std::size_t stride, F&& f) {
  constexpr std::size_t kPiece = 256;
  const std::size_t pieces = (count + kPiece - 1) / kPiece;
  std::vector<Sums> partial(pieces);
  parallel_for(name, static_cast<std::int64_t>(pieces), 1,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t piece = begin; piece < end; ++piece) {
                   Sums sums;
                   const std::size_t last = std::min(count, (std::size_t(piece) + 1) * kPiece);
                   for (std::size_t i = piece * kPiece; i < last; i += stride) f(i, sums);
                   partial[piece] = sums;
                 }
               });
  Sums total;
  for (const Sums& sums : partial) total.add(sums);
  return total;
}
struct NoSums {
  void add(const NoSums&) {}
};

}  // namespace firn
