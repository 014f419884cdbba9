// Bounds on dt of explicit MPM.
#pragma once

#include <algorithm>
#include <vector>

#include "mpm/state.h"
#include "mpm/step_bound.h"
#include "mpm/viscous_limit.h"
#include "solver/step_rule.h"

namespace firn {

// Parameters whose waves bear no longer steps than those of any particle of the set, where some
// vary.
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
    }
  });
  return worst;
}

template <class T, int D>
StepBound step_bound(const MpmSettings& settings, const MaterialSet<T, D>& set) {
  return step_bound(settings.kernel, settings.transfer, D, worst_parameters(set));
}
// Cells that a wave may cross: no material is stepped further than it bears, whatever cfl is.
template <class T, int D>
double step_cells(const MpmSettings& settings, const Particles<T, D>& all) {
  double cells = settings.cfl;
  for (const auto& set : all.sets) cells = std::min(cells, step_bound(settings, set).cells);
  return cells;
}

// Which parameters of a set that vary bound its steps by viscosity: their places in its list, or
// -1.
struct ViscousPlaces {
  int viscosity = -1, ratio = -1;

  bool any() const { return viscosity >= 0 || ratio >= 0; }
};
template <class T, int D>
ViscousPlaces viscous_places(const MaterialSet<T, D>& set) {
  return visit_model(static_cast<int>(set.parameters.index()), [&](auto tag) -> ViscousPlaces {
    using Model = typename decltype(tag)::type;
    if constexpr (!is_viscous<Model>)
      return {};
    else
      return {varied_place(set.varied, "viscosity"),
              Model::kHasF ? -1 : varied_place(set.varied, "det_max")};
  });
}

template <class T, int D>
MostViscous most_viscous(const MaterialSet<T, D>& set) {
  return visit_model(static_cast<int>(set.parameters.index()), [&](auto tag) -> MostViscous {
    using Model = typename decltype(tag)::type;
    if constexpr (!is_viscous<Model>) {
      return {};
    } else {
      const auto& same = std::get<typename Model::Parameters>(set.parameters);
      const ViscousPlaces places = viscous_places(set);
      return {largest_value(set, places.viscosity, Model::viscosity(same)),
              largest_value(set, places.ratio, largest_viscous_ratio<Model>(same))};
    }
  });
}
// By set.
template <class T, int D>
std::vector<MostViscous> most_viscous(const Particles<T, D>& all) {
  std::vector<MostViscous> most;
  for (const auto& set : all.sets) most.push_back(most_viscous(set));
  return most;
}

// ViscousSet::room by set. A smaller cfl shortens steps by viscosity as well.
template <class T, int D>
std::vector<double> viscous_rooms(const MpmSettings& settings, const Particles<T, D>& all,
                                  const std::vector<double>& least_density) {
  const double cells = step_cells(settings, all), h = settings.spacing;
  std::vector<double> rooms;
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    const StepBound bound = step_bound(settings, all.sets[s]);
    const double borne = bound.viscosity * cells / bound.cells;
    rooms.push_back(borne * least_density[s] * h * h);
  }
  return rooms;
}

// `most` and `least_density` by set.
template <class T, int D>
StepRule explicit_step_rule(const MpmSettings& settings, const Particles<T, D>& all,
                            const std::vector<MostViscous>& most,
                            const std::vector<double>& least_density) {
  const std::vector<double> rooms = viscous_rooms(settings, all, least_density);
  std::vector<ViscousSet> sets;
  for (std::size_t s = 0; s < rooms.size(); ++s) sets.push_back({most[s], rooms[s]});
  return {settings.fixed_dt, settings.max_dt, step_cells(settings, all) * settings.spacing,
          viscous_rate(sets.data(), static_cast<int>(sets.size()))};
}

}  // namespace firn
