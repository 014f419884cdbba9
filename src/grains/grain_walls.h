// Grains and obstacles: none gets in, none is held where nothing presses it against a surface.
#pragma once

#include <vector>

#include "collision/sweep.h"

namespace firn {

// Whether a point within `reach` of a centre can meet an obstacle, m; `advance`: how far bodies
// move at most.
FIRN_HD inline bool is_within(const Collider& c, int species, const Vec3d& center, double reach,
                              double advance) {
  if (c.contact == ContactKind::pin || !stops_species(c, species)) return false;
  const double way = reach + (stands_still(c) ? 0 : advance);
  return distance_to(c, center).distance <= way * max_of(1.0, steepness(c));
}
// Those that a point within `reach` of a centre can meet.
void colliders_near(const std::vector<Collider>& colliders, int species, const Vec3d& center,
                    double reach, double advance, std::vector<int>& near);

// Distance at the end of the step.
FIRN_HD inline DistanceAndNormal end_distance(const Collider& c, const Vec3d& x) {
  if (!c.moves) return body_distance(c, x, c.share_next);
  const DistanceAndNormal d = body_distance(c, c.next.to_body(x), c.share_next);
  return {d.distance * c.next.scale, c.next.rotation * d.normal};
}

// Velocity of a grain that was stopped at x: what goes into the surface is taken out, and friction
// acts with that impulse. Even a sticky surface holds no more than rough ones do: what is not
// pressed against it falls off.
template <int D>
FIRN_HD inline Vec<float, D> land_grain(const Collider& c, const Vec3d& x,
                                        const Vec<float, D>& velocity, double cell) {
  constexpr float kRough = 1;
  Contact<float, D> contact = contact_at<float, D>(c, x, end_distance(c, x));
  if (!(contact.phi < float(3 * kSurfaceGap * cell))) return velocity;
  if (is_holding(contact.kind)) contact.friction = max_of(contact.friction, kRough);
  contact.kind = ContactKind::separate;
  contact.phi = 0;
  return resolve_contact(contact, velocity, 1.0f);
}

// Ends the way of a grain where an obstacle does; whether one did.
template <int D>
FIRN_HD inline bool stop_grain(const Collider* colliders, const int* near, int n, const Vec3d& from,
                               Vec3d& to, Vec<float, D>& velocity, double cell) {
  if (!keep_out(colliders, near, n, from, to, cell)) return false;
  for (int k = 0; k < n; ++k)
    if (colliders[near[k]].contact != ContactKind::pin)
      velocity = land_grain<D>(colliders[near[k]], to, velocity, cell);
  return true;
}

// Where a grain starts whose place may be inside of an obstacle: as far outside as it would be
// inside, or else next to its particle.
Vec3d start_outside(const std::vector<Collider>& colliders, const std::vector<int>& near,
                    const Vec3d& particle, const Vec3d& place, double cell);

}  // namespace firn
