// Settings and reports of the minimizer.
#pragma once

#include <cmath>
#include <functional>

#include "solvers/conjugate_gradient.h"
#include "solvers/problem.h"
#include "solvers/search_scalars.h"
#include "solvers/space.h"

namespace firn {

enum class LinearSolver {
  conjugate_gradient,  // ends at indefiniteness, so that it always points down
  minres,
};

enum class MinimizeStop {
  converged,
  iteration_limit,
  stalled,    // no lower point on any path that was tried
  breakdown,  // the objective or its gradient is not finite at the start
  cancelled
};

// One accepted step, for logs.
struct NewtonStep {
  int number = 0;        // from 1
  double gradient = 0;   // before it
  double objective = 0;  // after it
  double alpha = 0;      // length along the path
  int krylov_iterations = 0;
  bool steepest = false;  // along the preconditioned gradient instead of Newton's direction
};

struct MinimizeSettings {
  double tolerance = 1e-6;  // tau, in units of the problem's gradient_norm times unit()
  // Rounding of gradients, in the same unit: where one is within it, it is enough that the last
  // step was short, its norm that of gradients.
  double gradient_noise = 0, short_step = 0;
  double longest_step = HUGE_VAL;  // ell, in units of the problem's step_norm
  double downhill = 1e-4;          // kappa: least cosine between a step and the steepest descent
  // Relative tolerance of linear systems, at most and at least.
  double loosest_linear = 0.5, tightest_linear = 0;
  bool quadratic = false;  // nearly so: linear systems are solved as well as the whole is to be
  int least_steps = 0;     // taken however small the gradient
  int most_steps = 200;
  int most_krylov_iterations = 1000;
  double flat = 1e-12;  // of CgSettings
  AtIndefinite at_indefinite = AtIndefinite::follow;
  LinearSolver linear_solver = LinearSolver::conjugate_gradient;
  Curvature curvature = Curvature::exact;
  // Where exact curvature bends down, that many steps at most go by a definite one before it is
  // looked at again: 2, then twice as many each time. 0: never.
  int most_definite_steps = 0;
  // So many of the last definite steps tell what the definite curvature lacks.
  int most_secants = 0;
  SearchKind search = SearchKind::wolfe;
  int most_search_steps = 40;
  // Rounding of the objective, relative to its size and absolute (where large terms cancel).
  double objective_rounding = 1e-14, objective_noise = 0;
  Cancelled cancelled;
  std::function<void(const NewtonStep&)> watch;
};

struct MinimizeReport {
  int newton_steps = 0, krylov_iterations = 0, search_steps = 0;
  double gradient = 0;  // along the active constraints, by the problem's norm
  double objective_before = 0, objective_after = 0;
  MinimizeStop stop = MinimizeStop::iteration_limit;

  bool converged() const { return stop == MinimizeStop::converged; }
};

}  // namespace firn
