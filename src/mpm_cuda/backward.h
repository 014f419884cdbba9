// Particles that move with the velocity at their new places (mpm/backward_place.h).
#pragma once

#include "mpm/backward_nodes.h"
#include "mpm/backward_place.h"
#include "mpm_cuda/guard.h"

namespace firn {

constexpr int kBackwardThreads = 128;

// f(set, particle, its first spare column) for the particles of the thread block's block.
template <class T, int D, class F>
__device__ void for_particles_of_block(const View<T, D>& view, const F& f) {
  const int block = blockIdx.x, parity = view.control->parity;
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    const int base_row = *set.base_row, spare = spare_column(set, base_row);
    const std::uint32_t end = set.begin[parity][block + 1];
    for (std::uint32_t p = set.begin[parity][block] + threadIdx.x; p < end; p += blockDim.x)
      f(ParticleWords<T>(set, base_row, p), spare);
  }
}

// Before the gather: leaves the places of all particles where it leaves those of guarded ones.
template <class T, int D>
__global__ void __launch_bounds__(kBackwardThreads)
    remember_places_kernel(const __grid_constant__ View<T, D> view) {
  if (blockIdx.x >= view.control->occupied) return;
  for_particles_of_block(view, [](const ParticleWords<T>& particle, int spare) {
    for (int a = 0; a < D; ++a) particle[spare + a] = particle[CommonColumns<D>::kPosition + a];
  });
}

// After it: moves them from there.
template <class T, int D, class Kernel>
__global__ void __launch_bounds__(kBackwardThreads)
    move_backward_kernel(const __grid_constant__ View<T, D> view) {
  using Around = NodesAroundBlock<D, Kernel>;
  __shared__ DeviceNode<T> nodes[Around::kSize];
  Control& control = *view.control;
  const int block = blockIdx.x, parity = control.parity;
  if (block >= control.occupied) return;
  const std::int32_t* neighbors =
      view.neighbors[parity] + std::size_t(block) * BlockShape<D>::kNeighbors;
  for (int i = threadIdx.x; i < Around::kSize; i += kBackwardThreads) {
    int node = 0;
    const int code = Around::neighbor(Around::node(i), node);
    const int slot = code < 0 ? -1 : neighbors[code];
    nodes[i] = {};
    if (slot >= 0)
      nodes[i] = load_node(view.velocity + std::size_t(slot) * BlockShape<D>::kNodes + node);
  }
  __syncthreads();
  const T to_cells = T(control.dt) * view.inverse_h;
  const int near = view.collider_count > 0 ? view.near_particles.count[block] : 0;
  const int* obstacles = view.near_particles.list + std::size_t(block) * view.collider_count;
  const auto node_at = [&](const Vec<int, D>& node, const Vec<T, D>& continued) {
    const int index = Around::index(node);
    if (index >= 0 && nodes[index].e[kMassLane] > T(0))
      return velocity_of<T, D>(nodes[index]) * to_cells;
    return allowed_at<T, D>(view.colliders, obstacles, near,
                            Around::position(view.coord[parity][block], node, view.spacing),
                            to_cells, continued);
  };
  const Vec<T, D> shift = Vec<T, D>::fill(T(Kernel::kShift));
  double farthest2 = 0;  // cells^2
  for_particles_of_block(view, [&](const ParticleWords<T>& particle, int spare) {
    Vec<T, D> start;
    for (int a = 0; a < D; ++a) start[a] = particle[spare + a];
    const Vec<T, D> end = backward_place<T, D, Kernel>(start + shift, node_at) - shift;
    for (int a = 0; a < D; ++a) particle[CommonColumns<D>::kPosition + a] = end[a];
    farthest2 = max_of(farthest2, double(dot(end - start, end - start)));
  });
  __syncwarp();
  farthest2 = warp_max(farthest2);
  if (threadIdx.x % 32 != 0) return;
  double motion = sqrt(farthest2) * view.spacing / control.dt;
  // What MLS leaves zero is then the speed of the fastest.
  if (view.transfer.mls) motion = max_of(motion, sqrt(from_bits(control.found.speed2)));
  keep_max(&control.found.motion, motion);
}

}  // namespace firn
