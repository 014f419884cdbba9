// How dense a particle's surroundings are, and what of its own stress acts on its own rates; of one
// particle, or of several as lanes.
#pragma once

#include "sph/pair_scalar.h"

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
    sum -= wall.push;
  }
  return sum;
}

template <class Kernel, class Pairs, class T, int D>
FIRN_INLINE void measure_density_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                    const Pairs& pairs, std::size_t i, DensitySums& sums) {
  using S = typename Pairs::S;
  S density(0), squares(0), slope[D];
  for (int a = 0; a < D; ++a) slope[a] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) FIRN_INLINE_LAMBDA {
    density = density + pair.volume * Kernel::value(pair.r);
    for (int a = 0; a < D; ++a) {
      slope[a] = slope[a] + pair.slope[a];
      squares = squares + pair.slope[a] * pair.slope[a];
    }
  });
  const S around = pairs.sum(density), own2 = pairs.sum(squares);
  S slopes[D];
  for (int a = 0; a < D; ++a) slopes[a] = pairs.sum(slope[a]);
  if (!pairs.leads()) return;
  S place[4], velocity[4], wall[D];
  pairs.load(all.place, i, 1, place);
  pairs.load(all.velocity, i, 1, velocity);
  const S own = place[3] * S(T(1 / ctx.norm) * Kernel::value(T(0)));
  // Sums over a lattice that is compressed grow less than its density does.
  const S compression =
      (own + around + pairs.load(all.wall_share, i) - S(1)) * S(T(1 / ctx.moment));
  for (int a = 0; a < D; ++a) wall[a] = S(0);
  pairs.each(i, [&](std::size_t particle, int lane) {
    if (all.walls[particle].count == 0) return;
    const Vec<T, D> slope_there = wall_slope(all, particle);
    for (int a = 0; a < D; ++a) set_lane(wall[a], lane, slope_there[a]);
  });
  S inner2(0), whole2(0);
  for (int a = 0; a < D; ++a) {
    inner2 = inner2 + slopes[a] * slopes[a];
    whole2 = whole2 + square(slopes[a] + wall[a]);
  }
  // More neighbours than on a lattice: each acts on more that act back.
  const S over = max_of(compression, S(0)), crowd = S(1) + over;
  const S unit = crowd * S(ctx.dt * ctx.inverse_h * ctx.inverse_h) / velocity[3], least(T(1e-30));
  pairs.store(all.compression, i, compression);
  pairs.store(all.diagonal, i, max_of(unit * (whole2 + own2), least));
  pairs.store(all.shear_diagonal, i, max_of(unit * (inner2 + own2) * S(T(1.0 / D)), least));
  sums.over += pairs.total(i, over);
  sums.most = max_of(sums.most, pairs.most(i, over));
}

}  // namespace firn
