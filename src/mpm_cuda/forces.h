// What acts on particles between two steps: an interactive force, and kicks by the host.
#pragma once

#include "mpm_cuda/device_tools.h"

namespace firn {

constexpr int kForceThreads = 128;

// f(set, particle) for the particles of the thread block's grid block.
template <class T, int D, class F>
__device__ void for_particles_of_block(const View<T, D>& view, int block, F&& f) {
  const int parity = view.control->parity;
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    const int base_row = *set.base_row;
    const std::uint32_t end = set.begin[parity][block + 1];
    for (std::uint32_t p = set.begin[parity][block] + threadIdx.x; p < end; p += blockDim.x)
      f(set, p, ParticleWords<T>(set, base_row, p));
  }
}

// What expressions of particles begin with, whatever V numbers come after it.
template <class V, class T>
__device__ void load_place(const SetView<T>& set, const ParticleWords<T>& particle, const Vec3d& x,
                           double time, double* variables) {
  variables[V::kPhi] = set.phi < 0 ? 0.0 : double(particle[set.phi]);
  for (int a = 0; a < 3; ++a) variables[V::kPlace + a] = x[a];
  variables[V::kTime] = time;
  for (int k = 0; k < set.user_count; ++k)
    variables[V::kScalars + k] = double(particle[set.user + k]);
}

template <class T, int D>
__global__ void force_kernel(const __grid_constant__ View<T, D> view) {
  const Control& control = *view.control;
  const int block = blockIdx.x;
  if (block >= control.occupied) return;
  const Vec3d origin = block_origin(view, block);
  const double limit = control.force_cells * view.spacing / control.dt;
  for_particles_of_block(view, block,
                         [&](const SetView<T>&, std::uint32_t, const ParticleWords<T>& particle) {
                           Vec3d v{{0, 0, 0}};
                           for (int a = 0; a < D; ++a)
                             v[a] = double(particle[CommonColumns<D>::kVelocity + a]);
                           const Vec3d x = world_position(view, origin, particle);
                           const Vec3d moved = control.force.moved(x, v, control.dt, limit);
                           for (int a = 0; a < D; ++a)
                             particle[CommonColumns<D>::kVelocity + a] = T(moved[a]);
                         });
}

// Adds kicks[D id + axis], m/s, to the velocities of the particles with an id below `count`.
template <class T, int D>
__global__ void kick_kernel(const __grid_constant__ View<T, D> view, const T* kicks,
                            unsigned long long count) {
  const int block = blockIdx.x;
  if (block >= view.control->occupied) return;
  for_particles_of_block(
      view, block, [&](const SetView<T>& set, std::uint32_t, const ParticleWords<T>& particle) {
        const unsigned long long id = particle_id(set, particle);
        if (id >= count) return;
        for (int a = 0; a < D; ++a) particle[CommonColumns<D>::kVelocity + a] += kicks[D * id + a];
      });
}

}  // namespace firn
