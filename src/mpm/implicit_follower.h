// One node that follows others behind a mirror within an implicit step (implicit_mirror.h). Host
// and device: the loops over nodes are each side's own.
#pragma once

#include <cstdint>

#include "mpm/mirror_fold.h"

namespace firn {

template <class T, int D>
struct FollowingNode {
  std::int64_t node = 0;            // slot x nodes of a block + node in it
  int pass = 0, obstacle = 0;       // which one it is behind
  std::int64_t free[2] = {-1, -1};  // the nodes that it follows; -1: none
  Mirror<T, D> mirror;
};

// Whether it is held at a velocity after the stress and gravity at the start of the step: behind a
// separating wall one that moves out by more than `slack` is let go.
template <class T, int D>
FIRN_HD bool is_held(const Mirror<T, D>& m, const Vec<T, D>& trial, T slack) {
  return m.always || dot(trial, m.normal) <= slack;
}
// What is left of it where the node follows along another wall already.
template <class T, int D>
FIRN_HD Mirror<T, D> across_alone(Mirror<T, D> m) {
  m.along[0] = m.along[1] = T(0);
  return m;
}

// What comes of something at a follower at its free node number j, and at itself.
template <class T, int D>
FIRN_HD Vec<T, D> given_to(const Mirror<T, D>& m, int j, const Vec<T, D>& f) {
  const T across = dot(f, m.normal);
  return m.normal * (m.across_of(j) * across) + (f - m.normal * across) * m.along_of(j);
}
template <class T, int D>
FIRN_HD Vec<T, D> kept_by(const Mirror<T, D>& m, const Vec<T, D>& f) {
  return (f - m.normal * dot(f, m.normal)) * m.own();
}
// The same of its weight.
template <class T, int D>
FIRN_HD T given_to(const Mirror<T, D>& m, int j, T weight) {
  const T sum = abs_of(m.across[0]) + abs_of(m.across[1]);
  return weight * max_of(abs_of(m.across_of(j)) * sum, m.along_of(j));
}
template <class T, int D>
FIRN_HD T kept_by(const Mirror<T, D>& m, T weight) {
  return m.own() < T(1e-3) ? T(0) : weight * m.own();
}

// What of an unknown is not lost on the way to the velocity of a follower, which has a weight of
// its own or none.
template <class T, int D>
FIRN_HD Vec<T, D> free_part(const Mirror<T, D>& m, bool has_weight, const Vec<T, D>& u) {
  return has_weight ? u - m.normal * dot(u, m.normal) : Vec<T, D>::zero();
}

}  // namespace firn
