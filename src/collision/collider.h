// Obstacles at run time, and the contact of one node with several of them.
#pragma once

#include "collision/corner.h"
#include "geometry/shape.h"

namespace firn {

struct Collider {
  Shape shape;
  ContactKind contact = ContactKind::separate;
  double friction = 0;

  // Obstacles stand still; everything downstream works with this velocity, m/s.
  FIRN_INLINE Vec3d velocity_at(const Vec3d&) const { return {{0, 0, 0}}; }
};

// A node keeps the first this many obstacles of its list that it can reach.
constexpr int kMaxNodeContacts = 8;

template <class T, int D>
FIRN_INLINE Contact<T, D> contact_at(const Collider& collider, const Vec3d& x) {
  const DistanceAndNormal d = signed_distance(collider.shape, x);
  const Vec3d v_body = collider.velocity_at(x);
  Contact<T, D> c{collider.contact, T(collider.friction), T(d.distance), {}, {}};
  for (int i = 0; i < D; ++i) {
    c.normal[i] = T(d.normal[i]);
    c.v_body[i] = T(v_body[i]);
  }
  return c;
}

// Velocity of the node at x after contact with colliders[indices[0..n)]. They are resolved in the
// order of the list, twice, since answering one may push into another; where the second pass still
// leaves a corner violated, the nearest velocity that obeys all of them is taken. A sticky obstacle
// that holds the node settles the matter.
template <class T, int D>
FIRN_HD inline Vec<T, D> apply_colliders(const Collider* colliders, const int* indices, int n,
                                         const Vec3d& x, Vec<T, D> v, T dt) {
  Contact<T, D> contacts[kMaxNodeContacts];
  int count = 0;
  for (int k = 0; k < n && count < kMaxNodeContacts; ++k) {
    const Contact<T, D> c = contact_at<T, D>(colliders[indices[k]], x);
    const Vec<T, D> relative = v - c.v_body;
    // Resolving the others does not speed the node up, so that twice its travel is a safe reach.
    if (c.phi <= 2 * dt * sqrt_of(dot(relative, relative))) contacts[count++] = c;
  }
  return resolve_contacts(contacts, count, v, dt);
}

}  // namespace firn
