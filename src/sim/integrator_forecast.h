// What the integrators would take for a scene, by rules of thumb: before anything moves, from
// stiffness, density, cells and the speeds that are to be expected.
#pragma once

#include <string>
#include <vector>

#include "scene/settings.h"

namespace firn {

struct IntegratorForecast {
  IntegratorKind kind = IntegratorKind::explicit_;
  double steps = 0;    // a frame
  double cost = 0;     // a frame, in explicit steps
  std::string reason;  // why the scene cannot have it; empty: it can
};

// Explicit steps, and the kind of implicit ones that fits the materials.
struct IntegratorForecasts {
  IntegratorForecast explicit_, implicit;

  const IntegratorForecast& cheapest() const {
    return implicit.reason.empty() && implicit.cost < explicit_.cost ? implicit : explicit_;
  }
};

IntegratorForecasts forecast_integrators(const SceneSettings& scene);

const char* name_of(IntegratorKind kind);

// One line: both, and which of them `auto` takes.
std::string forecast_line(const IntegratorForecasts& forecasts);

// The scene with an integrator instead of `auto`; `why` becomes the line that says so. The same
// scene where another one is asked for.
SceneSettings with_integrator_chosen(const SceneSettings& scene, std::string& why);

}  // namespace firn
