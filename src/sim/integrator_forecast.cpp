#include "sim/integrator_forecast.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mpm/step_bound.h"
#include "mpm/viscous_limit.h"
#include "scene/check_integrator.h"
#include "solver/step_rule.h"

namespace firn {
namespace {

// Stiffness against a change along one axis, Pa.
double modulus_of(const ModelParameters& parameters) {
  return visit_model(parameters, [](const auto& p) -> double {
    if constexpr (requires { p.lambda(); })
      return p.lambda() + 2 * p.mu();
    else
      return p.bulk_modulus;
  });
}

double viscosity_of(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) -> double {
    using Model = typename decltype(tag)::type;
    if constexpr (is_viscous<Model>)
      return Model::viscosity(std::get<typename Model::Parameters>(parameters));
    else
      return 0;
  });
}

// What is there or comes in.
struct Matter {
  double wave = 0;            // m/s, the fastest pressure wave
  double viscous_dt = 0;      // s that viscosity leaves an explicit step; 0: as long as it likes
  double cells = 1;           // that a wave may cross in an explicit step
  double speed = 0;           // m/s, at the start
  bool flows_inside = false;  // sand: its flow is part of a step
  double dearness = 1;        // of a solve, beside those of elastic matter
};

void add(const SceneSettings& scene, int material, double density, double speed, Matter& all) {
  const ModelParameters& parameters = scene.materials[material].parameters;
  const StepBound bound =
      step_bound(scene.mpm.kernel, scene.mpm.transfer, scene.dimension, parameters);
  all.wave = std::max(all.wave, std::sqrt(modulus_of(parameters) / density));
  all.cells = std::min(all.cells, bound.cells);
  all.speed = std::max(all.speed, speed);
  if (std::holds_alternative<Sand::Parameters>(parameters)) {
    all.flows_inside = true;
    all.dearness = std::max(all.dearness, 4.0);
  } else if (std::holds_alternative<Fluid::Parameters>(parameters)) {
    all.dearness = std::max(all.dearness, 7.0);
  }
  const double viscosity = viscosity_of(parameters), h = scene.grid.spacing;
  if (!(viscosity > 0)) return;
  const double dt = bound.viscosity * density * h * h / viscosity;
  all.viscous_dt = all.viscous_dt > 0 ? std::min(all.viscous_dt, dt) : dt;
}

double length_at_origin(const VaryingVector& v) {
  const VaryingField field(v);
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    const double value = field.component[a].at(Vec3d::zero(), 0);
    if (std::isfinite(value)) sum += value * value;
  }
  return std::sqrt(sum);
}

Matter matter_of(const SceneSettings& scene) {
  Matter all;
  for (const ObjectSettings& object : scene.objects)
    add(scene, object.material, object.density, length_at_origin(object.velocity), all);
  for (const EmitterSettings& emitter : scene.emitters)
    add(scene, emitter.material, emitter.density, sqrt_of(dot(emitter.velocity, emitter.velocity)),
        all);
  return all;
}

// Of an implicit step that waves cross many cells in, as explicit steps: Newton steps and products
// grow slowly with the stiffness (bench/README.md).
double cost_of_solve(double cells, double dearness) {
  return (20 + 4 * std::log2(1 + cells)) * dearness;
}

std::string refusal(SceneSettings scene, IntegratorKind kind) {
  scene.integrator.kind = kind;
  Issues issues;
  check_integrator(scene, issues);
  return issues.empty() ? "" : issues.front().what;
}

// The keys of `auto` bound explicit steps as well, should it choose them.
IntegratorSettings with_bounds_of_auto(IntegratorSettings keys) {
  if (keys.kind != IntegratorKind::automatic) return keys;
  keys.explicit_cfl = std::min(keys.explicit_cfl, keys.implicit_cfl);
  if (keys.implicit_max_dt > 0)
    keys.explicit_max_dt = std::min(keys.explicit_max_dt, keys.implicit_max_dt);
  return keys;
}

}  // namespace

const char* name_of(IntegratorKind kind) {
  static const std::vector<std::string> names = integrator_info().names;
  return names[static_cast<std::size_t>(kind)].c_str();
}

IntegratorForecasts forecast_integrators(const SceneSettings& scene) {
  const Matter matter = matter_of(scene);
  const double frame = 1 / scene.fps, h = scene.grid.spacing;
  const double length = static_cast<double>(scene.frames) * frame;
  // What falls for a while: a quarter of the run, of a second at most.
  const double speed =
      std::max(matter.speed, length_at_origin(scene.gravity) * std::min(length, 1.0) / 4);
  IntegratorForecasts found;

  const IntegratorSettings keys = with_bounds_of_auto(scene.integrator);
  StepRule rule{keys.fixed_dt, keys.explicit_max_dt, std::min(keys.explicit_cfl, matter.cells) * h};
  if (matter.viscous_dt > 0) rule.viscous = 1 / matter.viscous_dt;
  found.explicit_.steps = std::ceil(frame / rule.stable_dt(matter.wave + speed));
  found.explicit_.cost = found.explicit_.steps;

  IntegratorForecast& implicit = found.implicit;
  implicit.kind = matter.flows_inside ? IntegratorKind::newton : IntegratorKind::optimization;
  implicit.reason = refusal(scene, implicit.kind);
  const double longest = keys.implicit_max_dt > 0 ? keys.implicit_max_dt : frame;
  const StepRule large{keys.fixed_dt, longest, keys.implicit_cfl * h};
  const double dt = std::min(frame, large.stable_dt(speed));
  implicit.steps = std::ceil(frame / dt - 1e-9);
  implicit.cost = implicit.steps * cost_of_solve(matter.wave * dt / h, matter.dearness);
  return found;
}

std::string forecast_line(const IntegratorForecasts& forecasts) {
  const IntegratorForecast& implicit = forecasts.implicit;
  char line[400];
  if (!implicit.reason.empty())
    std::snprintf(line, sizeof line, "explicit, some %.3g steps a frame; %s",
                  forecasts.explicit_.steps, implicit.reason.c_str());
  else
    std::snprintf(line, sizeof line,
                  "%s: some %.3g explicit steps a frame against %.3g of %s, each as dear as %.2g "
                  "explicit ones",
                  name_of(forecasts.cheapest().kind), forecasts.explicit_.steps, implicit.steps,
                  name_of(implicit.kind), implicit.cost / implicit.steps);
  return line;
}

SceneSettings with_integrator_chosen(const SceneSettings& scene, std::string& why) {
  SceneSettings chosen = scene;
  if (scene.integrator.kind != IntegratorKind::automatic) return chosen;
  const IntegratorForecasts forecasts = forecast_integrators(scene);
  chosen.integrator = with_bounds_of_auto(scene.integrator);
  chosen.integrator.kind = forecasts.cheapest().kind;
  why = "integrator " + forecast_line(forecasts);
  return chosen;
}

}  // namespace firn
