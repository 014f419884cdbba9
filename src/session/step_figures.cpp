#include "session/step_figures.h"

#include <algorithm>

namespace firn {

Figures solver_figures(const FrameStats& stats) {
  Figures figures;
  const double steps = static_cast<double>(std::max<std::int64_t>(1, stats.steps));
  const auto add_per_step = [&](const char* name, std::int64_t total) {
    figures.emplace_back(name, static_cast<double>(total) / steps);
  };
  if (const auto& grains = stats.grains) {
    add_per_step("iterations a step", grains->iterations);
    add_per_step("shift iterations a step", grains->shift_iterations);
    figures.emplace_back("mean density error, %", 100 * grains->mean_density_error);
    figures.emplace_back("max density error, %", 100 * grains->max_density_error);
    figures.emplace_back("strain rate error, 1/s", grains->strain_rate_error);
  }
  if (const auto& solves = stats.solves) {
    add_per_step("Newton steps a step", solves->newton_iterations);
    add_per_step("Krylov steps a step", solves->krylov_iterations);
    figures.emplace_back("residual, m/s", solves->residual);
  }
  return figures;
}

Figures stage_figures(const std::vector<std::pair<std::string, double>>& seconds, double steps) {
  Figures figures;
  for (const auto& [name, total] : seconds)
    figures.emplace_back(name + ", ms", 1e3 * total / std::max(1.0, steps));
  return figures;
}

}  // namespace firn
