// What a scene says to the solver of meshed solids.
#pragma once

#include <vector>

#include "base/schemes.h"

namespace firn {

struct FemSettings {
  TimeScheme scheme = TimeScheme::backward_euler;
  MinimizerKind minimizer = MinimizerKind::robust;
  double fixed_dt = 0;      // s; 0: by max_dt
  double max_dt = 1. / 24;  // s
  double tolerance = 1e-3;  // of the speed that a step deals with (fem_solver.h)
  int max_newton = 200;

  bool self_collision = false;
  double self_stiffness = 0;  // Pa; 0: from the moduli of the bodies
  double self_friction = 0;

  FrictionMethod friction = FrictionMethod::inside;
  std::vector<ObstacleMethod> methods;  // by collider of the scene (Collider::owner)
};

}  // namespace firn
