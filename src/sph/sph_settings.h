// Numbers of the method, from the scene.
#pragma once

#include "base/schemes.h"
#include "sph/air_settings.h"

namespace firn {

struct SphSettings {
  double spacing = 0;  // support of the kernel, m
  SmoothingKind kernel = SmoothingKind::spiky;
  double tolerance = 1e-3;  // mean compression, and strain rate where nothing yields, 1/s
  int max_iterations = 200;
  double cfl = 0.4, fixed_dt = 0, max_dt = 0.01;  // cells, s, s
  AirSettings air;
};

}  // namespace firn
