// Contact of one grid node with one obstacle (OPT 4.6, 4.6.1). The normal is fixed in the step, so
// the distance after the step is phi + dt (v - v_body) . n.
#pragma once

#include "base/math.h"
#include "base/vec.h"

namespace firn {

// pin: holds what is inside it and does not touch the rest: the fixed ends of a body.
enum class ContactKind { sticky, slip, separate, pin };

// What a node sees of one obstacle in this step.
template <class T, int D>
struct Contact {
  ContactKind kind;
  T friction;        // Coulomb coefficient
  T phi;             // m, negative inside
  Vec<T, D> normal;  // unit, out of the obstacle
  Vec<T, D> v_body;  // m/s, the obstacle's velocity at the node
};

// Range that the normal velocity relative to the body must lie in.
template <class T>
struct NormalBounds {
  T low, high;
};

// separate: phi(t + dt) >= min(phi, 0). slip: the depth is kept inside and on the surface, free
// outside.
template <class T, int D>
FIRN_INLINE NormalBounds<T> normal_bounds(const Contact<T, D>& c, T dt) {
  const T unbounded = T(1e30);
  if (c.kind == ContactKind::slip)
    return c.phi <= 0 ? NormalBounds<T>{0, 0} : NormalBounds<T>{-unbounded, unbounded};
  return {c.phi > 0 ? -c.phi / dt : T(0), unbounded};
}

// Sticky obstacles and pins give nodes a velocity of their own, the others bound it.
FIRN_INLINE bool is_holding(ContactKind kind) {
  return kind == ContactKind::sticky || kind == ContactKind::pin;
}

// A sticky obstacle holds what is inside it or would enter it during the step.
template <class T, int D>
FIRN_INLINE bool holds(const Contact<T, D>& c, const Vec<T, D>& v, T dt) {
  if (!is_holding(c.kind)) return false;
  if (c.phi <= 0) return true;
  return c.kind == ContactKind::sticky && c.phi + dt * dot(v - c.v_body, c.normal) < 0;
}

// The friction impulse per mass is at most friction times the collision impulse per mass; where
// that suffices to stop the sliding, it stops (the static case). All of it in the body's frame.
// `grip` (collision/grip.h), per mass, m/s, adds to it and becomes what is left of both.
template <class T, int D>
FIRN_HD inline Vec<T, D> resolve_contact(const Contact<T, D>& c, const Vec<T, D>& v, T dt,
                                         T& grip) {
  if (is_holding(c.kind)) return holds(c, v, dt) ? c.v_body : v;
  const NormalBounds<T> bounds = normal_bounds(c, dt);
  const Vec<T, D> relative = v - c.v_body;
  const T vn = dot(relative, c.normal);
  const T vn_after = clamp(vn, bounds.low, bounds.high);
  const T impulse = abs_of(vn_after - vn);
  if (!(impulse > 0)) return v;
  Vec<T, D> tangential = relative - c.normal * vn;
  const T speed = sqrt_of(dot(tangential, tangential));
  const T stopped = c.friction > 0 ? c.friction * impulse + grip : T(0);
  tangential = speed <= stopped ? Vec<T, D>::zero() : tangential * (T(1) - stopped / speed);
  if (c.friction > 0) grip = max_of(stopped - speed, T(0));
  return c.v_body + tangential + c.normal * vn_after;
}

template <class T, int D>
FIRN_HD inline Vec<T, D> resolve_contact(const Contact<T, D>& c, const Vec<T, D>& v, T dt) {
  T grip(0);
  return resolve_contact(c, v, dt, grip);
}

template <class T, int D>
FIRN_INLINE Vec<T, D> resolve_contact(ContactKind kind, T friction, const Vec<T, D>& v,
                                      const Vec<T, D>& v_body, const Vec<T, D>& normal, T phi,
                                      T dt) {
  return resolve_contact(Contact<T, D>{kind, friction, phi, normal, v_body}, v, dt);
}

// How far v is from obeying the contact, m/s; 0 when it does.
template <class T, int D>
FIRN_INLINE T violation(const Contact<T, D>& c, const Vec<T, D>& v, T dt) {
  const NormalBounds<T> bounds = normal_bounds(c, dt);
  const T vn = dot(v - c.v_body, c.normal);
  return max_of(max_of(bounds.low - vn, vn - bounds.high), T(0));
}

}  // namespace firn
