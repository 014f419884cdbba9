// Conditions of transitions (particles/transitions.h), looked at every few steps. Where one holds
// the stretch ends, and the host changes the particles.
#pragma once

#include "mpm_cuda/forces.h"

namespace firn {

constexpr int kTransitionThreads = 128;

// Minus the mean of the Cauchy stress. Behind the columns of all sets come F, or J of a fluid.
template <class T, int D>
__device__ double particle_pressure(const SetView<T>& set, const ParticleWords<T>& particle) {
  constexpr int kFirst = CommonColumns<D>::kEnd;
  const int normal = set.stress_components == 1 ? 1 : D;
  double mean = 0;
  for (int a = 0; a < normal; ++a) mean += double(particle[set.stress + a]) / normal;
  if (set.bulk_modulus > T(0)) return -mean / double(particle[kFirst]);
  Mat<double, D> F;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) F(i, j) = double(particle[kFirst + i * D + j]);
  return -mean / determinant(F);
}

template <class T, int D>
__device__ void load_conditions(const SetView<T>& set, const ParticleWords<T>& particle,
                                const Vec3d& x, double time, double* variables) {
  using V = TransitionVariables;
  load_place<V>(set, particle, x, time, variables);
  double square = 0;
  for (int a = 0; a < D; ++a) {
    const double v = double(particle[CommonColumns<D>::kVelocity + a]);
    square += v * v;
  }
  variables[V::kSpeed] = sqrt(square);
  variables[V::kPressure] = particle_pressure<T, D>(set, particle);
  const int own = CommonColumns<D>::kEnd + (set.bulk_modulus > T(0) ? 0 : D * D);
  for (int k = 0; k < set.scalar_count; ++k)
    variables[V::kScalars + set.user_count + k] = double(particle[own + k]);
}

template <class T, int D>
__global__ void transition_kernel(const __grid_constant__ View<T, D> view) {
  Control& control = *view.control;
  const int block = blockIdx.x;
  if (!control.transition_due || block >= control.occupied) return;
  const Vec3d origin = block_origin(view, block);
  const double time = control.frame_start + control.clock.time_in_frame + control.dt;
  for_particles_of_block(
      view, block, [&](const SetView<T>& set, std::uint32_t, const ParticleWords<T>& particle) {
        const int number = static_cast<int>(&set - view.sets);
        double variables[kMostTransitionVariables];
        bool loaded = false;
        for (int k = 0; k < view.transition_count; ++k) {
          const Transition& transition = view.transitions[k];
          if (transition.from != number) continue;
          if (!loaded)
            load_conditions<T, D>(set, particle, world_position(view, origin, particle), time,
                                  variables);
          loaded = true;
          if (evaluate(transition.when, variables) > 0) control.transitions_hold = 1;
        }
      });
}

}  // namespace firn
