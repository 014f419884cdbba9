// Several contacts at one node: edges and corners between obstacles.
#pragma once

#include "collision/contact.h"

namespace firn {

template <class T, int D>
FIRN_INLINE T worst_violation(const Contact<T, D>* contacts, int n, const Vec<T, D>& v, T dt) {
  T worst = 0;
  for (int k = 0; k < n; ++k)
    if (!is_holding(contacts[k].kind)) worst = max_of(worst, violation(contacts[k], v, dt));
  return worst;
}

namespace detail {

// Smallest change of v that brings the normal velocity of one contact into its bounds.
template <class T, int D>
FIRN_INLINE Vec<T, D> onto_face(const Contact<T, D>& c, const Vec<T, D>& v, T dt) {
  const NormalBounds<T> bounds = normal_bounds(c, dt);
  const T vn = dot(v - c.v_body, c.normal);
  return v + c.normal * (clamp(vn, bounds.low, bounds.high) - vn);
}

// Smallest change of v that puts both contacts at their bounds: the crease between two faces.
// False when the faces are parallel.
template <class T, int D>
FIRN_INLINE bool onto_crease(const Contact<T, D>& a, const Contact<T, D>& b, const Vec<T, D>& v,
                             T dt, Vec<T, D>& result) {
  const T cosine = dot(a.normal, b.normal);
  const T det = T(1) - cosine * cosine;
  if (!(det > T(1e-6))) return false;
  const T need_a = normal_bounds(a, dt).low - dot(v - a.v_body, a.normal);
  const T need_b = normal_bounds(b, dt).low - dot(v - b.v_body, b.normal);
  result = v + a.normal * ((need_a - cosine * need_b) / det) +
           b.normal * ((need_b - cosine * need_a) / det);
  return true;
}

// The nearest velocity to v that obeys every contact lies on a face, on a crease of two, or at a
// tip of three or more. There are few contacts, so every face and crease is tried; otherwise the
// node moves with the last body, which around bodies at rest always obeys.
template <class T, int D>
FIRN_HD inline Vec<T, D> nearest_allowed(const Contact<T, D>* contacts, int n, const Vec<T, D>& v,
                                         T dt, T tolerance) {
  Vec<T, D> best = contacts[n - 1].v_body;
  T best_distance2 = T(1e30);
  const auto consider = [&](const Vec<T, D>& candidate) {
    const Vec<T, D> change = candidate - v;
    const T distance2 = dot(change, change);
    if (distance2 < best_distance2 && worst_violation(contacts, n, candidate, dt) <= tolerance) {
      best = candidate;
      best_distance2 = distance2;
    }
  };
  for (int i = 0; i < n; ++i) {
    if (is_holding(contacts[i].kind)) continue;
    consider(onto_face(contacts[i], v, dt));
    for (int j = i + 1; j < n; ++j) {
      Vec<T, D> candidate;
      if (!is_holding(contacts[j].kind) && onto_crease(contacts[i], contacts[j], v, dt, candidate))
        consider(candidate);
    }
  }
  return best;
}

}  // namespace detail

// Whether a node with velocity v comes near the obstacle in the step. Resolving others does not
// speed it up, so that twice its travel is a safe reach.
template <class T, int D>
FIRN_INLINE bool can_meet(const Contact<T, D>& c, const Vec<T, D>& v, T dt) {
  const Vec<T, D> relative = v - c.v_body;
  return c.phi <= 2 * dt * sqrt_of(dot(relative, relative));
}

template <class T>
constexpr T kContactTolerance = sizeof(T) == 4 ? T(1e-5) : T(1e-12);  // of the speeds at a node

// Friction acts in the two sequential passes, each with the impulse of its own correction; the
// closing projection is frictionless. Around bodies at rest no part of it adds energy. change[k]
// becomes what contact k did to v; the closing projection counts as the most violated one's.
// `grip`: as in resolve_contact.
template <class T, int D>
FIRN_HD inline Vec<T, D> resolve_contacts(const Contact<T, D>* contacts, int n, Vec<T, D> v, T dt,
                                          Vec<T, D>* change, T& grip) {
  const Vec<T, D> start = v;
  T scale = sqrt_of(dot(v, v));
  for (int k = 0; k < n; ++k) change[k] = Vec<T, D>::zero();
  for (int pass = 0; pass < (n > 1 ? 2 : 1); ++pass)
    for (int k = 0; k < n; ++k) {
      if (holds(contacts[k], v, dt)) {
        for (int other = 0; other < n; ++other) change[other] = Vec<T, D>::zero();
        change[k] = contacts[k].v_body - start;
        return contacts[k].v_body;
      }
      const Vec<T, D> after = resolve_contact(contacts[k], v, dt, grip);
      change[k] += after - v;
      v = after;
      scale = max_of(scale, sqrt_of(dot(contacts[k].v_body, contacts[k].v_body)));
    }
  const T tolerance = scale * kContactTolerance<T>;
  if (n < 2) return v;
  T worst = tolerance;
  int at = -1;
  for (int k = 0; k < n; ++k) {
    if (is_holding(contacts[k].kind)) continue;
    const T missed = violation(contacts[k], v, dt);
    if (!(missed > worst)) continue;
    worst = missed;
    at = k;
  }
  if (at < 0) return v;
  const Vec<T, D> allowed = detail::nearest_allowed(contacts, n, v, dt, tolerance);
  change[at] += allowed - v;
  return allowed;
}

}  // namespace firn
