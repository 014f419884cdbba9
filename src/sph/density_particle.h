// How dense a particle's surroundings are, and what of its own stress acts on its own rates.
#pragma once

#include "sph/sph_view.h"

namespace firn {

struct DensitySums {
  double over = 0, most = 0;

  FIRN_INLINE void add(const DensitySums& o) {
    over += o.over;
    most = max_of(most, o.most);
  }
};

// Gradient of the share of walls times 2, 1/cells.
template <class T, int D>
FIRN_INLINE Vec<T, D> wall_slope(const SphView<T, D>& all, std::size_t i) {
  const WallRange walls = all.walls[i];
  Vec<T, D> sum = Vec<T, D>::zero();
  for (std::uint32_t k = 0; k < walls.count; ++k) {
    const WallContact<T, D>& wall = all.contacts[walls.first + k];
    sum += wall.contact.normal * -wall.push;
  }
  return sum;
}

template <class Kernel, class Pairs, class T, int D>
FIRN_INLINE void measure_density_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                    const Pairs& pairs, std::size_t i, DensitySums& sums) {
  using S = typename Pairs::S;
  S density(0), squares(0), slope[D];
  for (int a = 0; a < D; ++a) slope[a] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) {
    density = density + pair.volume * Kernel::value(pair.r);
    squares = squares + pair.pull * pair.pull * pair.r * pair.r;
    for (int a = 0; a < D; ++a) slope[a] = slope[a] + pair.pull * pair.way[a];
  });
  const T around = pairs.sum(density), own2 = pairs.sum(squares);
  T slopes[D];
  for (int a = 0; a < D; ++a) slopes[a] = pairs.sum(slope[a]);
  if (!pairs.leads()) return;
  const T own = all.place[i][3] * T(1 / ctx.norm) * Kernel::value(T(0));
  // Sums over a lattice that is compressed grow less than its density does.
  const T compression = (own + around + all.wall_share[i] - T(1)) * T(1 / ctx.moment);
  const Vec<T, D> wall = wall_slope(all, i);
  T inner2 = 0, whole2 = 0;
  for (int a = 0; a < D; ++a) {
    inner2 += slopes[a] * slopes[a];
    whole2 += square(slopes[a] + wall[a]);
  }
  const T unit = ctx.dt * ctx.inverse_h * ctx.inverse_h / all.velocity[i][3];
  all.compression[i] = compression;
  all.diagonal[i] = max_of(unit * (whole2 + own2), T(1e-30));
  all.shear_diagonal[i] = max_of(unit * (inner2 + own2) * T(1.0 / D), T(1e-30));
  sums.over += max_of(double(compression), 0.0);
  sums.most = max_of(sums.most, double(compression));
}

}  // namespace firn
