// The largest viscosity of each set, which bounds dt (mpm/viscous_limit.h), where it is an
// expression.
#pragma once

#include "mpm_cuda/forces.h"

namespace firn {

constexpr int kViscosityThreads = 128;

// Before it is found anew.
template <class T, int D>
__device__ void forget_viscosity(const View<T, D>& view) {
  if (!view.viscous) return;
  for (int s = 0; s < view.set_count; ++s) {
    if (view.sets[s].varied_viscosity >= 0) view.viscous[s].most.viscosity = 0;
    if (view.sets[s].varied_ratio >= 0) view.viscous[s].most.ratio = 0;
  }
}

// Few particles are above what others have told already.
__device__ inline void raise_to(double value, double& most) {
  if (value > *const_cast<volatile double*>(&most))
    keep_max(reinterpret_cast<unsigned long long*>(&most), value);
}
template <class T, int D>
__device__ void note_viscosity(const View<T, D>& view, const SetView<T>& set,
                               const ParticleWords<T>& particle) {
  MostViscous& most = view.viscous[&set - view.sets].most;
  if (set.varied_viscosity >= 0) raise_to(double(particle[set.varied_viscosity]), most.viscosity);
  if (set.varied_ratio >= 0) raise_to(double(particle[set.varied_ratio]), most.ratio);
}

// After particles came or went.
template <class T, int D>
__global__ void forget_viscosity_kernel(const __grid_constant__ View<T, D> view) {
  forget_viscosity(view);
}
template <class T, int D>
__global__ void viscosity_kernel(const __grid_constant__ View<T, D> view) {
  const int block = blockIdx.x;
  if (block >= view.control->occupied) return;
  for_particles_of_block(
      view, block, [&](const SetView<T>& set, std::uint32_t, const ParticleWords<T>& particle) {
        note_viscosity(view, set, particle);
      });
}

}  // namespace firn
