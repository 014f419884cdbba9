// One particle in the loop that finds stress (sph/stress_solve.h).
#pragma once

#include "sph/sph_view.h"

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

template <class T, int D>
FIRN_INLINE void start_limit_of(const SphView<T, D>& all, std::size_t i) {
  SymMat<T, D> stress = stress_at<T, D>(all.stress, i);
  all.limit[i] = all.law(i).limit(pressure_and_deviator(stress));
}

// Of a particle's stress and its neighbours', each a lane.
template <class S, class T, int D>
FIRN_INLINE SymMat<S, D> sum_with(const SymMat<T, D>& own, const Four<T>* stress,
                                  const std::uint32_t* number) {
  S lanes[4];
  SymMat<S, D> both;
  for (int four = 0; four < kStressFours<D>; ++four) {
    load_lanes(stress + four, number, kStressFours<D>, lanes);
    for (int k = 4 * four; k < both.kSize && k < 4 * four + 4; ++k)
      both.e[k] = lanes[k - 4 * four] + S(own.e[k]);
  }
  return both;
}

// The velocity that `stress` of all particles leads to; and what walls give.
template <class Pairs, class T, int D>
FIRN_INLINE void find_velocity_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                  const Pairs& pairs, const Four<T>* stress, std::size_t i,
                                  bool with_loads) {
  using S = typename Pairs::S;
  const SymMat<T, D> own = stress_at<T, D>(stress, i);
  S force[D];
  for (int a = 0; a < D; ++a) force[a] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) {
    const SymMat<S, D> both = sum_with<S>(own, stress, pair.number);
    for (int a = 0; a < D; ++a) {
      S along = both(a, 0) * pair.way[0];
      for (int b = 1; b < D; ++b) along = along + both(a, b) * pair.way[b];
      force[a] = force[a] + pair.pull * along;
    }
  });
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = pairs.sum(force[a]);
  if (!pairs.leads()) return;
  const T lightness = ctx.dt * ctx.inverse_h / all.velocity[i][3];
  for (int a = 0; a < D; ++a) v[a] = all.free[i][a] + lightness * v[a];
  const WallRange walls = all.walls[i];
  if (walls.count > 0)
    v = meet_walls<T, D>(all.contacts + walls.first, static_cast<int>(walls.count), v,
                         trace(own) * T(-1.0 / D), lightness, ctx.dt,
                         with_loads ? all.given + walls.first : nullptr);
  for (int a = 0; a < D; ++a) all.velocity[i][a] = v[a];
}

// The symmetric part of the gradient of the velocity, 1/s.
template <class Pairs, class T, int D>
FIRN_INLINE SymMat<T, D> strain_rate_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                        const Pairs& pairs, std::size_t i) {
  using S = typename Pairs::S;
  const Four<T>* velocity = all.velocity;
  const Four<T> own = velocity[i];
  SymMat<S, D> sum = SymMat<S, D>::isotropic(S(0));
  for (int k = D; k < sum.kSize; ++k) sum.e[k] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) {
    S there[4], change[D];
    load_lanes(velocity, pair.number, 1, there);
    for (int a = 0; a < D; ++a) change[a] = (there[a] - S(own[a])) * pair.pull;
    for (int a = 0; a < D; ++a) {
      sum(a, a) = sum(a, a) + change[a] * pair.way[a];
      for (int b = a + 1; b < D; ++b)
        sum(a, b) = sum(a, b) + change[a] * pair.way[b] + change[b] * pair.way[a];
    }
  });
  SymMat<T, D> rate;
  for (int k = 0; k < rate.kSize; ++k)
    rate.e[k] = pairs.sum(sum.e[k]) * ctx.inverse_h * (k < D ? T(1) : T(0.5));
  return rate;
}

// How fast walls come nearer, as compression, 1/s.
template <class T, int D>
FIRN_INLINE T compression_by_walls(const SphContext<T>& ctx, const SphView<T, D>& all,
                                   std::size_t i) {
  const WallRange walls = all.walls[i];
  T sum = 0;
  for (std::uint32_t k = 0; k < walls.count; ++k) {
    const WallContact<T, D>& wall = all.contacts[walls.first + k];
    Vec<T, D> v;
    for (int a = 0; a < D; ++a) v[a] = all.velocity[i][a] - wall.contact.v_body[a];
    sum -= wall.push * dot(v, wall.contact.normal);
  }
  return sum * ctx.inverse_h;
}

// A limit that followed pressure at once would let the two drive each other round in circles: flow
// is not associated, and no energy falls. What lags a little converges.
inline constexpr double kLimitShare = 0.05;

// Better stress from the rates of velocities; the next iteration looks `ahead` of it.
template <class Pairs, class T, int D>
FIRN_INLINE void improve_stress_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                   const Pairs& pairs, T ahead, std::size_t i, RateSums& sums) {
  using Stress = SymMat<T, D>;
  Stress rate = strain_rate_of(ctx, all, pairs, i);
  if (!pairs.leads()) return;
  const YieldLaw<T>& law = all.law(i);
  Stress looked = stress_at<T, D>(all.leading, i);
  const T compression = -trace(rate) + compression_by_walls(ctx, all, i);
  pressure_and_deviator(rate);
  const T p_looked = pressure_and_deviator(looked);
  const T room = law.room(all.compression[i], ctx.dt);
  const T p = law.pressure(p_looked, compression, room, ctx.relaxation / all.diagonal[i]);

  Stress s;
  const T gain = ctx.relaxation / all.shear_diagonal[i];
  for (int k = 0; k < s.kSize; ++k) s.e[k] = looked.e[k] + gain * rate.e[k];
  T& limit = all.limit[i];
  limit += T(kLimitShare) * (law.limit(p) - limit);
  const T size = norm(s);
  const bool yields = size > limit;
  if (yields)
    for (int k = 0; k < s.kSize; ++k) s.e[k] *= limit / size;

  Stress before = stress_at<T, D>(all.stress, i);
  const T p_before = pressure_and_deviator(before);
  T against = all.diagonal[i] * (p - p_before) * (p_looked - p);
  for (int k = 0; k < s.kSize; ++k)
    against += (k < D ? T(1) : T(2)) * all.shear_diagonal[i] * (s.e[k] - before.e[k]) *
               (looked.e[k] - s.e[k]);
  Stress now = s, next;
  for (int k = 0; k < s.kSize; ++k) {
    T change = s.e[k] - before.e[k];
    if (k < D) {
      now.e[k] -= p;
      change -= p - p_before;
    }
    next.e[k] = now.e[k] + ahead * change;
  }
  set_stress(all.stress, i, now);
  set_stress(all.leading, i, next);

  // What is left: compression beyond the room, or pressure that nothing asks for.
  const T excess = compression - room;
  const T unasked = p_looked > 0 ? min_of(-excess, p_looked * all.diagonal[i]) : T(0);
  sums.compressed += max_of(double(max_of(excess, unasked)), 0.0);
  sums.against += double(against);
  if (limit > 0) ++sums.bearing;
  const double rate2 = square(double(norm(rate)));
  if (yields) ++sums.yielding;
  (yields ? sums.flow2 : sums.strain2) += rate2;
}

// What an iteration leaves, of `count` particles.
struct StressErrors {
  double density;  // mean compression that the step would add
  double strain;   // root mean square of the rate where nothing yields, 1/s
  bool reached;

  FIRN_INLINE StressErrors(const RateSums& sums, double dt, double tolerance, double count) {
    density = sums.compressed * dt / count;
    strain = sums.bearing > 0 ? sqrt_of(sums.strain2 / sums.bearing) : 0;
    // What flows fast does not wait for what hardly strains.
    const double flow = sums.bearing > 0 ? sqrt_of(sums.flow2 / sums.bearing) : 0;
    reached = density <= tolerance && strain <= tolerance * max_of(1.0, flow);
  }
};
inline constexpr int kFewestIterations = 2;

}  // namespace firn
