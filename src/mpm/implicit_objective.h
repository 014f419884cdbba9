// The objective of an implicit step (OPT 2.2 with 2.5.2): the velocities of the nodes minimise
//   E(v) = sum_i m_i |v_i - v*_i|^2 / 2 + sum_p Phi_p(grad v)
// with v* the velocities under gravity alone and Phi_p of implicit_particle.h. With
// `quadratic` it is E to second order around v = 0, the second order weighted by beta: the
// semi-implicit step (SNOW 3, step 6). Gradients and products are those in the mass product.
#pragma once

#include <cmath>
#include <vector>

#include "mpm/implicit_contact.h"
#include "mpm/implicit_material.h"
#include "mpm/implicit_preconditioner.h"
#include "mpm/operators.h"
#include "solvers/problem.h"

namespace firn {

template <class T, int D>
class ImplicitObjective : public ProblemDefaults<NodeSpace<T, D>> {
  using Base = ProblemDefaults<NodeSpace<T, D>>;

 public:
  using Vector = typename NodeSpace<T, D>::Vector;

  ImplicitObjective(const NodeSpace<T, D>& space, const StepContext<T, D>& ctx,
                    MpmState<T, D>& state, Operators<T, D>& operators, bool relative,
                    const Vector& free_velocity, NodeContactSet<T, D>& contacts,
                    PreconditionerKind preconditioner,
                    const FollowingNodes<T, D>* mirrors = nullptr);

  // Whether laws hold something fixed. Once renewing, objectives find what laws ask to hold at v
  // along with themselves, gradients and tangents there are those with it, and renew takes it over
  // and gives the objective at v, whose value was asked last, with it.
  bool holds() const { return holds_ && !quadratic_; }
  void start_renewing();
  void stop_renewing() { next_held_.clear(); }
  double renew(const Vector& v, double value);
  void make_quadratic(double beta);

  double objective(const Vector& v);
  // Inertia and friction alone: no more than the objective, since no energy of matter is negative.
  double without_matter(const Vector& v) { return without_matter(v, spread(v, moved_)); }
  void gradient(const Vector& v, Vector& g);
  // The same, for Newton's method without the objective.
  void residual(const Vector& v, Vector& r) {
    objective(v);
    gradient(v, r);
  }
  double residual_norm(const Vector& r) const { return gradient_norm(r); }
  void linearize(const Vector& v) { linearize(v, Curvature::exact); }
  void jacobian(const Vector& d, Vector& out) { hessian(d, out); }
  // Without friction: m g is what obstacles must give.
  void plain_gradient(const Vector& v, Vector& g) const;
  // The velocities of all nodes at the last v, and m g of all of them.
  const Vector& whole_velocities(const Vector& v) const { return mirrors_ ? whole_ : v; }
  Vector whole_impulses() const;
  void linearize(const Vector& v, Curvature kind);
  void hessian(const Vector& d, Vector& out);
  void precondition(const Vector& r, Vector& z) { preconditioner_.apply(r, z); }
  double gradient_norm(const Vector& g) const;
  // Energies that are differences of large terms (|F|^2 - d, ln J) have the rounding of their
  // moduli, whatever is left of them; of many particles some cancels. Quadratic ones are no such
  // differences.
  double objective_noise() const {
    constexpr double kUnit = sizeof(T) == 4 ? 6e-8 : 1.1e-16;
    if (quadratic_) return 4 * kUnit * last_terms_;
    return 4 * kUnit * stiffness_ / (sizeof(T) == 4 ? std::sqrt(double(state_.count())) : 1);
  }
  bool project(Vector& v) {
    filter_mirrors(v);
    return contacts_.project(v, nullptr);
  }
  bool project(Vector& v, Vector& d) { return contacts_.project(v, &d); }
  void register_active(const Vector& v, const Vector& g) { contacts_.register_active(v, g); }
  void filter(Vector& d) {
    contacts_.filter(d);
    filter_mirrors(d);
  }
  bool close_met(const Vector& v, const Vector& d) { return contacts_.close_met(v, d); }

  double total_mass() const { return total_mass_; }
  double stiffness() const { return stiffness_; }
  std::size_t bytes() const;

 private:
  // Energy and forces_ of the particles, and their tangents along with them; from the last time
  // where v is the same.
  double potential(const Vector& v);
  bool is_last(const Vector& v) const;
  double without_matter(const Vector& v, const Vector& all) const;
  HeldColumns<T> held_of(int s) {
    return {held_[s].data(), next_held_.empty() ? nullptr : next_held_[s].data()};
  }
  void build_preconditioner();
  // What the tangents of the particles make of velocities of all nodes; without friction.
  void multiply(const Vector& d, Vector& forces);
  void filter_mirrors(Vector& v) const {
    if (mirrors_) mirrors_->keep_free(v);
  }
  // Velocities of all nodes; `to` is where they may be.
  const Vector& spread(const Vector& v, Vector& to) const;
  // out = W^-1 P^T (m v + scale forces) with those of all nodes.
  void fold(const Vector& v, const Vector& forces, double scale, Vector& out) const;
  void add_forces(const Vector& forces, Vector& out, double scale) const;

  const StepContext<T, D>& ctx_;
  MpmState<T, D>& state_;
  Operators<T, D>& operators_;
  bool relative_;  // gradients of velocities, not of their changes
  const Vector& free_;
  NodeContactSet<T, D>& contacts_;
  const FollowingNodes<T, D>* mirrors_;  // null: none
  std::vector<ImplicitMaterial<T, D>> materials_;
  std::vector<Columns<T>> tangents_;  // by set
  std::vector<Buffer<T>> held_;       // by set; empty where nothing is held
  std::vector<Buffer<T>> next_held_;  // empty where nothing is renewed
  bool asks_next_ = false;            // whether it was found at last_
  NodePreconditioner<T, D> preconditioner_;
  Vector forces_;  // dPhi/dv at the velocities of the last objective
  Vector last_;    // those velocities; empty: none that still count
  Energies last_energy_;
  double last_terms_ = 0;
  Vector whole_, moved_;  // where there are mirrors: velocities of all nodes, at last_ and others
  Vector start_forces_;   // quadratic: at v = 0
  double beta_ = 0;
  bool quadratic_ = false, holds_ = false;
  double total_mass_ = 0;
  double stiffness_ = 0;  // J: sum V M
};

}  // namespace firn
