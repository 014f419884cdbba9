#include "sph/stress_solve.h"

#include <algorithm>

#include "sph/momentum_steps.h"
#include "sph/pair_loop.h"
#include "sph/stress_particle.h"

namespace firn {

template <class T, int D>
StressReport solve_stress(const SphContext<T>& ctx, SphState<T, D>& state,
                          const std::function<bool()>& cancelled) {
  constexpr int kBetweenLooks = 32;
  StressReport report;
  const SphView<T, D> all = state.view();
  const auto for_all = [&](const char* name, std::size_t stride, auto&& f) {
    sum_over_particles<NoSums>(name, all.count, stride, [&](std::size_t i, NoSums&) { f(i); });
  };
  const SlopeLoop<T, D> pairs(state, ctx);
  for_all("limits", pairs.kWidth, [&](std::size_t i) { start_limit_of(all, pairs, i); });
  const auto find_velocities = [&](const Four<T>* stress, bool with_loads) {
    for_all("velocity of stress", pairs.kWidth,
            [&](std::size_t i) { find_velocity_of(ctx, all, pairs, stress, i, with_loads); });
  };
  MomentumSteps momentum;
  double against = 0;
  const double count = std::max<double>(1, double(all.count));
  for (;;) {
    find_velocities(all.leading, false);
    const T ahead = T(momentum.next(against));
    const RateSums sums = sum_over_particles<RateSums>(
        "rates and stress", all.count, pairs.kWidth, [&](std::size_t i, RateSums& of_piece) {
          improve_stress_of(ctx, all, pairs, ahead, i, of_piece);
        });
    against = sums.against;
    ++report.iterations;
    const StressErrors left(sums, ctx, count);
    report.strain_rate = left.strain;
    report.yielding = static_cast<std::size_t>(sums.yielding);
    report.reached = left.reached;
    if (report.iterations >= ctx.fewest_iterations() && report.reached) break;
    if (report.iterations >= ctx.max_iterations) break;
    if (report.iterations % kBetweenLooks == 0 && cancelled && cancelled()) {
      report.cancelled = true;
      break;
    }
  }
  find_velocities(all.stress, true);
  return report;
}

#define FIRN_INSTANTIATE(T, D)                                                    \
  template StressReport solve_stress<T, D>(const SphContext<T>&, SphState<T, D>&, \
                                           const std::function<bool()>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
