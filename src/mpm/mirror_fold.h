// Momentum of nodes behind a mirror (collision/mirror.h) goes to the free nodes that they follow,
// by the transpose of how they follow them; host and device.
#pragma once

#include "base/mat.h"
#include "collision/mirror.h"

namespace firn {

// One free node, and what those behind one mirror give it. Its mass counts for each direction by
// itself: a row sum of the mass that follows it, which bounds that mass from above. All masses are
// relative to the node's own.
template <class T, int D>
class MirrorFold {
 public:
  FIRN_HD MirrorFold(const Vec<T, D>& v, T mass) : own_(mass), momentum_(v) {
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) mass_(i, j) = T(i == j);
  }
  // The node of velocity v follows this one as its free node number j.
  FIRN_HD void add(const Mirror<T, D>& m, int j, const Vec<T, D>& v, T its_mass) {
    constexpr T kHeaviest = T(1e4);  // a node of next to no mass goes where the others do
    const T mass = its_mass < kHeaviest * own_ ? its_mass / own_ : kHeaviest;
    const T into = dot(v, m.normal), across = m.across[j], along = m.along[j];
    const T normal_mass =
        mass * abs_of(across) * (abs_of(m.across[0]) + abs_of(m.across[1])) - mass * along;
    momentum_ += m.normal * (mass * into * (across - along)) + v * (mass * along);
    for (int i = 0; i < D; ++i) {
      mass_(i, i) += mass * along;
      for (int k = 0; k < D; ++k) mass_(i, k) += normal_mass * m.normal[i] * m.normal[k];
    }
    any_ = true;
  }
  FIRN_HD bool any() const { return any_; }
  FIRN_HD Vec<T, D> velocity() const { return inverse(mass_) * momentum_; }

 private:
  T own_;
  Vec<T, D> momentum_;
  Mat<T, D> mass_;
  bool any_ = false;
};

// Velocity of a node that follows free nodes of velocities `free`.
template <class T, int D>
FIRN_HD inline Vec<T, D> mirrored_velocity(const Mirror<T, D>& m, const Vec<T, D>& own,
                                           const Vec<T, D>* free) {
  Vec<T, D> tangential = Vec<T, D>::zero();
  T normal(0);
  for (int j = 0; j < 2; ++j) {
    const T across = dot(free[j], m.normal);
    normal += m.across[j] * across;
    tangential += (free[j] - m.normal * across) * m.along[j];
  }
  if (m.keeps_tangential()) tangential = own - m.normal * dot(own, m.normal);
  return tangential + m.normal * normal;
}

}  // namespace firn
