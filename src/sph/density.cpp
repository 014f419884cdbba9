#include "sph/density.h"

#include <algorithm>

#include "sph/pair_loop.h"

namespace firn {
namespace {

struct DensitySums {
  double over = 0, most = 0;

  void add(const DensitySums& o) {
    over += o.over;
    most = std::max(most, o.most);
  }
};

}  // namespace

template <class T, int D>
DensityReport measure_density(const SphContext<T>& ctx, SmoothingKind kernel,
                              SphState<T, D>& state) {
  const auto& flat = state.flat;
  const DensitySums sums = with_smoothing<D>(kernel, [&](auto chosen) {
    using Kernel = decltype(chosen);
    using S = typename PairLanes<T, D>::S;
    const PairLoop<Kernel, T, D> pairs(flat, state.lists, ctx.norm);
    return sum_over_particles<DensitySums>("density", flat.count, [&](std::size_t i, auto& sum) {
      S density(0), squares(0), slope[D];
      for (int a = 0; a < D; ++a) slope[a] = S(0);
      pairs(i, [&](const PairLanes<T, D>& pair) {
        density = density + pair.volume * Kernel::value(pair.r);
        squares = squares + pair.pull * pair.pull * pair.r * pair.r;
        for (int a = 0; a < D; ++a) slope[a] = slope[a] + pair.pull * pair.way[a];
      });
      const T own = flat.place[i][3] * T(1 / ctx.norm) * Kernel::value(T(0));
      const T compression = own + sum_of_lanes(density) + state.walls.share(i) - T(1);
      const Vec<T, D> wall = state.walls.push(i);
      T inner2 = 0, whole2 = 0;
      for (int a = 0; a < D; ++a) {
        const T s = sum_of_lanes(slope[a]);
        inner2 += s * s;
        whole2 += square(s + wall[a]);
      }
      const T unit = ctx.dt * ctx.inverse_h * ctx.inverse_h / flat.velocity[i][3];
      const T own2 = sum_of_lanes(squares);
      state.compression[i] = compression;
      state.diagonal[i] = max_of(unit * (whole2 + own2), T(1e-30));
      state.shear_diagonal[i] = max_of(unit * (inner2 + own2) * T(1.0 / D), T(1e-30));
      sum.over += max_of(double(compression), 0.0);
      sum.most = max_of(sum.most, double(compression));
    });
  });
  return {flat.count > 0 ? sums.over / double(flat.count) : 0, sums.most};
}

#define FIRN_INSTANTIATE(T, D)                                                      \
  template DensityReport measure_density<T, D>(const SphContext<T>&, SmoothingKind, \
                                               SphState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
