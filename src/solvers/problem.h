// What the minimizer asks of a problem: an objective E' with its derivatives, and constraints.
// Derive from ProblemDefaults and give what is marked *; the rest has defaults.
//
// * double objective(const Vector& x)                  infinite or NaN where x is not allowed
// * void gradient(const Vector& x, Vector& g)          at the x whose objective was asked last, in
//                                                      the space's product: dE' = dot(g, dx)
//   void linearize(const Vector& x, Curvature kind)    prepares the Hessian at x
// * void hessian(const Vector& d, Vector& out)         self-adjoint in the product
//   void precondition(const Vector& r, Vector& z)      roughly the inverse of the Hessian
//   double gradient_norm(const Vector& g)              in units of the caller's tolerance: for
//                                                      MPM a velocity, sqrt(sum m |g|^2 / sum m)
//                                                      in the mass product
//   double unit()                                      of the caller's tolerance, in
//   gradient_norm's:
//                                                      where it goes by how far a solve has come.
//                                                      Asked once a Newton step
//   double step_norm(const Vector& d)                  in units of the longest step
//   double renew(const Vector& x, double value)        where the objective changes from one Newton
//                                                      step to the next: its value from now on at
//                                                      the x of the value asked last. Gradients
//                                                      there may be those of the next one
//   double objective_noise()                           rounding of the objective asked last, beyond
//                                                      what the settings say of it
//
// Constraints (OPT 2.2.2). Nothing is active at first.
//   bool project(Vector& x)                            onto constraints that are violated or
//   active;
//                                                      true if any was violated that is not active
//   bool project(Vector& x, Vector& d)                 the same, and d becomes the derivative of
//   the
//                                                      projected point along d
//   void register_active(const Vector& x, const Vector& g)   from now on active: constraints that x
//                                                      touches and that -g presses against
//   void filter(Vector& d)                             the part of d along the active constraints,
//   by
//                                                      a projection that is self-adjoint in the
//                                                      product
//   bool close_met(const Vector& x, const Vector& d)   makes active as well what x touches and d
//   runs
//                                                      into; true if there was any
#pragma once

#include <cmath>

#include "solvers/space.h"

namespace firn {

enum class Curvature {
  exact,     // the Hessian as it is, perhaps indefinite
  definite,  // made positive definite by the problem, say particle by particle
};

template <VectorSpace Space>
class ProblemDefaults {
 public:
  using Vector = typename Space::Vector;

  explicit ProblemDefaults(const Space& space) : space_(space) {}

  void linearize(const Vector&, Curvature) {}
  void precondition(const Vector& r, Vector& z) { space_.copy(r, z); }
  double gradient_norm(const Vector& g) { return std::sqrt(space_.dot(g, g)); }
  double unit() { return 1; }
  double step_norm(const Vector& d) { return std::sqrt(space_.dot(d, d)); }
  double renew(const Vector&, double value) { return value; }
  double objective_noise() { return 0; }
  bool project(Vector&) { return false; }
  bool project(Vector&, Vector&) { return false; }
  void register_active(const Vector&, const Vector&) {}
  void filter(Vector&) {}
  bool close_met(const Vector&, const Vector&) { return false; }

 protected:
  const Space& space_;
};

template <class P, class Space>
concept MinimizationProblem = VectorSpace<Space> &&
    requires(P problem, const typename Space::Vector& in, typename Space::Vector& out,
             Curvature kind) {
  { problem.objective(in) } -> std::convertible_to<double>;
  problem.gradient(in, out);
  problem.linearize(in, kind);
  problem.hessian(in, out);
  problem.precondition(in, out);
  { problem.gradient_norm(in) } -> std::convertible_to<double>;
  { problem.step_norm(in) } -> std::convertible_to<double>;
  { problem.project(out) } -> std::convertible_to<bool>;
  { problem.project(out, out) } -> std::convertible_to<bool>;
  problem.register_active(in, in);
  problem.filter(out);
};

}  // namespace firn
