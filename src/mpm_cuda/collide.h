// Particles that meet obstacles as nodes do, where the scene asks for it.
#pragma once

#include "mpm/particle_collision.h"
#include "mpm_cuda/obstacles.h"

namespace firn {

constexpr int kCollideThreads = 128;

template <class T, int D>
__global__ void __launch_bounds__(kCollideThreads)
    collide_kernel(const __grid_constant__ View<T, D> view) {
  using C = CommonColumns<D>;
  const Control& control = *view.control;
  const int parity = control.parity;
  const int blocks = view.near_nodes.listed->any + view.near_nodes.listed->planes;
  for (int i = blockIdx.x; i < blocks; i += gridDim.x) {
    const int block = near_block(view.near_nodes, i, view.capacity);
    const int n = view.near_nodes.count[block];
    if (block >= control.occupied) continue;
    const int* near = view.near_nodes.list + std::size_t(block) * view.collider_count;
    const Vec3d origin = block_origin(view, block);
    for (int s = 0; s < view.set_count; ++s) {
      const SetView<T>& set = view.sets[s];
      const int base_row = *set.base_row;
      const std::uint32_t end = set.begin[parity][block + 1];
      for (std::uint32_t p = set.begin[parity][block] + threadIdx.x; p < end; p += blockDim.x) {
        const ParticleWords<T> particle(set, base_row, p);
        const Vec3d x = world_position(view, origin, particle);
        Vec<T, D> velocity, position;
        for (int a = 0; a < D; ++a) {
          velocity[a] = particle[C::kVelocity + a];
          position[a] = particle[C::kPosition + a];
        }
        collide_particle<T, D>(view.colliders, near, n, x, T(control.dt), view.inverse_h, velocity,
                               position);
        for (int a = 0; a < D; ++a) {
          particle[C::kVelocity + a] = velocity[a];
          particle[C::kPosition + a] = position[a];
        }
      }
    }
  }
}

}  // namespace firn
