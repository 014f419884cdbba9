// Newton's method on equations r(x) = 0 as they stand, for systems without an objective: full steps
// from GMRES, shortened by halves until the residual falls where that is asked for.
//
// A problem has
//   void residual(const Vector& x, Vector& r)
//   double residual_norm(const Vector& r)
//   void linearize(const Vector& x)                 prepares the Jacobian at x
//   void jacobian(const Vector& d, Vector& out)
//   void precondition(const Vector& r, Vector& z)
// and, where x is bound (solvers/problem.h),
//   bool project(Vector& x), void register_active(const Vector& x, const Vector& r), void
//   filter(Vector& d)
#pragma once

#include <algorithm>
#include <cmath>

#include "solvers/gmres.h"
#include "solvers/minimize_scalars.h"

namespace firn {

enum class NewtonStop {
  converged,
  iteration_limit,
  stalled,    // backtracking found no smaller residual
  breakdown,  // a residual or a step that is not finite
  cancelled
};

struct PlainNewtonSettings {
  double tolerance = 1e-6;  // in units of the problem's residual_norm
  int most_steps = 50;
  double linear_tolerance = 1e-3;
  // Rough linear solves while the residual is large, as minimize's: up to this; 0: never.
  double loosest_linear = 0;
  int most_krylov_iterations = 1000;
  int restart = 30;
  bool backtracking = false;
  int most_halvings = 30;
  Cancelled cancelled;
};

struct PlainNewtonReport {
  int newton_steps = 0, krylov_iterations = 0, halvings = 0;
  double residual_before = 0, residual_after = 0;
  NewtonStop stop = NewtonStop::iteration_limit;

  bool converged() const { return stop == NewtonStop::converged; }
};

template <VectorSpace Space, class Problem>
class PlainNewton {
  using Vector = typename Space::Vector;

 public:
  PlainNewton(const Space& space, Problem& problem, const PlainNewtonSettings& settings)
      : space_(space), problem_(problem), settings_(settings) {}

  // From x, or from the other guess where the residual is smaller.
  PlainNewtonReport run(Vector& x, const Vector* other_guess = nullptr) {
    report_ = {};
    begin(x);
    if (other_guess) {
      const double first = norm_;
      space_.copy(x, trial_);
      space_.copy(*other_guess, x);
      begin(x);
      if (!(norm_ < first)) {
        space_.copy(trial_, x);
        begin(x);
      }
    }
    report_.residual_before = norm_;
    while (!ends() && solve_for_step(x) && move(x)) ++report_.newton_steps;
    report_.residual_after = norm_;
    return report_;
  }

 private:
  void begin(Vector& x) {
    if constexpr (kBound) problem_.project(x);
    find_residual(x);
    norm_ = problem_.residual_norm(residual_);
  }

  static constexpr bool kBound = requires(Problem problem, Vector& x) {
    problem.project(x);
    problem.register_active(x, x);
    problem.filter(x);
  };

  void find_residual(const Vector& x) {
    problem_.residual(x, residual_);
    if constexpr (kBound) {
      problem_.register_active(x, residual_);
      problem_.filter(residual_);
    }
  }
  // Along the directions that are open.
  void filter(Vector& d) {
    if constexpr (kBound) problem_.filter(d);
  }
  bool ends() {
    if (!std::isfinite(norm_))
      report_.stop = NewtonStop::breakdown;
    else if (norm_ <= settings_.tolerance)
      report_.stop = NewtonStop::converged;
    else if (report_.newton_steps >= settings_.most_steps)
      report_.stop = NewtonStop::iteration_limit;
    else
      return false;
    return true;
  }
  bool solve_for_step(const Vector& x) {
    problem_.linearize(x);
    GmresSettings linear;
    linear.tolerance = settings_.linear_tolerance;
    if (settings_.loosest_linear > 0)
      linear.tolerance =
          std::max(linear.tolerance,
                   firn::linear_tolerance(norm_, settings_.tolerance, report_.residual_before,
                                          settings_.loosest_linear));
    linear.most_iterations = settings_.most_krylov_iterations;
    linear.restart = settings_.restart;
    linear.from_zero = true;
    linear.cancelled = settings_.cancelled;
    space_.copy(residual_, step_);
    space_.scale(0, step_);
    const KrylovReport solved = solve_by_gmres(linear);
    report_.krylov_iterations += solved.iterations;
    if (solved.stop == KrylovStop::cancelled) report_.stop = NewtonStop::cancelled;
    return solved.stop != KrylovStop::cancelled;
  }
  // A problem may have GMRES of its own, which takes the same steps.
  KrylovReport solve_by_gmres(const GmresSettings& linear) {
    if constexpr (requires { problem_.gmres(residual_, step_, linear); })
      return problem_.gmres(residual_, step_, linear);
    else
      return gmres(
          space_,
          [this](const Vector& d, Vector& out) {
            problem_.jacobian(d, out);
            filter(out);
          },
          [this](const Vector& r, Vector& z) {
            problem_.precondition(r, z);
            filter(z);
          },
          residual_, step_, linear);
  }
  // x - alpha step, if that is finite and, where asked for, better than x.
  bool move(Vector& x) {
    double alpha = 1;
    for (int halvings = 0;; ++halvings, alpha /= 2) {
      space_.copy(x, trial_);
      space_.combine(-alpha, step_, 1, trial_);
      if constexpr (kBound) problem_.project(trial_);
      find_residual(trial_);
      const double norm = problem_.residual_norm(residual_);
      if (std::isfinite(norm) && (!settings_.backtracking || norm < (1 - 1e-4 * alpha) * norm_)) {
        space_.copy(trial_, x);
        norm_ = norm;
        return true;
      }
      report_.stop = settings_.backtracking ? NewtonStop::stalled : NewtonStop::breakdown;
      if (!settings_.backtracking || halvings == settings_.most_halvings) return false;
      if (asks_to_stop(settings_.cancelled)) {
        report_.stop = NewtonStop::cancelled;
        return false;
      }
      ++report_.halvings;
    }
  }

  const Space& space_;
  Problem& problem_;
  const PlainNewtonSettings& settings_;
  Vector residual_ = space_.make(), step_ = space_.make(), trial_ = space_.make();
  double norm_ = 0;
  PlainNewtonReport report_;
};

template <VectorSpace Space, class Problem>
PlainNewtonReport plain_newton(const Space& space, Problem& problem, typename Space::Vector& x,
                               const PlainNewtonSettings& settings,
                               const typename Space::Vector* other_guess = nullptr) {
  return PlainNewton<Space, Problem>(space, problem, settings).run(x, other_guess);
}

}  // namespace firn
