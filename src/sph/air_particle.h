// What air does to the velocity that stress starts from, of one particle.
#pragma once

#include "sph/air_drag.h"
#include "sph/density_particle.h"

namespace firn {

// What others and walls leave of the drag of air that comes along `direction`.
template <class Pairs, class T, int D>
FIRN_INLINE T share_past_others(const SphContext<T>& ctx, const SphView<T, D>& all,
                                const Pairs& pairs, T cone_cosine, std::size_t i,
                                const Vec<T, D>& direction) {
  using S = typename Pairs::S;
  S most(T(-1));
  pairs(i, [&](const typename Pairs::Pair& pair) {
    S along = pair.way[0] * S(direction[0]);
    for (int a = 1; a < D; ++a) along = along + pair.way[a] * S(direction[a]);
    most = max_of(most, select(pair.r < S(T(1)), along / pair.r, S(T(-1))));
  });
  T share = share_beside(pairs.largest(most), cone_cosine);
  const WallRange walls = all.walls[i];
  for (std::uint32_t k = walls.first; k < walls.first + walls.count; ++k)
    share *= share_before_wall(dot(direction, all.contacts[k].contact.normal),
                               all.contacts[k].contact.phi * ctx.inverse_h);
  return share;
}

// `drag`: of a free grain, 1/m.
template <class Pairs, class T, int D>
FIRN_INLINE void blow_on(const SphContext<T>& ctx, const SphView<T, D>& all, const Pairs& pairs,
                         T drag, T cone_cosine, std::size_t i, const Vec<T, D>& wind) {
  using S = typename Pairs::S;
  const T open = share_in_air(-all.compression[i] * T(ctx.moment));
  if (!(open > 0)) return;
  S slope[D];
  for (int a = 0; a < D; ++a) slope[a] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) {
    for (int a = 0; a < D; ++a) slope[a] = slope[a] + pair.slope[a];
  });
  // Of the share of room that particles and walls fill.
  Vec<T, D> gradient = wall_slope(all, i) * T(0.5);
  for (int a = 0; a < D; ++a) gradient[a] += pairs.sum(slope[a]);
  gradient *= T(ctx.moment);
  Vec<T, D> passing = wind_along_surface(wind, gradient);
  for (int a = 0; a < D; ++a) passing[a] -= all.free[i][a];
  const T speed = sqrt_of(dot(passing, passing));
  if (!(speed > 0)) return;
  const T share = open * share_past_others(ctx, all, pairs, cone_cosine, i, passing / speed);
  if (!pairs.leads()) return;
  const T left = left_of_speed(speed, share * drag, ctx.dt);
  for (int a = 0; a < D; ++a) all.free[i][a] += passing[a] * (T(1) - left);
}

}  // namespace firn
