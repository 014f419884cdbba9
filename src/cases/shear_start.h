// A layer between two sticky plates, of which the upper one moves, with the velocities of the flow
// from the start.
#pragma once

#include "cases/case_tools.h"

namespace firn {

struct ShearStart {
  static constexpr double kHeight = 0.5;  // m

  ModelParameters material;
  double rate = 0;  // 1/s
  int cells = 0;    // over the height
  double fps = 0;
  int frames = 0;
  IntegratorSettings integrator;
};

struct ShearStress {
  double shear = 0, normal = 0;  // sigma_xy, sigma_xx - sigma_yy, Pa
};

// Means over the middle of the layer after each frame.
Result<std::vector<ShearStress>> run_sheared(const ShearStart& start);

// Oldroyd-B: with a shear rate g, a relaxation time T and a modulus mu the strain that relaxes has
// b_xy = g T (1 - exp(-t/T)) and b_xx = 1 + 2 (g T)^2 (1 - exp(-t/T) (1 + t/T)); stresses are mu
// times that, times the factor that keeps the volume, and eta g more in shear.
struct ShearedPaste {
  static constexpr double kTime = 0.1;                           // s
  static constexpr double kMu = 1000, kLambda = 1e4, kEta = 20;  // Pa, Pa, Pa s

  double rate = 0;  // 1/s

  static Viscoelastic::Parameters parameters(double relaxation_time);
  // Of b, whose yy is 1, in 2D.
  ShearStress stress_of(double xy, double xx) const;
  ShearStress exact_stress(double time) const;
};

}  // namespace firn
