// Grip of nodes (collision/grip.h) follows its blocks when these are numbered anew.
#pragma once

#include "mpm_cuda/topology.h"

namespace firn {

constexpr int kGripThreads = 256;

// What the new blocks begin with, before carry_grip_kernel.
template <class T, int D>
__global__ void clear_grip_kernel(const __grid_constant__ View<T, D> view) {
  const Control& control = *view.control;
  if (ran_out(view)) return;
  const std::size_t nodes = std::size_t(control.next_blocks) * BlockShape<D>::kNodes;
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  T* grip = view.grip[control.parity ^ 1];
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < nodes; i += stride)
    grip[i] = T(0);
}

// Between insert_neighbors_kernel, after which the table has the new numbers, and the end of the
// sort.
template <class T, int D>
__global__ void carry_grip_kernel(const __grid_constant__ View<T, D> view) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  const Control& control = *view.control;
  if (ran_out(view)) return;
  const std::size_t nodes = std::size_t(control.blocks) * kNodes;
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < nodes; i += stride) {
    const T impulse = view.grip[control.parity][i];
    if (!(impulse > T(0))) continue;
    const std::int32_t slot = find_key(view, device_key<D>(view.coord[control.parity][i / kNodes]));
    if (slot >= 0) view.grip[control.parity ^ 1][std::size_t(slot) * kNodes + i % kNodes] = impulse;
  }
}

}  // namespace firn
