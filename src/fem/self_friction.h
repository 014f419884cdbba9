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
#include "fem/smooth_friction.h"

namespace firn {

// OPT 2.4.3: each pair in turn loses what sliding its friction can take within dt, with the forces
// that the pairs have: as much as minimises kinetic energy, but no impulse above mu dt |f|. Kinetic
// energy only falls. `mass` in kg, a number a vertex, infinite where it is held; `v` in m/s, D
// numbers a vertex. What rests on a slope creeps with it, since places are not corrected
// (physics.md 46): PairFriction is what holds.
template <int D>
void apply_pair_friction(const std::vector<SelfPair<D>>& pairs, double mu, double dt,
                         const double* mass, double* v);

// What friction between bodies keeps from one step to the next, by vertex, then by body of the
// face: the pairs with their forces, which the next step begins with, and how far each has slipped
// from where it would rest. Without that what sticks would give way by a little in every step, and
// creep.
template <int D>
class PairMemory {
 public:
  // In ascending order of vertex and body.
  void add(const SelfPair<D>& pair, const Vec<double, D>& slip);
  const std::vector<SelfPair<D>>& pairs() const { return pairs_; }
  const std::vector<Vec<double, D>>& slips() const { return slips_; }  // m
  // Zero for a pair that is new.
  Vec<double, D> slip_of(const SelfPair<D>& pair) const;
  std::vector<double> save() const;
  bool load(const std::vector<double>& state, std::size_t vertices);

 private:
  std::vector<SelfPair<D>> pairs_;
  std::vector<Vec<double, D>> slips_;
};

// Coulomb's friction as a potential of displacements u from the start of a step (D numbers a
// vertex): mu f s(|u_T|), u_T = (I - n n^T)(w . u + slip), with n, w and f as they were when frozen
// and what had slipped before the step. For s see smooth_friction.h. What sticks stays within
// `still` of its place.
template <int D>
class PairFriction {
 public:
  PairFriction() = default;
  // `slips`: one a pair, or none at all.
  PairFriction(const std::vector<SelfPair<D>>& pairs, std::size_t vertices, double mu, double still,
               std::vector<Vec<double, D>> slips = {});

  bool empty() const { return pairs_.empty(); }
  void set_displacements(const double* u);
  // What follows is of the displacements set last.
  double energy() const { return energy_; }
  void add_gradient(double* gradient) const;
  const std::vector<SelfPair<D>>& pairs() const { return pairs_; }
  // What a pair keeps of its slip for the next step: at most `still`.
  Vec<double, D> kept_slip(std::size_t pair) const;
  // Second derivatives: exact, and never negative. They need no call beforehand.
  void add_product(const double* d, double* out, double factor) const;
  void add_diagonal_blocks(double factor, double* blocks) const;
  // f(vertex, vertex, matrix) for what each pair has between two of its vertices.
  template <class F>
  void for_blocks(F&& f) const {
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      for (int s = 0; s <= pairs_[p].corners; ++s)
        for (int t = 0; t <= pairs_[p].corners; ++t)
          f(pairs_[p].place(s), pairs_[p].place(t),
            slips_[p].hessian * (pairs_[p].share(s) * pairs_[p].share(t)));
  }

 private:
  struct Slip {
    Vec<double, D> way;       // u_T
    Vec<double, D> gradient;  // derivatives by w . u
    Mat<double, D> hessian;
  };

  std::vector<SelfPair<D>> pairs_;
  std::vector<Vec<double, D>> before_;  // slips of earlier steps, along the surface; or none
  double mu_ = 0;
  SmoothFriction law_;
  SelfSums<D> sums_;
  std::vector<Slip> slips_;
  std::vector<double> energies_;
  double energy_ = 0;
};

extern template class PairMemory<2>;
extern template class PairMemory<3>;
extern template class PairFriction<2>;
extern template class PairFriction<3>;

}  // namespace firn
