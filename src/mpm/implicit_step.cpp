#include "mpm/implicit_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/minimize.h"
#include "solvers/plain_newton.h"

namespace firn {
namespace {

// Solves after which friction and what laws hold fixed are taken as they are, and by how much
// friction may change in the last.
constexpr int kMostPasses = 20;
constexpr double kFrictionChange = 0.02;
// What is found again need not be exact before: tolerances of the first solve, and of each next one
// of the one before.
constexpr double kFirstGoal = 30, kNextGoal = 0.2;

// Relative tolerance of linear systems, at least: contacts that come and go, friction and large
// rotations leave no quadratic convergence that better ones could serve.
constexpr double kTightestLinear = 0.3;

template <class T>
constexpr double kRounding = sizeof(T) == 4 ? 1e-6 : 1e-14;

}  // namespace

template <class T, int D>
void ImplicitStep<T, D>::find_velocities(MpmState<T, D>& state, const Buffer<Node<T>>& kicks) {
  NodeField<T, D>& field = state.nodes[0].velocity;
  mass_.resize(field.size());
  before_.resize(field.size());
  free_.resize(field.size());
  parallel_for("velocities", static_cast<std::int64_t>(field.size()), 4096,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   Node<T> node = field.data()[i];
                   const T mass = node[kMassLane];
                   const bool empty = !(mass > kLeastMass<T>);
                   mass_[i] = empty ? T(0) : mass;
                   node = empty ? Node<T>(0) : node * Node<T>(T(1) / mass);
                   node.set(kMassLane, T(0));
                   before_[i] = node;
                   free_[i] = empty ? node : node + kicks[i];
                 }
               });
}

template <class T, int D>
double ImplicitStep<T, D>::tolerance_of(const NodeSpace<T, D>& space, double total_mass) const {
  const auto mean = [&](const auto& of) {
    return std::sqrt(space.sum([&](std::size_t i) {
      double sum = 0;
      for (int a = 0; a < D; ++a) sum += double(of(i)[a]) * double(of(i)[a]);
      return double(space.mass()[i]) * sum;
    }) / total_mass);
  };
  const double speed = mean([&](std::size_t i) { return before_[i]; });
  const double gained = mean([&](std::size_t i) { return free_[i] - before_[i]; });
  return settings_.implicit.tolerance * std::max({speed, gained, 1e-12});
}

// The weight of a node at a particle is at most its mass over the particle's: a node with almost
// none may be as fast as it likes.
template <class T, int D>
double ImplicitStep<T, D>::largest_motion(const MpmState<T, D>& state, const Vector& v) const {
  T lightest = std::numeric_limits<T>::max();
  for (const auto& set : state.sets) {
    const T* mass = set.particles.mass[0];
    if (set.particles.size() > 0)
      lightest = std::min(lightest, *std::min_element(mass, mass + set.particles.size()));
  }
  return NodeSpace<T, D>(mass_).largest([&](std::size_t i) {
    const Vec<T, D> velocity = velocity_of<D>(v[i]);
    return std::sqrt(dot(velocity, velocity)) * std::min(T(1), mass_[i] / lightest);
  });
}

// Strains of float have the rounding of F, stresses that of the moduli: as a velocity,
// dt M / (rho h) times it. No solve comes nearer.
template <class T, int D>
double ImplicitStep<T, D>::gradient_rounding(const StepContext<T, D>& ctx,
                                             const ImplicitObjective<T, D>& objective) {
  constexpr double kUnits = 5 * 6e-8;
  return kUnits * double(ctx.dt) * objective.stiffness() / (objective.total_mass() * ctx.spacing);
}

template <class T, int D>
SolveReport ImplicitStep<T, D>::solve(const NodeSpace<T, D>& space,
                                      ImplicitObjective<T, D>& objective, double tolerance,
                                      Vector& v, const Vector* other) const {
  SolveReport report;
  if (settings_.implicit.kind == IntegratorKind::newton && !objective.holds() &&
      !contacts_.rubs()) {
    PlainNewtonSettings newton;
    newton.tolerance = tolerance;
    newton.most_steps = settings_.implicit.max_newton;
    newton.backtracking = true;
    newton.linear_tolerance = 1e-3;
    newton.loosest_linear = 0.5;
    newton.cancelled = cancelled_;
    const PlainNewtonReport found = plain_newton(space, objective, v, newton, other);
    report.newton_iterations = found.newton_steps;
    report.krylov_iterations = found.krylov_iterations;
    report.search_steps = found.halvings;
    report.residual = found.residual_after;
    report.missed = !found.converged();
    report.cancelled = found.stop == NewtonStop::cancelled;
    return report;
  }
  const bool semi = settings_.implicit.kind == IntegratorKind::semi_implicit;
  MinimizeSettings minimization;
  minimization.tolerance = tolerance;
  minimization.most_steps = settings_.implicit.max_newton;
  minimization.flat = sizeof(T) == 4 ? 1e-8 : 1e-14;
  minimization.objective_rounding = kRounding<T>;
  minimization.quadratic = semi;
  minimization.tightest_linear = semi ? 1e-2 : kTightestLinear;
  minimization.cancelled = cancelled_;
  const MinimizeReport found = minimize(space, objective, v, minimization, other);
  report.newton_iterations = found.newton_steps;
  report.krylov_iterations = found.krylov_iterations;
  report.search_steps = found.search_steps;
  report.residual = found.gradient;
  report.missed = !found.converged();
  report.cancelled = found.stop == MinimizeStop::cancelled;
  return report;
}

// With friction and what laws hold fixed as they are now; g: the gradient without friction.
template <class T, int D>
double ImplicitStep<T, D>::residual_of(const ImplicitObjective<T, D>& objective, const Vector& v,
                                       const Vector& g) {
  Vector left = g;
  contacts_.add_friction_gradient(v, left);
  contacts_.register_active(v, left);
  contacts_.filter(left);
  return objective.gradient_norm(left);
}

template <class T, int D>
SolveReport ImplicitStep<T, D>::run(const StepContext<T, D>& ctx, MpmState<T, D>& state,
                                    const std::vector<Collider>& colliders,
                                    const ContactMap<D>& map, const Buffer<Node<T>>& kicks,
                                    std::vector<std::vector<ContactImpulse>>& given) {
  SpeciesNodes<T, D>& on = state.nodes[0];
  find_velocities(state, kicks);
  const NodeSpace<T, D> space(mass_);
  if (!(space.largest([&](std::size_t i) { return mass_[i]; }) > 0)) return {};  // nobody is there
  contacts_.build(ctx, state.blocks, colliders, map, mass_, free_);
  contacts_.set_scale(free_);
  const bool rubs = contacts_.rubs() && !on.grip.keys.empty();
  if (rubs) contacts_.start_friction(on.grip.impulses.data(), ctx.dt);
  const bool relative = settings_.kernel != KernelKind::linear;
  ImplicitObjective<T, D> objective(space, ctx, state, operators_, relative, free_, contacts_,
                                    settings_.implicit.preconditioner);
  if (settings_.implicit.kind == IntegratorKind::semi_implicit)
    objective.make_quadratic(settings_.implicit.beta);
  double tolerance = tolerance_of(space, objective.total_mass());
  if (sizeof(T) == 4) tolerance = std::max(tolerance, gradient_rounding(ctx, objective));

  Vector v = free_, g = space.make();
  SolveReport report;
  if (objective.holds()) objective.hold(space.make());
  double goal = rubs || objective.holds() ? kFirstGoal * tolerance : tolerance;
  for (int pass = 0;; ++pass) {
    report.add(solve(space, objective, goal, v, pass == 0 ? &before_ : nullptr));
    if (report.cancelled) return report;
    if (objective.holds()) objective.hold(v);
    objective.objective(v);
    objective.plain_gradient(v, g);
    const double changed = rubs ? contacts_.update_friction(v, g) : 0;
    if (rubs || objective.holds()) report.residual = residual_of(objective, v, g);
    const bool held = report.residual <= 2 * tolerance;
    report.missed = (report.missed && goal <= tolerance) || !held;
    if ((held && changed < kFrictionChange) || pass == kMostPasses) break;
    goal = std::max(tolerance, kNextGoal * goal);
  }
  contacts_.give_impulses(v, g, colliders, settings_.spacing, state.blocks, given);
  report.speed = largest_motion(state, v);
  bytes_ = objective.bytes() + mass_.bytes() + 12 * v.bytes();
  space.for_nodes([&](std::size_t i) {
    if (ctx.split) on.change.data()[i] = v[i] - before_[i];
    Node<T> node = v[i];
    node.set(kMassLane, mass_[i]);
    on.velocity.data()[i] = node;
  });
  return report;
}

template class ImplicitStep<float, 2>;
template class ImplicitStep<float, 3>;
template class ImplicitStep<double, 2>;
template class ImplicitStep<double, 3>;

}  // namespace firn
