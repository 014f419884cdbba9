// Friction between a vertex and the boundary it is pushed to, after the solve or inside of it.
//
// Both act on the tangential part of "the vertex relative to the nearest point", w . q = q_0 -
// sum w_i q_i, with the weights and the normal that the pair has, and so keep momentum exactly.
// Angular momentum changes by the force times the depth, since it acts on two points that far
// apart.
#pragma once

#include <cstdint>
#include <vector>

#include "base/mat.h"
#include "fem/self_pair.h"
#include "fem/self_sums.h"

namespace firn {

// OPT 2.4.3: each pair in turn loses what sliding its friction can take within dt, with the forces
// that the pairs have: as much as minimises kinetic energy, but no impulse above mu dt |f|. Kinetic
// energy only falls. `mass` in kg, a number a vertex, infinite where it is held; `v` in m/s, D
// numbers a vertex. What rests on a slope creeps with it, since places are not corrected
// (physics.md 46): PairFriction is what holds.
template <int D>
void apply_pair_friction(const std::vector<SelfPair<D>>& pairs, double mu, double dt,
                         const double* mass, double* v);

// Coulomb's friction as a potential of displacements u from the start of a step (D numbers a
// vertex): mu f s(|u_T|), u_T = (I - n n^T)(w . u), with n, w and f as they were when frozen. s
// grows like its argument beyond the displacement `still`, and below it like a spring that becomes
// weaker: s' = y/still (2 - y/still). What sticks is slipping by less than `still`.
template <int D>
class PairFriction {
 public:
  PairFriction() = default;
  PairFriction(const std::vector<SelfPair<D>>& pairs, std::size_t vertices, double mu,
               double still);

  bool empty() const { return pairs_.empty(); }
  void set_displacements(const double* u);
  // What follows is of the displacements set last.
  double energy() const { return energy_; }
  void add_gradient(double* gradient) const;
  // Second derivatives: exact, and never negative. They need no call beforehand.
  void add_product(const double* d, double* out, double factor) const;
  void add_diagonal_blocks(double factor, double* blocks) const;

 private:
  struct Slip {  // derivatives by w . u
    Vec<double, D> gradient;
    Mat<double, D> hessian;
  };

  std::vector<SelfPair<D>> pairs_;
  double mu_ = 0, still_ = 1;
  SelfSums<D> sums_;
  std::vector<Slip> slips_;
  std::vector<double> energies_;
  double energy_ = 0;
};

extern template class PairFriction<2>;
extern template class PairFriction<3>;

}  // namespace firn
