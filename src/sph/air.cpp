#include "sph/air.h"

#include <algorithm>
#include <cmath>

#include "sph/air_particle.h"
#include "sph/pair_loop.h"

namespace firn {
namespace {

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
    const SphView<T, D> view = state.view();
    const SinglePairLoop<decltype(chosen), T, D> pairs(state, ctx);
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
        Vec<T, D> toward;
        for (int a = 0; a < D; ++a) toward[a] = T(wind[a]);
        const T drag = T(air.drag(double(view.velocity[i][3])));
        blow_on(ctx, view, pairs, drag, T(air.cone_cosine), i, toward);
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
