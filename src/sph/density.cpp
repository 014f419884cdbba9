#include "sph/density.h"

#include "sph/density_particle.h"
#include "sph/pair_loop.h"

namespace firn {

template <class T, int D>
DensityReport measure_density(const SphContext<T>& ctx, SmoothingKind kernel,
                              SphState<T, D>& state) {
  const SphView<T, D> all = state.view();
  const DensitySums sums = with_smoothing<D>(kernel, [&](auto chosen) {
    using Kernel = decltype(chosen);
    const PairLoop<Kernel, T, D> pairs(state, ctx);
    return sum_over_particles<DensitySums>(
        "density", all.count, pairs.kWidth, [&](std::size_t i, DensitySums& of_piece) {
          measure_density_of<Kernel>(ctx, all, pairs, i, of_piece);
        });
  });
  return {all.count > 0 ? sums.over / double(all.count) : 0, sums.most};
}

#define FIRN_INSTANTIATE(T, D)                                                      \
  template DensityReport measure_density<T, D>(const SphContext<T>&, SmoothingKind, \
                                               SphState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
