// One particle in the loop that finds stress (sph/stress_solve.h), or several from number i on,
// each a lane: what `Pairs` makes of them.
#pragma once

#include "sph/pair_scalar.h"

namespace firn {

struct RateSums {
  double compressed = 0;  // sum of what the step would compress
  double strain2 = 0;     // of rates of strain where nothing yields
  double flow2 = 0;       // and where it does
  double against = 0;     // MomentumSteps::next
  double bearing = 0, yielding = 0;

  FIRN_INLINE void add(const RateSums& o) {
    compressed += o.compressed;
    strain2 += o.strain2;
    flow2 += o.flow2;
    against += o.against;
    bearing += o.bearing;
    yielding += o.yielding;
  }
};

// Of a particle's stress and a neighbour's.
template <class S, class T, int D>
FIRN_INLINE SymMat<S, D> sum_with(const SymMat<S, D>& own, const Four<T>* stress,
                                  const std::uint32_t* number) {
  S lanes[4];
  SymMat<S, D> both;
  for (int four = 0; four < kStressFours<D>; ++four) {
    load_lanes(stress + four, number, kStressFours<D>, lanes);
    for (int k = 4 * four; k < both.kSize && k < 4 * four + 4; ++k)
      both.e[k] = lanes[k - 4 * four] + own.e[k];
  }
  return both;
}

// Share of the friction around it that a particle bears which has hardly any pressure of its own.
// At a surface pressure is counted in the middle of a particle, and a hole has none: with nothing
// at all rows slip off a face that could stand, and what lies loose in a bed creeps.
inline constexpr double kLooseShare = 0.25;

// The bound that iterations start from, and the least that they end at: in `shift`, which nobody
// needs until they are done. The pressure of the shift gets out of their way.
template <class Pairs, class T, int D>
FIRN_INLINE void start_limit_of(const SphView<T, D>& all, const Pairs& pairs, std::size_t i) {
  using S = typename Pairs::S;
  const S none(0);
  S weights(T(1e-30)), pressures(0);
  pairs(i, [&](const typename Pairs::Pair& pair) FIRN_INLINE_LAMBDA {
    const auto there = sum_with<S>(SymMat<S, D>::isotropic(none), all.stress, pair.number);
    S weight(0);
    for (int a = 0; a < D; ++a) weight = weight + pair.slope[a] * pair.slope[a];
    weights = weights + weight;
    pressures = pressures + weight * max_of(trace(there) * S(T(-1.0 / D)), none);
  });
  weights = pairs.sum(weights);
  pressures = pairs.sum(pressures);
  if (!pairs.leads()) return;
  const YieldLaw<S> law = pairs.law(all, i);
  SymMat<S, D> own = load_stress<D>(pairs, all.stress, i);
  const S least = S(T(kLooseShare)) * law.limit(pressures / weights);
  const S kept[4] = {least, none, none, none};
  pairs.store(all.shift, i, 1, kept);
  S last[4];
  pairs.load(all.stress + kStressFours<D> - 1, i, kStressFours<D>, last);
  pairs.store(all.pressure, i, last[3]);
  pairs.store(all.limit, i, max_of(law.limit(pressure_and_deviator(own)), least));
}

// The velocity that `stress` of all particles leads to; and what walls give.
template <class Pairs, class T, int D>
FIRN_INLINE void find_velocity_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                  const Pairs& pairs, const Four<T>* stress, std::size_t i,
                                  bool with_loads) {
  using S = typename Pairs::S;
  const SymMat<S, D> own = load_stress<D>(pairs, stress, i);
  S force[D];
  for (int a = 0; a < D; ++a) force[a] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) FIRN_INLINE_LAMBDA {
    const SymMat<S, D> both = sum_with<S>(own, stress, pair.number);
    for (int a = 0; a < D; ++a) {
      for (int b = 0; b < D; ++b) force[a] = force[a] + both(a, b) * pair.slope[b];
    }
  });
  for (int a = 0; a < D; ++a) force[a] = pairs.sum(force[a]);
  if (!pairs.leads()) return;
  S v[4], free[4];
  pairs.load(all.velocity, i, 1, v);
  pairs.load(all.free, i, 1, free);
  const S lightness = S(ctx.dt * ctx.inverse_h) / v[3], pressure = trace(own) * S(T(-1.0 / D));
  for (int a = 0; a < D; ++a) v[a] = free[a] + lightness * force[a];
  pairs.each(i, [&](std::size_t particle, int lane) {
    const WallRange walls = all.walls[particle];
    if (walls.count == 0) return;
    Vec<T, D> met;
    for (int a = 0; a < D; ++a) met[a] = lane_of(v[a], lane);
    met = meet_walls<T, D>(all.contacts + walls.first, static_cast<int>(walls.count), met,
                           lane_of(pressure, lane), lane_of(lightness, lane), ctx.dt,
                           with_loads ? all.given + walls.first : nullptr);
    for (int a = 0; a < D; ++a) set_lane(v[a], lane, met[a]);
  });
  pairs.store(all.velocity, i, 1, v);
}

// The symmetric part of the gradient of the velocity, 1/s.
template <class Pairs, class T, int D, class S = typename Pairs::S>
FIRN_INLINE SymMat<S, D> strain_rate_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                        const Pairs& pairs, std::size_t i) {
  const Four<T>* velocity = all.velocity;
  S own[4];
  pairs.load(velocity, i, 1, own);
  SymMat<S, D> sum = SymMat<S, D>::isotropic(S(0));
  pairs(i, [&](const typename Pairs::Pair& pair) FIRN_INLINE_LAMBDA {
    S there[4], change[D];
    load_lanes(velocity, pair.number, 1, there);
    for (int a = 0; a < D; ++a) change[a] = there[a] - own[a];
    for (int a = 0; a < D; ++a) {
      sum(a, a) = sum(a, a) + change[a] * pair.slope[a];
      for (int b = a + 1; b < D; ++b)
        sum(a, b) = sum(a, b) + change[a] * pair.slope[b] + change[b] * pair.slope[a];
    }
  });
  for (int k = 0; k < sum.kSize; ++k)
    sum.e[k] = pairs.sum(sum.e[k]) * S(ctx.inverse_h * (k < D ? T(1) : T(0.5)));
  return sum;
}

// How fast walls come nearer, as compression, 1/s.
template <class Pairs, class T, int D, class S = typename Pairs::S>
FIRN_INLINE S compression_by_walls(const SphContext<T>& ctx, const SphView<T, D>& all,
                                   const Pairs& pairs, const Four<T>* velocity, std::size_t i,
                                   bool bodies_move) {
  S rate(0);
  pairs.each(i, [&](std::size_t particle, int lane) {
    const WallRange walls = all.walls[particle];
    if (walls.count == 0) return;
    T sum = 0;
    for (std::uint32_t k = walls.first; k < walls.first + walls.count; ++k) {
      const WallContact<T, D>& wall = all.contacts[k];
      for (int a = 0; a < D; ++a)
        sum -=
            wall.push[a] * (velocity[particle][a] - (bodies_move ? wall.contact.v_body[a] : T(0)));
    }
    set_lane(rate, lane, sum * ctx.inverse_h);
  });
  return rate;
}

// A limit that followed pressure at once would let the two drive each other round in circles: flow
// is not associated, and no energy falls. What lags a little converges.
inline constexpr double kLimitShare = 0.05;

// How many times what is left of compression counts where no friction holds what it makes: shifts
// take it away, and pressure would follow their jolts.
inline constexpr double kCareWithoutFriction = 10;

// Better stress from the rates of velocities; the next iteration looks `ahead` of it.
template <class Pairs, class T, int D>
FIRN_INLINE void improve_stress_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                   const Pairs& pairs, T ahead, std::size_t i, RateSums& sums) {
  using S = typename Pairs::S;
  using Stress = SymMat<S, D>;
  Stress rate = strain_rate_of(ctx, all, pairs, i);
  if (!pairs.leads()) return;
  const YieldLaw<S> law = pairs.law(all, i);
  const S diagonal = pairs.load(all.diagonal, i),
          shear_diagonal = pairs.load(all.shear_diagonal, i);
  Stress looked = load_stress<D>(pairs, all.leading, i);
  const S compression = compression_by_walls(ctx, all, pairs, all.velocity, i, true) - trace(rate);
  pressure_and_deviator(rate);
  const S p_looked = pressure_and_deviator(looked);
  const S room = law.room(pairs.load(all.compression, i), S(ctx.dt));
  const S p = law.pressure(p_looked, compression, room, S(ctx.relaxation) / diagonal);

  Stress s;
  const S gain = S(ctx.relaxation) / shear_diagonal;
  for (int k = 0; k < s.kSize; ++k) s.e[k] = looked.e[k] + gain * rate.e[k];
  S limit = pairs.load(all.limit, i), least[4];
  pairs.load(all.shift, i, 1, least);
  limit = limit + S(T(kLimitShare)) * (max_of(law.limit(p), least[0]) - limit);
  pairs.store(all.limit, i, limit);
  const S size = norm(s);
  const auto yields = size > limit;
  const S kept = select(yields, limit / size, S(1));
  for (int k = 0; k < s.kSize; ++k) s.e[k] = s.e[k] * kept;

  Stress before = load_stress<D>(pairs, all.stress, i);
  const S p_before = pressure_and_deviator(before);
  S against = diagonal * (p - p_before) * (p_looked - p);
  for (int k = 0; k < s.kSize; ++k)
    against = against +
              S(k < D ? 1 : 2) * shear_diagonal * (s.e[k] - before.e[k]) * (looked.e[k] - s.e[k]);
  Stress now = s, next;
  for (int k = 0; k < s.kSize; ++k) {
    S change = s.e[k] - before.e[k];
    if (k < D) {
      now.e[k] = now.e[k] - p;
      change = change - (p - p_before);
    }
    next.e[k] = now.e[k] + S(ahead) * change;
  }
  store_stress(pairs, all.stress, i, now);
  store_stress(pairs, all.leading, i, next);

  // What is left: compression beyond the room, or pressure that nothing asks for.
  const S none(0), one(1), excess = compression - room;
  const S unasked = select(p_looked > none, min_of(-excess, p_looked * diagonal), none);
  const S rate2 = square(norm(rate));
  const S care = select(law.slope > none, one, S(T(kCareWithoutFriction)));
  sums.compressed += pairs.total(i, care * max_of(max_of(excess, unasked), none));
  sums.against += pairs.total(i, against);
  sums.bearing += pairs.total(i, select(limit > none, one, none));
  sums.yielding += pairs.total(i, select(yields, one, none));
  sums.flow2 += pairs.total(i, select(yields, rate2, none));
  sums.strain2 += pairs.total(i, select(yields, none, rate2));
}

// What an iteration leaves, of `count` particles.
struct StressErrors {
  double density;  // mean compression that the step would add, with care
  double strain;   // root mean square of the rate where nothing yields, 1/s
  bool reached;

  template <class T>
  FIRN_INLINE StressErrors(const RateSums& sums, const SphContext<T>& ctx, double count) {
    density = sums.compressed * double(ctx.dt) / count;
    strain = sums.bearing > 0 ? sqrt_of(sums.strain2 / sums.bearing) : 0;
    // Among those at rest a mean hides the few that move: half the tolerance is aimed at. What
    // flows does not wait for what hardly strains beside it.
    const double flow = sums.bearing > 0 ? sqrt_of(sums.flow2 / sums.bearing) : 0;
    reached = density <= ctx.aim() && strain <= ctx.tolerance * max_of(0.5, flow);
  }
};

}  // namespace firn
