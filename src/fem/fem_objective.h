// What a step minimises, over the places of all nodes:
//
//   E(x) = sum m |x - predicted|^2 / 2 + reach^2 Phi(x)
//   Phi  = elastic energy + damping + penalties + friction
//
// less a constant. `predicted` has gravity in it. Gradients and products are by mass, as the
// space's product wants.
#pragma once

#include <algorithm>

#include "fem/fem_model.h"
#include "fem/obstacle_constraints.h"
#include "fem/obstacle_friction.h"
#include "fem/obstacle_penalty.h"
#include "fem/rigid_coarse.h"
#include "fem/self_contact.h"
#include "fem/self_friction.h"
#include "fem/time_scheme.h"
#include "material/stretch_derivatives.h"
#include "solvers/array_space.h"
#include "solvers/problem.h"

namespace firn {

template <int D>
class FemObjective : public ProblemDefaults<ArraySpace<double>> {
 public:
  using Vector = Buffer<double>;

  FemObjective(const ArraySpace<double>& space, const FemModel<D>& model)
      : ProblemDefaults<ArraySpace<double>>(space),
        model_(model),
        matrix_(model.pattern.zeros()),
        raw_(space.make()),
        product_(space.make()),
        coarse_(model) {
    if (model.damped || model.viscous) damping_ = model.pattern.zeros();
    scale_.resize(model.nodes());
    inverse_.resize(model.nodes() * D * D);
  }

  ObstacleConstraints<D> constraints;
  ObstacleFriction<D> friction;
  ObstaclePenalty<D> penalty;
  std::unique_ptr<SelfContact<D>> self;  // where bodies meet each other
  PairFriction<D> self_friction;
  PairMemory<D> rubbed;  // at the end of the last step

  // A step that begins at x, of v = (x - base) / time. reach: the least way it deals with, m.
  void begin_step(const StepCoefficients& step, const Vector& x, Vector predicted, Vector base,
                  double reach);
  const StepCoefficients& step() const { return step_; }
  const Vector& predicted() const { return predicted_; }

  double objective(const Vector& x);
  void gradient(const Vector& x, Vector& g);
  void linearize(const Vector& x, Curvature kind);
  void hessian(const Vector& d, Vector& out);
  void precondition(const Vector& r, Vector& z);
  double gradient_norm(const Vector& g);
  // The speed that the step deals with: bodies that spring back may go much farther than `reach`.
  double unit() const { return std::max(reach_, way_) / step_.dt; }
  double renew(const Vector& x, double value);
  double objective_noise() const { return noise_; }
  bool project(Vector& x) { return constraints.project(x.data(), nullptr); }
  bool project(Vector& x, Vector& d) { return constraints.project(x.data(), d.data()); }
  void register_active(const Vector& x, const Vector& g) {
    constraints.register_active(x.data(), g.data());
  }
  void filter(Vector& d) { constraints.filter(d.data()); }
  bool close_met(const Vector& x, const Vector& d) {
    return constraints.close_met(x.data(), d.data());
  }
  // For Newton's method on its own (solvers/plain_newton.h).
  void residual(const Vector& x, Vector& r) {
    objective(x);
    gradient(x, r);
  }
  double residual_norm(const Vector& r) { return gradient_norm(r); }
  void linearize(const Vector& x) { linearize(x, Curvature::exact); }
  void jacobian(const Vector& d, Vector& out) { hessian(d, out); }

  // Friction between bodies begins with the forces of the last step.
  void begin_self_friction(double coefficient, double still);
  // It takes the forces at the places asked last; says how much it changed.
  double renew_self_friction(double coefficient, double still);
  // Of the places asked last, which the step ends with.
  void end_self_friction();
  double elastic_energy() const { return elastic_; }
  std::size_t bytes() const;

 private:
  void invert_blocks();
  void build_coarse(const Vector& x);
  double drag(std::size_t node) const {
    return model_.mass_damping[node] * step_.reach2 / step_.time;
  }
  double damping_energy(const Vector& x);
  template <class F>
  void for_nodes(F&& f) const {
    parallel_for("nodes", static_cast<std::int64_t>(model_.nodes()), 4096,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) f(static_cast<std::size_t>(i));
                 });
  }

  const FemModel<D>& model_;
  StepCoefficients step_;
  Vector predicted_, base_, start_;
  BlockMatrix<D> matrix_, damping_;
  Vector raw_, product_;  // derivatives of Phi; where a product or a displacement goes
  double reach_ = 0,
         way_ = 0;  // m, root mean square by mass; way_: from the start to the last guess
  Buffer<double> scale_, inverse_;
  void press(const std::vector<SelfPair<D>>& pairs);
  std::vector<double> pressed_;  // by vertex: what presses where friction is, N
  double elastic_ = 0, noise_ = 0;

  // Taken from the first system of a step on that needed many products.
  RigidCoarse<D> coarse_;
  std::vector<double> shift_;
  int products_ = 0;
  bool slow_ = false;
};

}  // namespace firn
