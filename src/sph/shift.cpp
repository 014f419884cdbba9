#include "sph/shift.h"

#include <algorithm>

#include "sph/momentum_steps.h"
#include "sph/pair_loop.h"
#include "sph/shift_particle.h"

namespace firn {

template <class T, int D>
int find_shift(const SphContext<T>& ctx, SmoothingKind kernel, SphState<T, D>& state) {
  const SphView<T, D> all = state.view();
  const double count = std::max<double>(1, double(all.count));
  for (std::size_t i = 0; i <= all.count; ++i) all.shift[i] = {};
  all.leading_pressure[all.count] = T(0);
  return with_smoothing<D>(kernel, [&](auto chosen) {
    const PairLoop<decltype(chosen), T, D> pairs(state.flat, state.lists, ctx);
    const auto sum = [&](const char* name, auto&& f) {
      return sum_over_particles<ShiftSums>(name, all.count, f);
    };
    const ShiftSums found = sum("predict density", [&](std::size_t i, ShiftSums& of_piece) {
      predict_density_of(ctx, all, pairs, i, of_piece);
    });
    if (found.left / count <= ctx.tolerance) return 0;
    MomentumSteps momentum;
    double against = 0;
    int iterations = 0;
    while (iterations < kMostShiftIterations) {
      sum("shift", [&](std::size_t i, ShiftSums&) { find_shift_of(ctx, all, pairs, i); });
      const T ahead = T(momentum.next(against));
      const ShiftSums left = sum("pressure of the shift", [&](std::size_t i, ShiftSums& of_piece) {
        improve_shift_of(ctx, all, pairs, ahead, i, of_piece);
      });
      against = left.against;
      ++iterations;
      if (left.left / count <= ctx.tolerance / 2) break;
    }
    return iterations;
  });
}

#define FIRN_INSTANTIATE(T, D) \
  template int find_shift<T, D>(const SphContext<T>&, SmoothingKind, SphState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
