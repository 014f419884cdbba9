#include "sph/jitter.h"

#include "sph/jitter_particle.h"
#include "sph/pair_loop.h"
#include "sph/stress_particle.h"

namespace firn {

template <class T, int D>
void damp_jitter(const SphContext<T>& ctx, SmoothingKind kernel, SphState<T, D>& state) {
  const SphView<T, D> all = state.view();
  with_smoothing<D>(kernel, [&](auto chosen) {
    const PairLoop<decltype(chosen), T, D> pairs(state, ctx);
    const auto for_all = [&](const char* name, auto&& f) {
      sum_over_particles<NoSums>(name, all.count, pairs.kWidth,
                                 [&](std::size_t i, NoSums&) { f(i); });
    };
    for_all("velocity of stress",
            [&](std::size_t i) { find_velocity_of(ctx, all, pairs, all.stress, i, false); });
    for_all("fit gradients", [&](std::size_t i) { fit_gradient_of(ctx, all, pairs, i); });
    for_all("damp jitter", [&](std::size_t i) { damp_jitter_of(ctx, all, pairs, i); });
    for_all("look at stress", [&](std::size_t i) {
      store_stress(pairs, all.leading, i, load_stress<D>(pairs, all.stress, i));
    });
  });
}

#define FIRN_INSTANTIATE(T, D) \
  template void damp_jitter<T, D>(const SphContext<T>&, SmoothingKind, SphState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
