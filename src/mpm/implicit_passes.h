// The solves of an implicit step, whatever device the vectors are on: friction and what laws hold
// fixed are found again after each, until the equations hold with them.
#pragma once

#include <algorithm>
#include <functional>

#include "mpm/implicit_particle.h"
#include "mpm/implicit_settings.h"
#include "solver/step_report.h"
#include "solvers/minimize.h"
#include "solvers/plain_newton.h"

namespace firn {

// How well a step is solved, m/s. Strains of float have the rounding of F, stresses that of the
// moduli, as a velocity dt M / (rho h) times it: gradients come no nearer to zero. Where that is
// more than some of what moves, solves go on until steps are short: velocities of stiff matter are
// known far better than gradients.
struct SolveGoal {
  double tolerance = 0, rounding = 0, short_step = 0;

  template <class T>
  static SolveGoal of(double setting, double moves, double stiffness_over_mass, double dt,
                      double spacing) {
    constexpr double kUnits = sizeof(T) == 4 ? 5 * 6e-8 : 0, kLeast = 0.02;
    const double rounding = kUnits * dt * stiffness_over_mass / spacing;
    return {std::max(setting * moves, std::min(rounding, kLeast * moves)), rounding,
            setting * moves};
  }
  bool is_reached_by(double residual) const { return residual <= std::max(tolerance, rounding); }
  // Of what was found again after a solve.
  bool bears(double residual) const { return is_reached_by(residual / 2); }
};

template <class T, VectorSpace Space, class Objective>
class ImplicitPasses {
 public:
  using Vector = typename Space::Vector;

  // rubs: obstacles have friction.
  ImplicitPasses(const Space& space, Objective& objective, const ImplicitSettings& settings,
                 bool rubs, const SolveGoal& goal, const std::function<bool()>& cancelled)
      : space_(space),
        objective_(objective),
        settings_(settings),
        rubs_(rubs),
        goal_(goal),
        cancelled_(cancelled) {}

  // From v, or from the other guess. g becomes the gradient without friction at the solution.
  // update_friction(v, g): finds it again, and gives how much it changed, of the larger one.
  template <class UpdateFriction>
  SolveReport run(Vector& v, const Vector& other, Vector& g,
                  const UpdateFriction& update_friction) {
    const bool repeats = rubs_ || objective_.holds();
    SolveReport report;
    if (objective_.holds()) objective_.start_renewing();
    const double last_goal = goal_.tolerance;
    double goal = repeats ? kFirstGoal * last_goal : last_goal;
    int misses = 0;  // in a row
    start_from_rest_if_lower(v, g);
    for (int pass = 0;; ++pass) {
      report.add(solve(goal, v, pass == 0 ? &other : nullptr, g));
      if (report.cancelled) return report;
      misses = report.missed ? misses + 1 : 0;
      objective_.objective(v);
      objective_.plain_gradient(v, g);
      const double changed = rubs_ ? update_friction(v, g) : 0;
      if (repeats) report.residual = residual_now(v);
      const bool at_last_goal = goal <= last_goal, held = goal_.bears(report.residual);
      report.missed =
          !held || (report.missed && at_last_goal && !goal_.is_reached_by(report.residual));
      const bool settled =
          (report.residual <= 2 * last_goal || (at_last_goal && held)) && changed < kFrictionChange;
      if (!repeats || settled || pass == kMostPasses || misses == kMostMisses) return report;
      goal = std::max(last_goal, kNextGoal * goal);
    }
  }

 private:
  // Solves after which friction and what laws hold fixed are taken as they are, and by how much
  // friction may change in the last.
  static constexpr int kMostPasses = 20;
  // Solves in a row that miss their goal, after which a shorter step is the better try.
  static constexpr int kMostMisses = 2;
  static constexpr double kFrictionChange = 0.02;
  // What is found again need not be exact before: tolerances of the first solve, and of each next
  // one of the one before.
  static constexpr double kFirstGoal = 100, kNextGoal = 0.3;
  // Relative tolerance of linear systems, at least: contacts that come and go, friction and large
  // rotations leave no quadratic convergence that better ones could serve.
  static constexpr double kTightestLinear = 0.3, kTightestQuadratic = 1e-2;
  static constexpr double kRounding = sizeof(T) == 4 ? 1e-6 : 1e-14;

  // Where v runs into obstacles the nodes there stop, and the matter behind them does not: what is
  // stiff is far better off at rest as a whole. `rest`: where that may be.
  void start_from_rest_if_lower(Vector& v, Vector& rest) const {
    if (settings_.kind == IntegratorKind::semi_implicit || !objective_.project(v)) return;
    space_.scale(0, rest);
    objective_.project(rest);
    const double least = objective_.without_matter(rest), now = objective_.objective(v);
    if (least < now && objective_.objective(rest) < now) space_.copy(rest, v);
  }

  // Newton's method may go back and forth between the sides of kinks, water that is just pressed or
  // just not: what it leaves is minimised.
  SolveReport solve(double tolerance, Vector& v, const Vector* other, Vector& room) const {
    if (settings_.kind != IntegratorKind::newton || objective_.holds() || rubs_)
      return solve_downhill(tolerance, v, other, room);
    SolveReport report = solve_plainly(tolerance, v, other);
    if (report.missed && !report.cancelled) report.add(solve_downhill(tolerance, v, nullptr, room));
    return report;
  }
  SolveReport solve_downhill(double tolerance, Vector& v, const Vector* other, Vector& room) const {
    const bool semi = settings_.kind == IntegratorKind::semi_implicit;
    MinimizeSettings minimization;
    minimization.tolerance = tolerance;
    minimization.gradient_noise = goal_.rounding;
    minimization.short_step = goal_.short_step;
    minimization.most_steps = settings_.max_newton;
    minimization.flat = sizeof(T) == 4 ? 1e-8 : 1e-14;
    // Its energy is a sum of products of forces, which have more rounding than energies.
    minimization.objective_rounding = (semi ? 4 : 1) * kRounding;
    minimization.quadratic = semi;
    minimization.tightest_linear = semi ? kTightestQuadratic : kTightestLinear;
    minimization.cancelled = cancelled_;
    const MinimizeReport found = minimize(space_, objective_, v, minimization, other, room);
    return report_of(found, found.search_steps, found.gradient,
                     found.stop == MinimizeStop::cancelled);
  }
  SolveReport solve_plainly(double tolerance, Vector& v, const Vector* other) const {
    PlainNewtonSettings newton;
    newton.tolerance = tolerance;
    newton.most_steps = settings_.max_newton;
    newton.backtracking = true;
    newton.linear_tolerance = 1e-3;
    newton.loosest_linear = 0.5;
    newton.cancelled = cancelled_;
    const PlainNewtonReport found = plain_newton(space_, objective_, v, newton, other);
    return report_of(found, found.halvings, found.residual_after,
                     found.stop == NewtonStop::cancelled);
  }
  template <class Found>
  static SolveReport report_of(const Found& found, int search_steps, double residual,
                               bool cancelled) {
    SolveReport report;
    report.newton_iterations = found.newton_steps;
    report.krylov_iterations = found.krylov_iterations;
    report.search_steps = search_steps;
    report.residual = residual;
    report.missed = !found.converged();
    report.cancelled = cancelled;
    return report;
  }
  // With friction as it is now, and with what laws would hold fixed.
  double residual_now(const Vector& v) const {
    Vector left = space_.make();
    objective_.gradient(v, left);
    objective_.register_active(v, left);
    objective_.filter(left);
    return objective_.gradient_norm(left) / (objective_.holds() ? kHeldShare : 1);
  }

  const Space& space_;
  Objective& objective_;
  const ImplicitSettings& settings_;
  bool rubs_;
  SolveGoal goal_;
  const std::function<bool()>& cancelled_;
};

}  // namespace firn
