// The loop that finds shifts, host and device; `loop` runs over all particles, `for_all` and `sum`.
#pragma once

#include "sph/momentum_steps.h"
#include "sph/shift_particle.h"

namespace firn {

// Returns its iterations. `count`: of particles.
template <class Loop, class Pairs, class T, int D>
FIRN_INLINE int run_shift_loop(const Loop& loop, const SphContext<T>& ctx, const SphView<T, D>& all,
                               const Pairs& pairs, double count) {
  const ShiftSums found = loop.template sum<ShiftSums>([&](std::size_t i, ShiftSums& of_piece) {
    predict_density_of(ctx, all, pairs, i, of_piece);
  });
  if (found.left / count <= ctx.aim()) {
    loop.for_all([&](std::size_t i) {
      if (pairs.leads()) pairs.store(all.pressure, i, typename Pairs::S(0));
    });
    return 0;
  }
  const T over = T(found.left / count / ctx.aim());
  MomentumSteps momentum;
  double against = 0;
  int iterations = 0;
  while (iterations < kMostShiftIterations) {
    loop.for_all([&](std::size_t i) { find_shift_of(ctx, all, pairs, i); });
    const T ahead = T(momentum.next(against));
    const ShiftSums left = loop.template sum<ShiftSums>([&](std::size_t i, ShiftSums& of_piece) {
      improve_shift_of(ctx, all, pairs, over, ahead, i, of_piece);
    });
    against = left.against;
    ++iterations;
    if (left.left <= kShiftLeft * left.asked) break;
  }
  return iterations;
}

}  // namespace firn
