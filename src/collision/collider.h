// Obstacles at run time, and the contact of one node with several of them.
#pragma once

#include "collision/crowd.h"
#include "collision/grip.h"
#include "collision/pose.h"
#include "expr/varying.h"
#include "geometry/shape.h"

namespace firn {

// `now` and `next` are the poses at the start and the end of the step; both are set before it.
struct Collider {
  Shape shape;  // of the body at rest
  ContactKind contact = ContactKind::separate;
  double friction = 0;
  bool meets_fluid = false;  // there is one: a smooth wall is then a mirror (collision/mirror.h)

  int species = -1;    // the only one that it stops; -1: all
  int owner = 0;       // number of the scene's collider that this is a part of
  bool moves = false;  // else the poses are not looked at
  bool deforms = false;
  bool varies = false;  // else friction and stickiness are not looked up
  Pose now, next;
  double step = 1;                       // s between the two
  Shape target;                          // of a deforming body: what it turns into
  double share_now = 0, share_next = 0;  // of the target, 0 to 1
  Vec3d surface_velocity{{0, 0, 0}};     // m/s along the surface of the body at rest
  VaryingValue friction_field;           // where it has a program
  VaryingValue stickiness;               // above 1/2 the surface holds what touches it
  double time = 0;                       // s, for the two
};

// Distance to the body at rest, part of the way to its target.
FIRN_HD_CALL DistanceAndNormal body_distance(const Collider& c, const Vec3d& q, double share,
                                             double* change = nullptr) {
  const DistanceAndNormal d = signed_distance(c.shape, q);
  if (change) *change = 0;
  if (!c.deforms) return d;
  const DistanceAndNormal target = signed_distance(c.target, q);
  if (change) *change = target.distance - d.distance;
  return detail::blended(d, target, share);
}

FIRN_INLINE bool stops_species(const Collider& c, int species) {
  return c.species < 0 || c.species == species;
}

FIRN_INLINE bool stands_still(const Collider& c) {
  return !c.moves && !c.deforms;
}

// Distance in the world at the start of the step.
FIRN_HD_CALL DistanceAndNormal distance_to(const Collider& c, const Vec3d& x) {
  if (!c.moves) return body_distance(c, x, c.share_now);
  const DistanceAndNormal d = body_distance(c, c.now.to_body(x), c.share_now);
  return {d.distance * c.now.scale, c.now.rotation * d.normal};
}

// A node nearer to a surface than this lies on it, cells: walls are put on nodes, and whether
// rounding leaves them there must not decide.
constexpr double kOnSurface = 1e-5;

FIRN_INLINE DistanceAndNormal snapped(DistanceAndNormal d, double spacing) {
  if (abs_of(d.distance) < kOnSurface * spacing) d.distance = 0;
  return d;
}

// Of a node: bodies at rest may be on it, those that move are where they are.
FIRN_HD_CALL DistanceAndNormal node_distance(const Collider& c, const Vec3d& x, double spacing) {
  const DistanceAndNormal d = distance_to(c, x);
  return stands_still(c) ? snapped(d, spacing) : d;
}

// Mean velocity in the step of the body's point that is at x at its start, m/s. `normal` is that of
// the surface there.
FIRN_HD_CALL Vec3d velocity_at(const Collider& c, const Vec3d& x, const Vec3d& normal) {
  Vec3d v{{0, 0, 0}};
  if (c.moves) v = (c.next.to_world(c.now.to_body(x)) - x) / c.step;
  if (c.deforms) {
    const Vec3d q = c.moves ? c.now.to_body(x) : x;
    const double change =
        signed_distance(c.target, q).distance - signed_distance(c.shape, q).distance;
    v -= normal * (change * (c.share_next - c.share_now) * c.now.scale / c.step);
  }
  return v;
}

// A node lists so many obstacles that it can reach; where there are more, none is listed and all
// are met (collision/crowd.h).
constexpr int kMaxListedContacts = 8;

FIRN_INLINE Vec3d along_surface(const Vec3d& v, const Vec3d& normal) {
  return v - normal * dot(v, normal);
}
// A running belt moves along its surface, whatever the direction given.
FIRN_HD inline Vec3d belt_velocity(const Collider& c, const Vec3d& normal) {
  return along_surface(c.moves ? c.now.rotation * c.surface_velocity : c.surface_velocity, normal);
}

// `d`: of the collider where it is met; `v_body` its velocity there.
template <class T, int D>
FIRN_INLINE Contact<T, D> make_contact(const Collider& collider, const DistanceAndNormal& d,
                                       const Vec3d& v_body) {
  Contact<T, D> c{collider.contact, T(collider.friction), T(d.distance), {}, {}};
  for (int i = 0; i < D; ++i) {
    c.normal[i] = T(d.normal[i]);
    c.v_body[i] = T(v_body[i]);
  }
  return c;
}
// `d`: of the collider at x.
template <class T, int D>
FIRN_INLINE Contact<T, D> contact_at(const Collider& collider, const Vec3d& x,
                                     const DistanceAndNormal& d) {
  Contact<T, D> c = make_contact<T, D>(
      collider, d, velocity_at(collider, x, d.normal) + belt_velocity(collider, d.normal));
  if (!collider.varies) return c;
  if (collider.friction_field.has_program) {
    const double friction = collider.friction_field.at(x, collider.time);
    c.friction = friction > 0 ? T(friction) : T(0);
  }
  if (collider.stickiness.at(x, collider.time) > 0.5) c.kind = ContactKind::sticky;
  return c;
}

// Whether the surface of a collider, seen from x at some distance, says what cannot be: friction or
// stickiness that is no number or less than 0. Farther than a cell away it does not matter.
FIRN_HD inline bool surface_is_wrong(const Collider& c, const Vec3d& x, double distance,
                                     double spacing) {
  if (!c.varies || !(distance <= spacing)) return false;
  if (c.friction_field.has_program && !(c.friction_field.at(x, c.time) >= 0)) return true;
  return c.stickiness.has_program && !(c.stickiness.at(x, c.time) >= 0);
}

// What each obstacle that a node met did to its velocity, where they are listed.
template <class T, int D>
struct NodeContacts {
  int count = 0;
  int place[kMaxListedContacts];         // in the list of obstacles
  Vec<T, D> change[kMaxListedContacts];  // m/s
};

// Velocity of a node after contact with n obstacles. They are resolved in the order of the list,
// twice, since answering one may push into another; where the second pass still leaves a corner
// violated, the nearest velocity that obeys all of them is taken. A sticky obstacle that holds the
// node settles the matter. contact_with(k): what the node sees of number k. give(k, change): what
// number k did, where they are too many for `met`. `grip`: as in resolve_contact.
template <class T, int D, class ContactWith, class Give>
FIRN_HD inline Vec<T, D> meet_obstacles(int n, const Vec<T, D>& v, T dt, T& grip,
                                        NodeContacts<T, D>& met, const ContactWith& contact_with,
                                        const Give& give) {
  Contact<T, D> contacts[kMaxListedContacts];
  int count = 0;
  for (int k = 0; k < n; ++k) {
    const Contact<T, D> c = contact_with(k);
    if (!can_meet(c, v, dt)) continue;
    if (count == kMaxListedContacts) {
      met.count = 0;
      return resolve_crowd<T, D>(n, v, dt, grip, contact_with, give);
    }
    met.place[count] = k;
    contacts[count++] = c;
  }
  met.count = count;
  if (count == 0) return v;
  return resolve_contacts(contacts, count, v, dt, met.change, grip);
}

// With colliders[indices[0..n)] at x; give(k, change): what number k did to v. distance_of(k): of
// colliders[indices[k]] there.
template <class T, int D, class DistanceOf, class Give>
FIRN_HD inline Vec<T, D> apply_colliders(const Collider* colliders, const int* indices, int n,
                                         const Vec3d& x, const Vec<T, D>& v, T dt, T& grip,
                                         const DistanceOf& distance_of, const Give& give) {
  NodeContacts<T, D> met;
  const Vec<T, D> after = meet_obstacles<T, D>(
      n, v, dt, grip, met,
      [&](int k) { return contact_at<T, D>(colliders[indices[k]], x, distance_of(k)); }, give);
  for (int k = 0; k < met.count; ++k) give(met.place[k], met.change[k]);
  return after;
}

template <class T, int D>
FIRN_HD inline Vec<T, D> apply_colliders(const Collider* colliders, const int* indices, int n,
                                         const Vec3d& x, const Vec<T, D>& v, T dt) {
  T grip(0);
  return apply_colliders<T, D>(
      colliders, indices, n, x, v, dt, grip,
      [&](int k) { return distance_to(colliders[indices[k]], x); }, [](int, const Vec<T, D>&) {});
}

}  // namespace firn
