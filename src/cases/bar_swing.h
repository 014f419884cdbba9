// A bar held at one end swings in its first mode, v = v0 sin(pi x / 2L) cos(w t) with
// w = pi c / 2L and c = sqrt(E / rho). Plane strain with nu = 0 is one-dimensional.
#pragma once

#include "cases/case_tools.h"

namespace firn {

struct BarSwing {
  static constexpr double kLength = 25, kDensity = 1, kModulus = 100;  // m, kg/m3, Pa
  static constexpr double kSpeed = 0.1, kPeriod = 10;                  // m/s; s, 4 L / c

  std::vector<double> time, speed, energy;  // of the centre of mass, m/s; kinetic and elastic, J

  // Mean distance of the upward zero crossings of the velocity, each found by interpolation.
  double period() const;
};

// Without its initial velocities.
SceneSettings bar_scene(double spacing, double modulus, double fps);

Result<BarSwing> run_bar(const SceneSettings& scene, int periods);

}  // namespace firn
