// Parameters of materials that are expressions, found anew every few steps
// (particles/varied_parameters.h).
#pragma once

#include "mpm_cuda/viscosity.h"

namespace firn {

constexpr int kVaryThreads = 128;

// What a value was that a parameter may not have; the first that comes is kept.
__device__ inline void note_value(VariedNote& note, int set, int parameter, unsigned long long id,
                                  double value) {
  if (atomicCAS(&note.taken, 0, 1) != 0) return;
  note.set = set;
  note.parameter = parameter;
  note.id = id;
  note.value = value;
}

template <class T, int D>
__global__ void vary_kernel(const __grid_constant__ View<T, D> view) {
  Control& control = *view.control;
  const int block = blockIdx.x;
  if (!control.vary_due || block >= control.occupied) return;
  const Vec3d origin = block_origin(view, block);
  const double time = control.frame_start + control.clock.time_in_frame;
  for_particles_of_block(
      view, block, [&](const SetView<T>& set, std::uint32_t, const ParticleWords<T>& particle) {
        if (set.varied_count == 0) return;
        double variables[kMostVariables];
        load_place<VariedVariables>(set, particle, world_position(view, origin, particle), time,
                                    variables);
        for (int k = 0; k < set.varied_count; ++k) {
          const VariedProgram& varied = set.programs[k];
          const double value = evaluate(varied.program, variables);
          if (!(value >= varied.low && value <= varied.high))
            note_value(isfinite(value) ? control.out_of_range : control.not_finite,
                       static_cast<int>(&set - view.sets), k, particle_id(set, particle), value);
          particle[set.varied + k] = T(clamp(value, varied.low, varied.high));
        }
        if (view.viscous) note_viscosity(view, set, particle);
      });
}

}  // namespace firn
