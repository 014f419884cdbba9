// Bounds on dt of explicit MPM.
#pragma once

#include <algorithm>
#include <vector>

#include "mpm/state.h"
#include "mpm/step_bound.h"
#include "solver/step_rule.h"

namespace firn {

// Explicit viscosity at the largest J of the fluid, 1/s. A smaller cfl shortens these steps as
// well.
inline double viscous_rate(const MpmSettings& settings, int dimension,
                           const ModelParameters& parameters, double cells, double least_density) {
  const double h = settings.spacing;
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    [[maybe_unused]] const auto& model = std::get<typename Model::Parameters>(parameters);
    if constexpr (requires { Model::largest_viscosity(model); }) {
      const StepBound bound = step_bound(settings.kernel, settings.transfer, dimension, parameters);
      const double borne = bound.viscosity * cells / bound.cells;
      return Model::largest_viscosity(model) / (borne * least_density * h * h);
    } else {
      return 0.0;
    }
  });
}

// Parameters that bear no longer steps than those of any particle of the set, where some vary.
template <class T, int D>
ModelParameters worst_parameters(const MaterialSet<T, D>& set) {
  ModelParameters worst = set.parameters;
  visit_model(worst, [&](auto& p) {
    if constexpr (requires { p.given_mu; }) {
      // Without shear stiffness swelling is stiffest against a plane wave (step_bound.h); of the
      // moduli only the ratio counts.
      if (!varies(set.varied, "mu") && !varies(set.varied, "lambda") &&
          !varies(set.varied, "poisson_ratio"))
        return;
      p.given_mu = 0;
      p.given_lambda = 1;
    } else if constexpr (requires { p.viscosity; }) {
      p.viscosity = largest_value(set, "viscosity", p.viscosity);
      p.det_max = largest_value(set, "det_max", p.det_max);
    }
  });
  return worst;
}

// No material is stepped further than it bears, whatever cfl is.
template <class T, int D>
StepRule explicit_step_rule(const MpmSettings& settings, const Particles<T, D>& all,
                            const std::vector<double>& least_density) {
  double cells = settings.cfl;
  for (const auto& set : all.sets)
    cells = std::min(
        cells, step_bound(settings.kernel, settings.transfer, D, worst_parameters(set)).cells);
  StepRule rule{settings.fixed_dt, settings.max_dt, cells * settings.spacing, 0};
  for (std::size_t s = 0; s < all.sets.size(); ++s)
    rule.viscous = std::max(rule.viscous, viscous_rate(settings, D, worst_parameters(all.sets[s]),
                                                       cells, least_density[s]));
  return rule;
}

}  // namespace firn
