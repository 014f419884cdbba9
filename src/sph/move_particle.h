// The end of a step for one particle: it goes where its velocity and its shift lead, unless an
// obstacle is in the way.
#pragma once

#include "collision/sweep.h"
#include "sph/sph_view.h"

namespace firn {

struct MovedParticle {
  double speed2 = 0;  // m^2/s^2
  double moved2 = 0;  // cells^2
  double push2 = 0;   // m^2, by obstacles

  FIRN_HD bool is_finite() const { return speed2 + moved2 < 1e300; }
};

// Where far too many are in one place a shift may be any length.
template <int D, class T>
FIRN_HD inline Four<T> moderate_shift(const SphContext<T>& ctx, Four<T> shift) {
  constexpr double kFarthest = 0.25;  // cells
  const T cells = ctx.dt * ctx.inverse_h;
  T way2 = 0;
  for (int a = 0; a < D; ++a) way2 += square(shift[a] * cells);
  if (!(way2 > T(kFarthest * kFarthest))) return shift;
  const T kept = T(kFarthest) / sqrt_of(way2);
  for (int a = 0; a < D; ++a) shift[a] *= kept;
  return shift;
}

// `origin`: of its block, cells. `near`: the obstacles that particles of the block may touch.
template <class T, int D>
FIRN_HD inline MovedParticle move_particle(const SphContext<T>& ctx, const SphView<T, D>& all,
                                           std::size_t i, const Vec3d& origin,
                                           const Collider* colliders, const int* near, int n) {
  MovedParticle moved;
  shift_pressure_at<D>(all.stress, i) = all.pressure[i];
  Four<T>& place = all.place[i];
  const Four<T> before = place, shift = moderate_shift<D>(ctx, all.shift[i]);
  Vec3d from{{0, 0, 0}}, to{{0, 0, 0}};
  for (int a = 0; a < D; ++a) {
    place[a] += ctx.dt * (all.velocity[i][a] + shift[a]) * ctx.inverse_h;
    moved.speed2 += square(double(all.velocity[i][a]));
    from[a] = (origin[a] + double(before[a])) * ctx.spacing;
    to[a] = (origin[a] + double(place[a])) * ctx.spacing;
  }
  if (n > 0) {
    const Vec3d aim = to;
    if (keep_out(colliders, near, n, from, to, ctx.spacing)) {
      for (int a = 0; a < D; ++a) place[a] += T((to[a] - aim[a]) / ctx.spacing);
      moved.push2 = dot(to - aim, to - aim);
    }
  }
  for (int a = 0; a < D; ++a) moved.moved2 += square(double(place[a]) - double(before[a]));
  return moved;
}

}  // namespace firn
