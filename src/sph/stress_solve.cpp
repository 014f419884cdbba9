#include "sph/stress_solve.h"

#include <algorithm>
#include <cmath>

#include "sph/momentum_steps.h"
#include "sph/pair_loop.h"

namespace firn {
namespace {

struct RateSums {
  double compressed = 0;  // sum of what the step would compress
  double strain2 = 0;     // of rates of strain where nothing yields
  double flow2 = 0;       // and where it does
  double against = 0;     // MomentumSteps::next
  std::size_t bearing = 0, yielding = 0;

  void add(const RateSums& o) {
    compressed += o.compressed;
    strain2 += o.strain2;
    flow2 += o.flow2;
    against += o.against;
    bearing += o.bearing;
    yielding += o.yielding;
  }
};

template <class Kernel, class T, int D>
class StressLoop {
  using S = typename PairLanes<T, D>::S;
  using Stress = SymMat<T, D>;
  using Lanes = SymMat<S, D>;
  static constexpr int kFours = FlatParticles<T, D>::kStressFours;

 public:
  StressLoop(const SphContext<T>& ctx, SphState<T, D>& state)
      : ctx_(ctx), state_(state), pairs_(state.flat, state.lists, ctx.norm) {}

  // Velocities that `stress` of all particles leads to; and what walls give.
  void find_velocities(const Buffer<Four<T>>& stress, bool with_loads = false) {
    sum_over_particles<NoSums>(
        "velocity of stress", state_.flat.count,
        [&](std::size_t i, NoSums&) { find_velocity(stress.data(), i, with_loads); });
  }
  // Better stress from the rates of these velocities; the next iteration looks `ahead` of it.
  RateSums improve(double ahead) {
    return sum_over_particles<RateSums>(
        "rates and stress", state_.flat.count,
        [&](std::size_t i, RateSums& sums) { improve_one(T(ahead), i, sums); });
  }

 private:
  void find_velocity(const Four<T>* stress, std::size_t i, bool with_loads) {
    auto& flat = state_.flat;
    const Stress own = stress_at<T, D>(stress, i);
    S force[D];
    for (int a = 0; a < D; ++a) force[a] = S(0);
    pairs_(i, [&](const PairLanes<T, D>& pair) {
      const Lanes both = sum_with(own, stress, pair.number);
      for (int a = 0; a < D; ++a) {
        S along = both(a, 0) * pair.way[0];
        for (int b = 1; b < D; ++b) along = along + both(a, b) * pair.way[b];
        force[a] = force[a] + pair.pull * along;
      }
    });
    const T lightness = ctx_.dt * ctx_.inverse_h / flat.velocity[i][3];
    Vec<T, D> v;
    for (int a = 0; a < D; ++a) v[a] = state_.free[i][a] + lightness * sum_of_lanes(force[a]);
    const int walls = state_.walls.count(i);
    if (walls > 0)
      v = meet_walls<T, D>(state_.walls.of(i), walls, v, trace(own) * T(-1.0 / D), lightness,
                           ctx_.dt, with_loads ? state_.walls.given(i) : nullptr);
    for (int a = 0; a < D; ++a) flat.velocity[i][a] = v[a];
  }
  FIRN_HOST_INLINE static Lanes sum_with(const Stress& own, const Four<T>* stress,
                                         const std::uint32_t* number) {
    S lanes[4];
    Lanes both;
    for (int four = 0; four < kFours; ++four) {
      load_lanes(stress + four, number, kFours, lanes);
      for (int k = 4 * four; k < Lanes::kSize && k < 4 * four + 4; ++k)
        both.e[k] = lanes[k - 4 * four] + S(own.e[k]);
    }
    return both;
  }

  // The symmetric part of the gradient of the velocity, 1/s.
  Stress strain_rate(std::size_t i) const {
    const Four<T>* velocity = state_.flat.velocity.data();
    const Four<T> own = velocity[i];
    Lanes sum = Lanes::isotropic(S(0));
    for (int k = D; k < Lanes::kSize; ++k) sum.e[k] = S(0);
    pairs_(i, [&](const PairLanes<T, D>& pair) {
      S there[4], change[D];
      load_lanes(velocity, pair.number, 1, there);
      for (int a = 0; a < D; ++a) change[a] = (there[a] - S(own[a])) * pair.pull;
      for (int a = 0; a < D; ++a) {
        sum(a, a) = sum(a, a) + change[a] * pair.way[a];
        for (int b = a + 1; b < D; ++b)
          sum(a, b) = sum(a, b) + change[a] * pair.way[b] + change[b] * pair.way[a];
      }
    });
    Stress rate;
    for (int k = 0; k < rate.kSize; ++k)
      rate.e[k] = sum_of_lanes(sum.e[k]) * ctx_.inverse_h * (k < D ? T(1) : T(0.5));
    return rate;
  }
  // How fast walls come nearer, as compression, 1/s.
  T compression_by_walls(std::size_t i) const {
    const WallContact<T, D>* walls = state_.walls.of(i);
    T sum = 0;
    for (int k = 0; k < state_.walls.count(i); ++k) {
      Vec<T, D> v;
      for (int a = 0; a < D; ++a) v[a] = state_.flat.velocity[i][a] - walls[k].contact.v_body[a];
      sum -= walls[k].push * dot(v, walls[k].contact.normal);
    }
    return sum * ctx_.inverse_h;
  }

  void improve_one(T ahead, std::size_t i, RateSums& sums) {
    Four<T>* leading = state_.flat.leading.data();
    Four<T>* newest = state_.flat.stress.data();
    const YieldLaw<T>& law = state_.law(i);
    Stress rate = strain_rate(i), looked = stress_at<T, D>(leading, i);
    const T compression = -trace(rate) + compression_by_walls(i);
    pressure_and_deviator(rate);
    const T p_looked = pressure_and_deviator(looked);
    const T room = law.room(state_.compression[i], ctx_.dt);
    const T p = law.pressure(p_looked, compression, room, ctx_.relaxation / state_.diagonal[i]);

    Stress s;
    const T gain = ctx_.relaxation / state_.shear_diagonal[i];
    for (int k = 0; k < s.kSize; ++k) s.e[k] = looked.e[k] + gain * rate.e[k];
    T& limit = state_.limit[i];
    limit += T(kLimitShare) * (law.limit(p) - limit);
    const T size = norm(s);
    const bool yields = size > limit;
    if (yields)
      for (int k = 0; k < s.kSize; ++k) s.e[k] *= limit / size;

    Stress before = stress_at<T, D>(newest, i);
    const T p_before = pressure_and_deviator(before);
    T against = state_.diagonal[i] * (p - p_before) * (p_looked - p);
    for (int k = 0; k < s.kSize; ++k)
      against += (k < D ? T(1) : T(2)) * state_.shear_diagonal[i] * (s.e[k] - before.e[k]) *
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
    set_stress(newest, i, now);
    set_stress(leading, i, next);

    // What is left: compression beyond the room, or pressure that nothing asks for.
    const T excess = compression - room;
    const T unasked = p_looked > 0 ? min_of(-excess, p_looked * state_.diagonal[i]) : T(0);
    sums.compressed += double(max_of(excess, unasked)) > 0 ? double(max_of(excess, unasked)) : 0;
    sums.against += double(against);
    if (limit > 0) ++sums.bearing;
    const double rate2 = square(double(norm(rate)));
    if (yields) ++sums.yielding;
    (yields ? sums.flow2 : sums.strain2) += rate2;
  }

  // A limit that followed pressure at once would let the two drive each other round in circles:
  // flow is not associated, and no energy falls. What lags a little converges.
  static constexpr double kLimitShare = 0.05;

  const SphContext<T>& ctx_;
  SphState<T, D>& state_;
  PairLoop<Kernel, T, D> pairs_;
};

template <class T, int D>
void start_limits(SphState<T, D>& state) {
  sum_over_particles<NoSums>("limits", state.flat.count, [&](std::size_t i, NoSums&) {
    SymMat<T, D> stress = stress_at<T, D>(state.flat.stress.data(), i);
    state.limit[i] = state.law(i).limit(pressure_and_deviator(stress));
  });
}

}  // namespace

template <class T, int D>
StressReport solve_stress(const SphContext<T>& ctx, SmoothingKind kernel, SphState<T, D>& state,
                          const std::function<bool()>& cancelled) {
  constexpr int kFewest = 2, kBetweenLooks = 32;
  StressReport report;
  start_limits(state);
  with_smoothing<D>(kernel, [&](auto chosen) {
    StressLoop<decltype(chosen), T, D> loop(ctx, state);
    MomentumSteps momentum;
    double against = 0;
    const double count = std::max<double>(1, double(state.flat.count));
    for (;;) {
      loop.find_velocities(state.flat.leading);
      const RateSums sums = loop.improve(momentum.next(against));
      against = sums.against;
      ++report.iterations;
      report.density_error = sums.compressed * double(ctx.dt) / count;
      report.strain_rate = sums.bearing > 0 ? std::sqrt(sums.strain2 / double(sums.bearing)) : 0;
      report.yielding = sums.yielding;
      // What flows fast does not wait for what hardly strains.
      const double flow = sums.bearing > 0 ? std::sqrt(sums.flow2 / double(sums.bearing)) : 0;
      report.reached = report.density_error <= ctx.tolerance &&
                       report.strain_rate <= ctx.tolerance * std::max(1.0, flow);
      if (report.iterations >= kFewest && report.reached) break;
      if (report.iterations >= ctx.max_iterations) break;
      if (report.iterations % kBetweenLooks == 0 && cancelled && cancelled()) {
        report.cancelled = true;
        break;
      }
    }
    loop.find_velocities(state.flat.stress, true);
  });
  return report;
}

#define FIRN_INSTANTIATE(T, D)                                                                   \
  template StressReport solve_stress<T, D>(const SphContext<T>&, SmoothingKind, SphState<T, D>&, \
                                           const std::function<bool()>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
