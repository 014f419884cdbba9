// What a step found, for the next dt and for the user.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/vec.h"
#include "particles/varied_parameters.h"

namespace firn {

// What the solver of an implicit step did.
struct SolveReport {
  int newton_iterations = 0, krylov_iterations = 0, search_steps = 0;
  double residual = 0;     // m/s: what is left of the gradient, as a velocity
  double speed = 0;        // m/s, of the fastest node
  bool missed = false;     // the tolerance
  bool refused = false;    // the step was not taken, for this or because it went too far
  bool cancelled = false;  // nothing was done

  void add(const SolveReport& later) {
    newton_iterations += later.newton_iterations;
    krylov_iterations += later.krylov_iterations;
    search_steps += later.search_steps;
    residual = later.residual;
    speed = later.speed;
    missed = later.missed;
    refused = later.refused;
    cancelled = later.cancelled;
  }
};

// What a step of granular SPH, or several, did (sph/stress_solve.h).
struct GrainReport {
  int iterations = 0, shift_iterations = 0;
  double mean_density_error = 0, max_density_error = 0;  // of the density at rest
  double strain_rate_error = 0;                          // 1/s
  int missed = 0;                                        // steps that missed the tolerance
};

struct StepReport {
  double max_signal = 0;    // largest wave speed + particle speed, m/s
  double max_speed = 0;     // m/s
  double max_motion = 0;    // m/s, velocity that positions moved at; FLIP keeps another one
  double drift = 0;         // largest distance a particle moved, cells (bound)
  double max_push = 0;      // farthest that an obstacle moved a particle, cells
  std::size_t plastic = 0;  // particles that yielded
  int bad_set = -1;         // set and index of a particle whose state is not finite
  std::size_t bad_particle = 0;
  // Gravity is not finite at bad_place, or the surface of a collider says there what cannot be.
  bool bad_field = false;
  Vec3d bad_place{{0, 0, 0}};
  SolveReport solve;
  GrainReport grains;
  VariedFinding varied;  // a parameter that left its range
};

// Largest of the reports of all blocks; sums in block order.
inline StepReport combined(const std::vector<StepReport>& blocks) {
  StepReport total;
  for (const StepReport& block : blocks) {
    total.max_signal = std::max(total.max_signal, block.max_signal);
    total.max_speed = std::max(total.max_speed, block.max_speed);
    total.max_motion = std::max(total.max_motion, block.max_motion);
    total.max_push = std::max(total.max_push, block.max_push);
    total.plastic += block.plastic;
    if (block.bad_set >= 0 && total.bad_set < 0) {
      total.bad_set = block.bad_set;
      total.bad_particle = block.bad_particle;
    }
    total.varied.add(block.varied);
  }
  return total;
}

}  // namespace firn
