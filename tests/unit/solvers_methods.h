// The Krylov solvers behind one function.
#pragma once

#include <functional>

#include "solvers/conjugate_gradient.h"
#include "solvers/conjugate_residual.h"
#include "solvers/gmres.h"
#include "solvers/minres.h"
#include "solvers_common.h"

namespace firn::testing {

using Map = std::function<void(const Vector&, Vector&)>;
enum class Method { cg, cr, minres, gmres };
constexpr Method kAll[] = {Method::cg, Method::cr, Method::minres, Method::gmres};
constexpr Method kSymmetric[] = {Method::cg, Method::cr, Method::minres};

struct Options {
  double tolerance = 1e-10;
  int most = 1000, restart = 1000;
  Cancelled cancelled = {};
};

inline KrylovReport solve(Method method, const Space& space, const Map& a, const Map& b,
                          const Vector& right, Vector& x, const Options& options = {}) {
  const auto fill = [&](auto settings) {
    settings.tolerance = options.tolerance;
    settings.most_iterations = options.most;
    settings.cancelled = options.cancelled;
    return settings;
  };
  switch (method) {
    case Method::cg:
      return conjugate_gradient(space, a, b, right, x, fill(CgSettings{}));
    case Method::cr:
      return conjugate_residual(space, a, b, right, x, fill(KrylovSettings{}));
    case Method::minres:
      return minres(space, a, b, right, x, fill(KrylovSettings{}));
    case Method::gmres:
      break;
  }
  GmresSettings settings = fill(GmresSettings{});
  settings.restart = options.restart;
  return gmres(space, a, b, right, x, settings);
}

}  // namespace firn::testing
