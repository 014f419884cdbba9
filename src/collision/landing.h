// Friction on particles that the guard keeps out of an obstacle (collision/sweep.h). Nodes outside
// of a surface are free, so that part of the weight of a thin layer reaches the obstacle not
// through nodes but by being put back. Were its velocity left alone, that part would slide without
// friction: loose grains ran away down tilted planes that hold them.
#pragma once

#include "collision/collider_set.h"
#include "collision/contact_impulse.h"
#include "collision/sweep.h"

namespace firn {

// Smooth surfaces leave particles alone.
FIRN_INLINE bool rubs_particles(const Collider& c) {
  return c.contact != ContactKind::pin && (c.friction > 0 || c.varies);
}

// Velocity of a particle with velocity v that was put back next to the surface that it sees as
// `contact`: the part into the surface is taken out, and friction acts with that impulse, as it
// does at nodes.
template <class T, int D>
FIRN_HD inline Vec<T, D> land_with_friction(Contact<T, D> contact, const Vec<T, D>& v,
                                            double spacing) {
  if (!(contact.phi < T(3 * kSurfaceGap * spacing)) || is_holding(contact.kind)) return v;
  if (!(contact.friction > 0)) return v;
  contact.kind = ContactKind::separate;  // slip only holds back what leaves
  contact.phi = 0;
  return resolve_contact(contact, v, T(1));
}

// The same of all obstacles near a particle of a mass at x, one after the other: contact(collider)
// says how it sees one, and give(number in the list, impulse) takes what one gave.
template <class T, int D, class SeeContact, class Give>
FIRN_HD inline Vec<T, D> land_on_all(const Collider* colliders, const int* near, int n,
                                     const Vec3d& x, double mass, Vec<T, D> v, double spacing,
                                     SeeContact&& contact, Give&& give) {
  for (int k = 0; k < n; ++k) {
    const Collider& c = colliders[near[k]];
    if (!rubs_particles(c)) continue;
    const Vec<T, D> after = land_with_friction(contact(c), v, spacing);
    if (after == v) continue;
    Vec3d impulse{{0, 0, 0}};
    for (int a = 0; a < D; ++a) impulse[a] = mass * double(after[a] - v[a]);
    give(k, ContactImpulse{impulse, cross(x - reference_point(c), impulse)});
    v = after;
  }
  return v;
}

}  // namespace firn
