#include "sph/air.h"

#include <algorithm>
#include <cmath>

#include "sph/air_drag.h"
#include "sph/pair_loop.h"

namespace firn {
namespace {

template <class Kernel, class T, int D>
class AirAround {
  using S = typename PairLanes<T, D>::S;

 public:
  AirAround(const SphContext<T>& ctx, const AirSettings& air, SphState<T, D>& state)
      : ctx_(ctx), air_(air), state_(state), pairs_(state.flat, state.lists, ctx.norm) {}

  void blow_on(std::size_t i, const Vec3d& wind) {
    const T open = share_in_air(-state_.compression[i]);
    if (!(open > 0)) return;
    Vec<T, D> toward;
    for (int a = 0; a < D; ++a) toward[a] = T(wind[a]);
    toward = wind_along_surface(toward, gradient(i));
    Vec<T, D> passing = toward;
    for (int a = 0; a < D; ++a) passing[a] -= state_.free[i][a];
    const T speed = sqrt_of(dot(passing, passing));
    if (!(speed > 0)) return;
    const T share = open * share_past_others(i, passing / speed);
    const T drag = share * T(air_.drag(double(state_.flat.velocity[i][3])));
    const T left = left_of_speed(speed, drag, ctx_.dt);
    for (int a = 0; a < D; ++a) state_.free[i][a] += passing[a] * (T(1) - left);
  }

 private:
  // Of the share of room that particles and walls fill.
  Vec<T, D> gradient(std::size_t i) const {
    S slope[D];
    for (int a = 0; a < D; ++a) slope[a] = S(0);
    pairs_(i, [&](const PairLanes<T, D>& pair) {
      for (int a = 0; a < D; ++a) slope[a] = slope[a] + pair.pull * pair.way[a];
    });
    Vec<T, D> sum = state_.walls.push(i) * T(0.5);
    for (int a = 0; a < D; ++a) sum[a] += sum_of_lanes(slope[a]);
    return sum;
  }
  T share_past_others(std::size_t i, const Vec<T, D>& direction) const {
    S most(T(-1));
    pairs_(i, [&](const PairLanes<T, D>& pair) {
      S along = pair.way[0] * S(direction[0]);
      for (int a = 1; a < D; ++a) along = along + pair.way[a] * S(direction[a]);
      most = max_of(most, select(pair.r < S(T(1)), along / pair.r, S(T(-1))));
    });
    T cosine = most[0];
    for (int k = 1; k < PairLanes<T, D>::kWidth; ++k) cosine = max_of(cosine, most[k]);
    T share = share_beside(cosine, T(air_.cone_cosine));
    const WallContact<T, D>* walls = state_.walls.of(i);
    for (int k = 0; k < state_.walls.count(i); ++k)
      share *= share_before_wall(dot(direction, walls[k].contact.normal),
                                 walls[k].contact.phi * ctx_.inverse_h);
    return share;
  }

  const SphContext<T>& ctx_;
  const AirSettings& air_;
  SphState<T, D>& state_;
  PairLoop<Kernel, T, D> pairs_;
};

void add_wind(const Vec3d& wind, const Vec3d& place, AirReport& report) {
  const double speed = std::sqrt(dot(wind, wind));
  if (std::isfinite(speed)) {
    report.strongest = std::max(report.strongest, speed);
  } else if (!report.wrong) {
    report.wrong = true;
    report.place = place;
  }
}

// f(block, report of it) for all blocks; the reports together, in their order.
template <class F>
AirReport over_blocks(int blocks, F&& f) {
  std::vector<AirReport> found(blocks);
  parallel_for("air", blocks, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) f(static_cast<int>(b), found[b]);
  });
  AirReport total;
  for (const AirReport& report : found) {
    if (report.wrong && !total.wrong) {
      total.wrong = true;
      total.place = report.place;
    }
    total.strongest = std::max(total.strongest, report.strongest);
  }
  return total;
}

}  // namespace

template <class T, int D>
AirReport blow_air(const SphContext<T>& ctx, SmoothingKind kernel, const AirSettings& air,
                   double time, SphState<T, D>& state) {
  const auto& flat = state.flat;
  return with_smoothing<D>(kernel, [&](auto chosen) {
    AirAround<decltype(chosen), T, D> around(ctx, air, state);
    const Vec3d even = air.wind_at(Vec3d::zero(), time);
    AirReport all;
    if (!air.varies_in_space) add_wind(even, Vec3d::zero(), all);
    if (all.wrong) return all;
    AirReport report = over_blocks(state.all.blocks.occupied(), [&](int b, AirReport& of) {
      for (std::uint32_t i = flat.begin[b]; i < flat.begin[b + 1]; ++i) {
        Vec3d wind = even;
        if (air.varies_in_space) {
          const auto& set = state.all.sets[flat.set[i]].particles;
          const Vec3d x = world_position(state.all, set, b, flat.row[i]);
          wind = air.wind_at(x, time);
          add_wind(wind, x, of);
        }
        around.blow_on(i, wind);
      }
    });
    report.strongest = std::max(report.strongest, all.strongest);
    return report;
  });
}

template <class T, int D>
double strongest_wind(const AirSettings& air, const Particles<T, D>& all, double time) {
  AirReport even;
  if (!air.varies_in_space) {
    add_wind(air.wind_at(Vec3d::zero(), time), Vec3d::zero(), even);
    return even.strongest;
  }
  return over_blocks(all.blocks.occupied(),
                     [&](int b, AirReport& of) {
                       for (const auto& set : all.sets)
                         for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) {
                           const Vec3d x = world_position(all, set.particles, b, p);
                           add_wind(air.wind_at(x, time), x, of);
                         }
                     })
      .strongest;
}

#define FIRN_INSTANTIATE(T, D)                                                               \
  template AirReport blow_air<T, D>(const SphContext<T>&, SmoothingKind, const AirSettings&, \
                                    double, SphState<T, D>&);                                \
  template double strongest_wind<T, D>(const AirSettings&, const Particles<T, D>&, double);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
