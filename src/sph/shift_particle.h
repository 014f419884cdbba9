// One particle in the loop that finds shifts (sph/shift.h), or several as lanes.
#pragma once

#include "sph/stress_particle.h"

namespace firn {

struct ShiftSums {
  double asked = 0, left = 0, against = 0;

  FIRN_INLINE void add(const ShiftSums& o) {
    asked += o.asked;
    left += o.left;
    against += o.against;
  }
};

// Share of its volume that a particle may grow by in a second. What moves faster changes forces
// between neighbours by more than the next step makes up for; without friction it may. In a heap at
// rest, where the mean is hardly `over` the aim, it grows by as little as that takes.
inline constexpr double kFastestGrowth = 0.5, kFastestWithoutFriction = 20;

template <class S, class T>
FIRN_INLINE S fastest_growth(const YieldLaw<S>& law, T over) {
  const T with_friction = T(kFastestGrowth) * min_of(over - T(0.98), T(1));
  return select(law.slope > S(0), S(with_friction), S(T(kFastestWithoutFriction)));
}
inline constexpr int kMostShiftIterations = 40;

// Share of the compression that a step takes away, down to somewhat below the aim: to take all that
// there is would shake sand at rest.
// `over`: the mean over the aim.
template <class S, class T>
FIRN_INLINE S shift_share(const YieldLaw<S>& law, T over) {
  return S(1) - select(law.slope > S(0), S(T(0.97)), S(T(0.7))) * S(T(1) / over);
}
// Of what is asked for iterations may leave so much.
inline constexpr double kShiftLeft = 0.1;

// Compression by velocities, 1/s. Bodies move but the shift is along them.
template <class Pairs, class T, int D, class S = typename Pairs::S>
FIRN_INLINE S compression_rate_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                  const Pairs& pairs, const Four<T>* velocity, std::size_t i,
                                  bool bodies_move) {
  S own[4], sum(0);
  pairs.load(velocity, i, 1, own);
  pairs(i, [&](const typename Pairs::Pair& pair) FIRN_INLINE_LAMBDA {
    S there[4];
    load_lanes(velocity, pair.number, 1, there);
    for (int a = 0; a < D; ++a) sum = sum + (own[a] - there[a]) * pair.slope[a];
  });
  sum = pairs.sum(sum);
  return sum * S(ctx.inverse_h) + compression_by_walls(ctx, all, pairs, velocity, i, bodies_move);
}

// Compression after the step, in place of that before it; the last shift's pressure to begin with.
template <class Pairs, class T, int D>
FIRN_INLINE void predict_density_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                    const Pairs& pairs, std::size_t i, ShiftSums& sums) {
  using S = typename Pairs::S;
  const S rate = compression_rate_of(ctx, all, pairs, all.velocity, i, true);
  if (!pairs.leads()) return;
  const S now = pairs.load(all.compression, i) + S(ctx.dt) * rate, none(0);
  const S still[4] = {none, none, none, none};
  pairs.store(all.compression, i, now);
  pairs.store(all.leading_pressure, i, pairs.load(all.pressure, i));
  pairs.store(all.shift, i, 1, still);
  sums.left += pairs.total(i, max_of(now, none));
}

// Walls push by pressure, and let nothing come nearer than the step leaves room for.
template <class T, int D>
FIRN_INLINE Vec<T, D> shift_at_walls(const SphContext<T>& ctx, const SphView<T, D>& all,
                                     std::size_t i, T push, Vec<T, D> v) {
  const WallContact<T, D>* walls = all.contacts + all.walls[i].first;
  const int count = static_cast<int>(all.walls[i].count);
  for (int k = 0; k < count; ++k) v += walls[k].push * push;
  for (int k = 0; k < count; ++k) {
    const Contact<T, D>& c = walls[k].contact;
    T gap = c.phi / ctx.dt;  // m/s that are left after the step
    for (int a = 0; a < D; ++a) gap += (all.velocity[i][a] - c.v_body[a]) * c.normal[a];
    const T into = -dot(v, c.normal) - max_of(gap, T(0));
    if (into > 0) v += c.normal * into;
  }
  return v;
}

template <class Pairs, class T, int D>
FIRN_INLINE void find_shift_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                               const Pairs& pairs, std::size_t i) {
  using S = typename Pairs::S;
  const T* leading = all.leading_pressure;
  const S own = pairs.load(leading, i);
  S force[D];
  for (int a = 0; a < D; ++a) force[a] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) FIRN_INLINE_LAMBDA {
    const S both = gathered(leading, pair.number, S()) + own;
    for (int a = 0; a < D; ++a) force[a] = force[a] - both * pair.slope[a];
  });
  for (int a = 0; a < D; ++a) force[a] = pairs.sum(force[a]);
  if (!pairs.leads()) return;
  S velocity[4], v[4] = {S(0), S(0), S(0), S(0)};
  pairs.load(all.velocity, i, 1, velocity);
  const S lightness = S(ctx.dt * ctx.inverse_h) / velocity[3], push = own * lightness;
  for (int a = 0; a < D; ++a) v[a] = force[a] * lightness;
  pairs.each(i, [&](std::size_t particle, int lane) {
    if (all.walls[particle].count == 0) return;
    Vec<T, D> met;
    for (int a = 0; a < D; ++a) met[a] = lane_of(v[a], lane);
    met = shift_at_walls(ctx, all, particle, lane_of(push, lane), met);
    for (int a = 0; a < D; ++a) set_lane(v[a], lane, met[a]);
  });
  pairs.store(all.shift, i, 1, v);
}

template <class Pairs, class T, int D>
FIRN_INLINE void improve_shift_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                  const Pairs& pairs, T over, T ahead, std::size_t i,
                                  ShiftSums& sums) {
  using S = typename Pairs::S;
  const S rate = compression_rate_of(ctx, all, pairs, all.shift, i, false);
  if (!pairs.leads()) return;
  const S none(0), diagonal = pairs.load(all.diagonal, i);
  const S compression = pairs.load(all.compression, i);
  const YieldLaw<S> law = pairs.law(all, i);
  const S share = shift_share(law, over);
  const S wanted =
      min_of(min_of(compression, compression * share) / S(ctx.dt), fastest_growth(law, over));
  const S excess = wanted + rate;
  const S looked = pairs.load(all.leading_pressure, i), before = pairs.load(all.pressure, i);
  // No deviator: waves feel pressure alone, and bear D times the step.
  const S now = max_of(looked + S(T(D) * ctx.relaxation) * excess / diagonal, none);
  pairs.store(all.pressure, i, now);
  pairs.store(all.leading_pressure, i, now + S(ahead) * (now - before));
  sums.asked += pairs.total(i, max_of(wanted * S(ctx.dt), none));
  const S unasked = select(looked > none, min_of(-excess, looked * diagonal), none);
  sums.left += pairs.total(i, max_of(max_of(excess, unasked), none) * S(ctx.dt));
  sums.against += pairs.total(i, diagonal * (now - before) * (looked - now));
}

}  // namespace firn
