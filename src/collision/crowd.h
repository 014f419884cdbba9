// A node among more obstacles than are listed for it: each pass asks for all of them anew.
#pragma once

#include "collision/corner.h"

namespace firn {
namespace detail {

// Number of the contact that v violates most, by more than the tolerance; -1 where it obeys all.
template <class T, int D, class ContactWith>
FIRN_HD inline int most_violated(int n, const Vec<T, D>& start, const Vec<T, D>& v, T dt,
                                 T tolerance, const ContactWith& contact_with) {
  T worst = tolerance;
  int at = -1;
  for (int k = 0; k < n; ++k) {
    const Contact<T, D> c = contact_with(k);
    if (is_holding(c.kind) || !can_meet(c, start, dt)) continue;
    const T missed = violation(c, v, dt);
    if (!(missed > worst)) continue;
    worst = missed;
    at = k;
  }
  return at;
}

// The nearest velocity to v that obeys all. At most D contacts determine it (a point of a
// polyhedron is nearest because of the faces that it lies on), so that a short list is enough: the
// one that is violated most joins it, and those that v does not touch leave it where it is full.
// The distance from v only grows on the way, so that no list comes twice.
template <class T, int D, class ContactWith, class Give>
FIRN_HD inline Vec<T, D> nearest_among_all(int n, const Vec<T, D>& start, const Vec<T, D>& v, T dt,
                                           T tolerance, const ContactWith& contact_with,
                                           const Give& give) {
  constexpr int kListed = 8, kRounds = 64;
  Contact<T, D> list[kListed];
  int listed = 0, first = -1;
  Vec<T, D> at = v;
  for (int round = 0; round < kRounds; ++round) {
    const int worst = most_violated(n, start, at, dt, tolerance, contact_with);
    if (worst < 0) break;
    if (first < 0) first = worst;
    const Contact<T, D> next = contact_with(worst);
    if (listed == kListed) {
      listed = 0;
      for (int k = 0; k < kListed; ++k)
        if (dot(at - list[k].v_body, list[k].normal) <=
            normal_bounds(list[k], dt).low + 2 * tolerance)
          list[listed++] = list[k];
    }
    // A tip of so many faces: the node goes with the body.
    if (listed == kListed || round + 1 == kRounds) {
      at = next.v_body;
      break;
    }
    list[listed++] = next;
    at = nearest_allowed(list, listed, v, dt, tolerance);
  }
  if (first >= 0) give(first, at - v);
  return at;
}

}  // namespace detail

// As resolve_contacts, for n obstacles of which contact_with(k) is what the node sees of number k.
// give(k, change): what it did to v. An obstacle that holds the node takes over from the others
// where it is met.
template <class T, int D, class ContactWith, class Give>
FIRN_HD inline Vec<T, D> resolve_crowd(int n, const Vec<T, D>& start, T dt, T& grip,
                                       const ContactWith& contact_with, const Give& give) {
  Vec<T, D> v = start;
  T scale = sqrt_of(dot(v, v));
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < n; ++k) {
      const Contact<T, D> c = contact_with(k);
      if (!can_meet(c, start, dt)) continue;
      const bool held = holds(c, v, dt);
      const Vec<T, D> after = held ? c.v_body : resolve_contact(c, v, dt, grip);
      give(k, after - v);
      if (held) return after;
      v = after;
      scale = max_of(scale, sqrt_of(dot(c.v_body, c.v_body)));
    }
  return detail::nearest_among_all(n, start, v, dt, scale * kContactTolerance<T>, contact_with,
                                   give);
}

}  // namespace firn
