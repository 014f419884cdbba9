// One particle in the loop that finds shifts (sph/shift.h).
#pragma once

#include "sph/sph_view.h"

namespace firn {

struct ShiftSums {
  double left = 0, against = 0;

  FIRN_INLINE void add(const ShiftSums& o) {
    left += o.left;
    against += o.against;
  }
};

// Share of its volume that a particle may grow by in a second. What moves faster changes forces
// between neighbours by more than the next step makes up for.
inline constexpr double kFastestGrowth = 0.5;
inline constexpr int kMostShiftIterations = 20;

// Compression by velocities, 1/s. Bodies move but the shift is along them.
template <class Pairs, class T, int D>
FIRN_INLINE T compression_rate_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                  const Pairs& pairs, const Four<T>* velocity, std::size_t i,
                                  bool bodies_move) {
  using S = typename Pairs::S;
  const Four<T> own = velocity[i];
  S sum(0);
  pairs(i, [&](const typename Pairs::Pair& pair) {
    S there[4];
    load_lanes(velocity, pair.number, 1, there);
    for (int a = 0; a < D; ++a) sum = sum + (S(own[a]) - there[a]) * pair.pull * pair.way[a];
  });
  T total = pairs.sum(sum);
  const WallRange walls = all.walls[i];
  for (std::uint32_t k = 0; k < walls.count; ++k) {
    const WallContact<T, D>& wall = all.contacts[walls.first + k];
    for (int a = 0; a < D; ++a)
      total -= wall.push * wall.contact.normal[a] *
               (own[a] - (bodies_move ? wall.contact.v_body[a] : T(0)));
  }
  return total * ctx.inverse_h;
}

// Compression after the step, in place of that before it.
template <class Pairs, class T, int D>
FIRN_INLINE void predict_density_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                    const Pairs& pairs, std::size_t i, ShiftSums& sums) {
  const T rate = compression_rate_of(ctx, all, pairs, all.velocity, i, true);
  if (!pairs.leads()) return;
  T& now = all.compression[i];
  now += ctx.dt * rate;
  all.pressure[i] = all.leading_pressure[i] = T(0);
  sums.left += max_of(double(now), 0.0);
}

template <class Pairs, class T, int D>
FIRN_INLINE void find_shift_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                               const Pairs& pairs, std::size_t i) {
  using S = typename Pairs::S;
  const T* leading = all.leading_pressure;
  const T own = leading[i];
  S force[D];
  for (int a = 0; a < D; ++a) force[a] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) {
    const S both = (lanes_of<S>(leading, pair.number) + S(own)) * pair.pull;
    for (int a = 0; a < D; ++a) force[a] = force[a] - both * pair.way[a];
  });
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = pairs.sum(force[a]);
  if (!pairs.leads()) return;
  const T lightness = ctx.dt * ctx.inverse_h / all.velocity[i][3];
  const WallContact<T, D>* walls = all.contacts + all.walls[i].first;
  const int count = static_cast<int>(all.walls[i].count);
  v *= lightness;
  for (int k = 0; k < count; ++k) v += walls[k].contact.normal * (own * lightness * walls[k].push);
  for (int k = 0; k < count; ++k) {
    const Contact<T, D>& c = walls[k].contact;
    T gap = c.phi / ctx.dt;  // m/s that are left after the step
    for (int a = 0; a < D; ++a) gap += (all.velocity[i][a] - c.v_body[a]) * c.normal[a];
    const T into = -dot(v, c.normal) - max_of(gap, T(0));
    if (into > 0) v += c.normal * into;
  }
  for (int a = 0; a < D; ++a) all.shift[i][a] = v[a];
}

template <class Pairs, class T, int D>
FIRN_INLINE void improve_shift_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                  const Pairs& pairs, T ahead, std::size_t i, ShiftSums& sums) {
  const T rate = compression_rate_of(ctx, all, pairs, all.shift, i, false);
  if (!pairs.leads()) return;
  const T wanted = min_of(all.compression[i] / ctx.dt, T(kFastestGrowth));
  const T excess = wanted + rate;
  const T looked = all.leading_pressure[i], before = all.pressure[i];
  const T now = max_of(looked + ctx.relaxation * excess / all.diagonal[i], T(0));
  all.pressure[i] = now;
  all.leading_pressure[i] = now + ahead * (now - before);
  sums.left += max_of(double(excess * ctx.dt), 0.0);
  sums.against += double(all.diagonal[i] * (now - before) * (looked - now));
}

}  // namespace firn
