// What particles laid into the arenas of their blocks, at nodes of the grid.
#pragma once

#include "mpm_cuda/device_tools.h"

namespace firn {

// The sum of all arenas at a node, always in the same order (merge.h), along each axis those of
// `Span` blocks; further ones do not reach it.
template <int Span, class T, int D>
__device__ DeviceNode<T> arena_sum_of(const View<T, D>& view, const DeviceNode<T>* arenas,
                                      std::size_t i) {
  constexpr int kEdge = BlockShape<D>::kEdge, kNodes = BlockShape<D>::kNodes;
  constexpr int kNeighbors = BlockShape<D>::kNeighbors, kLayer = power(Span, D - 1);
  const Control& control = *view.control;
  const int width = view.transfer.arena_width, occupied = control.occupied;
  const std::int32_t* neighbors = view.neighbors[control.parity] + i / kNodes * kNeighbors;
  std::size_t size = 1;
  for (int a = 0; a < D; ++a) size *= width;
  // Of the first block along each axis: its offset, and the node in its arena.
  int block[D], along[D];
  for (int a = D - 1, node = int(i % kNodes); a >= 0; --a, node /= kEdge) {
    along[a] = node % kEdge + kEdge + BlockShape<D>::kMargin;
    block[a] = along[a] < width ? 0 : 1;
    along[a] -= block[a] * kEdge;
  }
  DeviceNode<T> sum{};
#pragma unroll
  for (int layer = 0; layer < Span; ++layer) {
    DeviceNode<T> given[kLayer];
#pragma unroll
    for (int k = 0; k < kLayer; ++k) {
      int at = 0, code = 0, scale = 1, of_code = 1;
      bool inside = true;
      for (int a = D - 1, rest = layer * kLayer + k; a >= 0; --a, rest /= Span) {
        const int here = along[a] - rest % Span * kEdge;
        inside = inside && here >= 0 && here < width;
        at += here * scale;
        code += (block[a] + rest % Span) * of_code;
        scale *= width;
        of_code *= 3;
      }
      const std::int32_t source = inside ? neighbors[code] : -1;
      given[k] = {};
      if (source >= 0 && source < occupied) given[k] = load_node(arenas + source * size + at);
    }
    for (int k = 0; k < kLayer; ++k)
      for (int c = 0; c < 4; ++c) sum.e[c] += given[k].e[c];
  }
  return sum;
}
template <class T, int D>
__device__ DeviceNode<T> arena_sum(const View<T, D>& view, const DeviceNode<T>* arenas,
                                   std::size_t i) {
  return view.transfer.arena_width <= 2 * BlockShape<D>::kEdge ? arena_sum_of<2>(view, arenas, i)
                                                               : arena_sum_of<3>(view, arenas, i);
}
template <class T, int D>
struct MergeArenas {
  View<T, D> view;
  const DeviceNode<T>* arenas;
  DeviceNode<T>* to;

  __device__ void operator()(std::size_t i) const {
    store_node(to + i, arena_sum(view, arenas, i));
  }
};

}  // namespace firn
