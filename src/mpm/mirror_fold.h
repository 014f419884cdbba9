// Momentum of nodes behind a mirror (collision/mirror.h) goes to the free nodes that they follow,
// by the transpose of how they follow them; host and device.
#pragma once

#include "collision/mirror.h"

namespace firn {

// A node while mirrors fold the grid: with the momentum of those that follow it also comes their
// mass, which differs from axis to axis.
template <class T, int D>
struct FoldedNode {
  Vec<T, D> velocity, mass;

  FIRN_HD static FoldedNode whole(const Vec<T, D>& v, T mass) { return {v, Vec<T, D>::fill(mass)}; }
};

// One free node, and what those behind one mirror give it. The mass that follows it counts by row
// sums, which bound it from above: with n the normal, of the mass `along` (1 - n n) + `across` n n.
// All masses are relative to the node's own.
template <class T, int D>
class MirrorFold {
 public:
  FIRN_HD MirrorFold(const FoldedNode<T, D>& node, T own) : own_(own) {
    for (int a = 0; a < D; ++a) {
      mass_[a] = node.mass[a] / own_;
      momentum_[a] = mass_[a] * node.velocity[a];
    }
  }

  // The node `behind` follows this one as its free node number j.
  FIRN_HD void add(const Mirror<T, D>& m, int j, const FoldedNode<T, D>& behind) {
    constexpr T kHeaviest = T(1e4);  // a node of next to no mass goes where the others do
    const T across = m.across_of(j), along = m.along_of(j);
    const T row = abs_of(across) * (abs_of(m.across[0]) + abs_of(m.across[1]));
    Vec<T, D> mass, momentum;
    T sum(0);
    for (int a = 0; a < D; ++a) {
      mass[a] = behind.mass[a] < kHeaviest * own_ ? behind.mass[a] / own_ : kHeaviest;
      momentum[a] = mass[a] * behind.velocity[a];
      sum += abs_of(m.normal[a]);
    }
    momentum_ += m.normal * (dot(momentum, m.normal) * (across - along)) + momentum * along;
    for (int a = 0; a < D; ++a) {
      const T n = abs_of(m.normal[a]), mixed = n * (sum - n);
      mass_[a] += mass[a] * (along + (row - along) * n * n + abs_of(row - along) * mixed);
    }
    any_ = true;
  }
  FIRN_HD bool any() const { return any_; }
  FIRN_HD FoldedNode<T, D> node() const {
    FoldedNode<T, D> r;
    for (int a = 0; a < D; ++a) {
      r.velocity[a] = momentum_[a] / mass_[a];
      r.mass[a] = mass_[a] * own_;
    }
    return r;
  }

 private:
  T own_;
  Vec<T, D> mass_, momentum_;
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

// The passes that moved a node are kept as the bits of a whole number.
template <class T>
FIRN_HD inline bool moved_in_pass(T passes, int pass) {
  return (static_cast<std::uint32_t>(passes) >> pass & 1) != 0;
}
template <class T>
FIRN_HD inline T with_pass(T passes, int pass) {
  return passes + T(std::uint32_t(1) << pass);
}

}  // namespace firn
