// Momentum of nodes behind a mirror (collision/mirror.h) goes to the free nodes that they follow,
// by the transpose of how they follow them; host and device.
#pragma once

#include "collision/mirror.h"

namespace firn {

// One free node, and what those behind one mirror give it. The mass that follows it counts by row
// sums, which bound it from above, across the surface and along it. All masses are relative to the
// node's own. The normal is that of the last follower: of a surface that is flat between nodes, all
// have the same.
template <class T, int D>
class MirrorFold {
 public:
  FIRN_HD MirrorFold(const Vec<T, D>& v, T mass) : own_(mass), momentum_(v) {}

  // The node of velocity v follows this one as its free node number j.
  FIRN_HD void add(const Mirror<T, D>& m, int j, const Vec<T, D>& v, T its_mass) {
    constexpr T kHeaviest = T(1e4);  // a node of next to no mass goes where the others do
    const T mass = its_mass < kHeaviest * own_ ? its_mass / own_ : kHeaviest;
    const T into = dot(v, m.normal), across = m.across_of(j), along = m.along_of(j);
    momentum_ += m.normal * (mass * into * (across - along)) + v * (mass * along);
    across_ += mass * abs_of(across) * (abs_of(m.across[0]) + abs_of(m.across[1]));
    along_ += mass * along;
    normal_ = m.normal;
    any_ = true;
  }
  FIRN_HD bool any() const { return any_; }
  FIRN_HD Vec<T, D> velocity() const {
    const T normal = dot(momentum_, normal_);
    return (momentum_ - normal_ * normal) / along_ + normal_ * (normal / across_);
  }

 private:
  T own_, across_ = T(1), along_ = T(1);
  Vec<T, D> momentum_, normal_ = Vec<T, D>::zero();
  bool any_ = false;
};

// Velocity of a node that follows free nodes of velocities `free`.
template <class T, int D>
FIRN_HD inline Vec<T, D> mirrored_velocity(const Mirror<T, D>& m, const Vec<T, D>& own,
                                           const Vec<T, D>* free) {
  Vec<T, D> tangential = (own - m.normal * dot(own, m.normal)) * m.own();
  T normal(0);
  for (int j = 0; j < 2; ++j) {
    const T across = dot(free[j], m.normal);
    normal += m.across[j] * across;
    tangential += (free[j] - m.normal * across) * m.along[j];
  }
  return tangential + m.normal * normal;
}

}  // namespace firn
