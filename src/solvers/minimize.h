// Newton's method as a minimization that cannot go uphill (OPT 2.2): rough linear solves far from
// the solution, a search along each step, constraints by projection with the active set kept for a
// Newton step. Points where the objective is not finite count as too high and are never taken.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/conjugate_gradient.h"
#include "solvers/minimize_scalars.h"
#include "solvers/minimize_settings.h"
#include "solvers/minres.h"
#include "solvers/secant_memory.h"

namespace firn {

template <VectorSpace Space, MinimizationProblem<Space> Problem>
class Minimizer {
  using Vector = typename Space::Vector;

 public:
  Minimizer(const Space& space, Problem& problem, const MinimizeSettings& settings, Vector& room)
      : space_(space),
        problem_(problem),
        settings_(settings),
        room_(room),
        secants_(space, settings.most_secants) {}

  // From x, or from the other guess where that lies lower. x becomes the lowest point found.
  MinimizeReport run(Vector& x, const Vector* other_guess) {
    report_ = {};
    begin(x, other_guess);
    while (!ends(x)) {
      definite_ = definite_left_ > 0;
      if (definite_) --definite_left_;
      if (definite_)
        secants_.end(x, gradient_);
      else
        secants_.clear();
      linearize(x);
      step_ = {report_.newton_steps + 1, report_.gradient, 0, 0, 0, false};
      find_direction(x);
      if (report_.stop == MinimizeStop::cancelled) break;
      if (definite_) secants_.begin(x, gradient_);
      if (!descend(x) && !descend_steepest(x)) break;
      ++report_.newton_steps;
      if (settings_.watch) settings_.watch(step_);
    }
    report_.objective_after = value_;
    return report_;
  }

 private:
  void begin(Vector& x, const Vector* other_guess) {
    problem_.project(x);
    value_ = problem_.objective(x);
    if (std::isfinite(value_)) problem_.gradient(x, gradient_);
    if (other_guess) take_lower(x, *other_guess);
    lowest_ = report_.objective_before = value_;
    if (std::isfinite(value_)) renew(x);
  }
  // The other guess is worth a look where the way there begins downhill.
  void take_lower(Vector& x, const Vector& other_guess) {
    space_.copy(other_guess, trial_);
    problem_.project(trial_);
    space_.copy(trial_, direction_);
    space_.combine(-1, x, 1, direction_);
    if (std::isfinite(value_) && space_.dot(direction_, gradient_) >= 0) return;
    const double other = problem_.objective(trial_);
    if (std::isfinite(other) && !(value_ <= other)) {
      space_.copy(trial_, x);
      value_ = other;
    } else {
      value_ = problem_.objective(x);
    }
    if (std::isfinite(value_)) problem_.gradient(x, gradient_);
  }
  void renew(const Vector& x) {
    const double now = problem_.renew(x, value_);
    lowest_ += now - value_;
    value_ = now;
  }

  // Registers the active set, measures the gradient along it, and says whether this is the end.
  bool ends(const Vector& x) {
    report_.stop = MinimizeStop::breakdown;
    if (!std::isfinite(value_)) return true;
    problem_.register_active(x, gradient_);
    problem_.filter(gradient_);
    report_.gradient = problem_.gradient_norm(gradient_);
    if (!std::isfinite(report_.gradient)) return true;
    if (report_.newton_steps == 0) first_gradient_ = report_.gradient;
    tolerance_ = settings_.tolerance * problem_.unit();
    const bool small =
        report_.gradient <= tolerance_ ||
        (report_.gradient <= settings_.gradient_noise && last_step_ <= settings_.short_step);
    if (report_.gradient == 0 || (small && report_.newton_steps >= settings_.least_steps))
      report_.stop = MinimizeStop::converged;
    else if (report_.newton_steps >= settings_.most_steps)
      report_.stop = MinimizeStop::iteration_limit;
    else if (asks_to_stop(settings_.cancelled))
      report_.stop = MinimizeStop::cancelled;
    else
      return false;
    return true;
  }

  void linearize(const Vector& x) {
    problem_.linearize(x, definite_ ? Curvature::definite : settings_.curvature);
  }

  // A direction that runs into what x touches would be bent at once, and lead nowhere: it is found
  // again along that.
  void find_direction(const Vector& x) {
    constexpr int kMostTries = 5;
    for (int tries = 1;; ++tries) {
      solve_for_direction(x);
      if (report_.stop == MinimizeStop::cancelled || tries == kMostTries) return;
      if (!problem_.close_met(x, direction_)) return;
      problem_.filter(gradient_);
    }
  }
  void solve_for_direction(const Vector& x) {
    const bool bends_down = solve_linear() == KrylovStop::indefinite;
    if (!definite_ && !bends_down) definite_run_ = 1;
    if (!definite_ && bends_down && settings_.most_definite_steps > 0) {
      definite_ = true;
      definite_run_ = std::min(2 * definite_run_, settings_.most_definite_steps);
      definite_left_ = definite_run_ - 1;
      linearize(x);
      solve_linear();
    }
    make_downhill();
  }
  KrylovStop solve_linear() {
    space_.copy(gradient_, trial_);
    space_.scale(-1, trial_);
    if (definite_) secants_.before(trial_);
    space_.copy(gradient_, direction_);
    space_.scale(0, direction_);
    auto apply = [this](const Vector& d, Vector& out) {
      problem_.hessian(d, out);
      problem_.filter(out);
    };
    auto precondition = [this](const Vector& r, Vector& z) { precondition_along(r, z); };
    CgSettings linear;
    linear.tolerance = linear_tolerance_now();
    linear.most_iterations = settings_.most_krylov_iterations;
    linear.from_zero = true;
    linear.cancelled = settings_.cancelled;
    linear.at_indefinite = settings_.at_indefinite;
    linear.flat = settings_.flat;
    const KrylovReport solved =
        settings_.linear_solver == LinearSolver::minres
            ? minres(space_, apply, precondition, trial_, direction_, linear)
            : solve_by_cg(apply, precondition, linear);
    if (definite_) secants_.after(direction_);
    report_.krylov_iterations += solved.iterations;
    step_.krylov_iterations += solved.iterations;
    report_.stop = solved.stop == KrylovStop::cancelled ? MinimizeStop::cancelled
                                                        : MinimizeStop::iteration_limit;
    return solved.stop;
  }
  double linear_tolerance_now() const {
    constexpr double kWithin = 0.8;
    const double found =
        settings_.quadratic
            ? std::min(settings_.loosest_linear, kWithin * tolerance_ / report_.gradient)
            : linear_tolerance(report_.gradient, tolerance_, first_gradient_,
                               settings_.loosest_linear);
    return std::max(settings_.tightest_linear, found);
  }
  // A problem may have conjugate gradients of its own, which take the same steps.
  template <class Operator, class Preconditioner>
  KrylovReport solve_by_cg(Operator& apply, Preconditioner& precondition,
                           const CgSettings& linear) {
    if constexpr (requires { problem_.conjugate_gradient(trial_, direction_, linear); })
      return problem_.conjugate_gradient(trial_, direction_, linear);
    else  // what a search needs is free until there is a direction
      return conjugate_gradient(space_, apply, precondition, trial_, direction_, linear,
                                {trial_, tangent_, trial_gradient_, room_});
  }
  void precondition_along(const Vector& r, Vector& z) {
    problem_.precondition(r, z);
    problem_.filter(z);
  }
  void make_downhill() {
    const double dd = space_.dot(direction_, direction_);
    const double gg = space_.dot(gradient_, gradient_);
    switch (points_down(space_.dot(direction_, gradient_), dd, gg, settings_.downhill)) {
      case Downhill::yes:
        return;
      case Downhill::reversed:
        space_.scale(-1, direction_);
        return;
      case Downhill::no:
        take_steepest();
        return;
    }
  }
  void take_steepest() {
    step_.steepest = true;
    precondition_along(gradient_, direction_);
    if (!(space_.dot(direction_, gradient_) > 0)) space_.copy(gradient_, direction_);
    space_.scale(-1, direction_);
  }

  bool descend_steepest(Vector& x) {
    if (step_.steepest || report_.stop == MinimizeStop::cancelled) return false;
    take_steepest();
    return descend(x);
  }
  // Searches along the direction and moves x; false, with the reason, where it finds nothing lower.
  bool descend(Vector& x) {
    space_.scale(clamp_factor(problem_.step_norm(direction_), settings_.longest_step), direction_);
    const double slope = space_.dot(direction_, gradient_);
    report_.stop = MinimizeStop::stalled;
    if (!(slope < 0)) return false;
    PathSearch search(value_, slope, rules());
    while (!search.done()) {
      try_length(x, search);
      if (!asks_to_stop(settings_.cancelled)) continue;
      report_.stop = MinimizeStop::cancelled;
      return false;
    }
    report_.search_steps += search.steps();
    if (!search.found()) return false;
    accept(x, search);
    return true;
  }
  SearchRules rules() const {
    SearchRules rules;
    rules.kind = settings_.search;
    rules.most_steps = settings_.most_search_steps;
    rules.noise = settings_.objective_rounding * std::abs(value_) + settings_.objective_noise +
                  problem_.objective_noise();
    rules.ceiling = lowest_ + rules.noise;
    return rules;
  }
  void try_length(const Vector& x, PathSearch& search) {
    tried_ = search.alpha();
    space_.copy(x, trial_);
    space_.combine(tried_, direction_, 1, trial_);
    space_.copy(direction_, tangent_);
    const bool met = problem_.project(trial_, tangent_);
    const double value = problem_.objective(trial_);
    double slope = std::numeric_limits<double>::quiet_NaN();
    if (search.wants_slope(value)) {
      problem_.gradient(trial_, trial_gradient_);
      slope = space_.dot(trial_gradient_, tangent_);
    }
    search.judge(value, slope, met);
  }
  void accept(Vector& x, PathSearch& search) {
    if (tried_ != search.best().alpha) {
      space_.copy(x, trial_);
      space_.combine(search.best().alpha, direction_, 1, trial_);
      problem_.project(trial_);
      problem_.objective(trial_);
      problem_.gradient(trial_, trial_gradient_);
    }
    space_.copy(trial_, x);
    space_.copy(trial_gradient_, gradient_);
    value_ = search.best().value;
    lowest_ = std::min(lowest_, value_);
    renew(x);
    step_.alpha = search.best().alpha;
    last_step_ = step_.alpha * problem_.gradient_norm(direction_);
    step_.objective = value_;
  }

  const Space& space_;
  Problem& problem_;
  const MinimizeSettings& settings_;
  Vector& room_;
  Vector gradient_ = space_.make(), direction_ = space_.make(), tangent_ = space_.make(),
         trial_ = space_.make(), trial_gradient_ = space_.make();
  double value_ = 0, lowest_ = 0, first_gradient_ = 0, tolerance_ = 0, tried_ = 0,
         last_step_ = HUGE_VAL;
  SecantMemory<Space> secants_;  // of definite steps on end
  bool definite_ = false;
  int definite_left_ = 0, definite_run_ = 1;
  NewtonStep step_;
  MinimizeReport report_;
};

// room: a vector to work in, whatever it holds.
template <VectorSpace Space, class Problem>
MinimizeReport minimize(const Space& space, Problem& problem, typename Space::Vector& x,
                        const MinimizeSettings& settings, const typename Space::Vector* other_guess,
                        typename Space::Vector& room) {
  return Minimizer<Space, Problem>(space, problem, settings, room).run(x, other_guess);
}
template <VectorSpace Space, class Problem>
MinimizeReport minimize(const Space& space, Problem& problem, typename Space::Vector& x,
                        const MinimizeSettings& settings,
                        const typename Space::Vector* other_guess = nullptr) {
  auto room = space.make();
  return minimize(space, problem, x, settings, other_guess, room);
}

}  // namespace firn
