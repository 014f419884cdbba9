// Where blocks scattered into arenas of their own: the sum of all arenas at each node, always in
// the same order.
#pragma once

#include "mpm_cuda/device_tools.h"

namespace firn {

constexpr int kMergeThreads = 256;

// One thread a node; `width` of an arena.
template <class T, int D>
__global__ void __launch_bounds__(kMergeThreads)
    merge_kernel(const __grid_constant__ View<T, D> view, int width) {
  constexpr int kEdge = BlockShape<D>::kEdge, kNodes = BlockShape<D>::kNodes;
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  const Control& control = *view.control;
  const std::size_t i = std::size_t(blockIdx.x) * kMergeThreads + threadIdx.x;
  if (i >= std::size_t(control.blocks) * kNodes) return;
  const auto slot = i / kNodes;
  const std::int32_t* neighbors = view.neighbors[control.parity] + slot * kNeighbors;
  std::size_t size = 1;
  for (int a = 0; a < D; ++a) size *= width;
  DeviceNode<T> sum{{T(0), T(0), T(0), T(0)}}, push = sum;
  for (int code = 0; code < kNeighbors; ++code) {
    // The node as the arena of that neighbour has it.
    std::size_t at = 0, scale = 1;
    bool inside = true;
    for (int a = D - 1, node = int(i % kNodes), rest = code; a >= 0; --a) {
      const int along = node % kEdge - (rest % 3 - 1) * kEdge + BlockShape<D>::kMargin;
      inside = inside && along >= 0 && along < width;
      at += along * scale;
      scale *= width;
      node /= kEdge;
      rest /= 3;
    }
    const std::int32_t source = inside ? neighbors[code] : -1;
    if (source < 0 || source >= control.occupied) continue;
    const DeviceNode<T> given = load_node(view.arenas + source * size + at);
    for (int c = 0; c < 4; ++c) sum.e[c] += given.e[c];
    if (!view.pushes) continue;
    const DeviceNode<T> pushed = load_node(view.pushes + source * size + at);
    for (int c = 0; c < D; ++c) push.e[c] += pushed.e[c];
  }
  if (view.before) {
    DeviceNode<T> before{{T(0), T(0), T(0), T(0)}};
    if (sum.e[kMassLane] > kLeastMass<T>)
      for (int c = 0; c < D; ++c) before.e[c] = sum.e[c] * (T(1) / sum.e[kMassLane]);
    store_node(view.before + i, before);
  }
  for (int c = 0; c < D; ++c) sum.e[c] += push.e[c];
  store_node(view.momentum + i, sum);
}

}  // namespace firn
