// Particles go to the blocks and cells that they have come to (solver_cuda/block_order.h), in a
// cell by their ids.
#pragma once

#include "solver_cuda/short_sort.h"
#include "sph_cuda/view.h"

namespace firn {

template <class T, int D>
__global__ void begin_sort_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  view.control->new_blocks = 0;
  view.control->list_used = 0;
  view.control->full = 0;
  view.control->travelled = 0;
}

// How many blocks further on a place lies along an axis, and where it lies there.
template <int D, class T>
__device__ int blocks_beyond(T place) {
  return static_cast<int>(floor(place / T(BlockShape<D>::kEdge)));
}
template <int D, class T>
__device__ T place_beyond(T place, int step) {
  constexpr T kEdge = T(BlockShape<D>::kEdge);
  constexpr T kLast = kEdge * (T(1) - (sizeof(T) == 4 ? T(6e-8) : T(1.2e-16)));
  return min_of(max_of(place - T(step) * kEdge, T(0)), kLast);
}

template <class T, int D>
__global__ void claim_blocks_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (i >= view.count) return;
  view.home[i] = kNowhere;
  if (view.removed && view.removed[i]) return;
  BlockCoord<D> coord = view.coord[view.block_of[i]];
  for (int a = 0; a < D; ++a) coord[a] += blocks_beyond<D>(view.place[i][a]);
  view.home[i] = claim_block<D>(view, wrapped_block<D>(view.periods, coord));
}

template <class T, int D>
__global__ void count_cells_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (i >= view.count || view.control->full || view.home[i] == kNowhere) return;
  const std::int32_t block = view.table_slot[view.home[i]];
  std::uint32_t cell = 0;
  for (int a = 0; a < D; ++a) {
    T& place = view.place[i][a];
    place = place_beyond<D>(place, blocks_beyond<D>(place));
    cell = cell * BlockShape<D>::kEdge + static_cast<std::uint32_t>(place);
  }
  view.home[i] = block * BlockShape<D>::kNodes + cell;
  atomicAdd(view.cell_count + view.home[i], 1u);
}

template <class T, int D>
__global__ void fill_cells_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (i >= view.count || view.control->full || view.home[i] == kNowhere) return;
  const std::uint32_t cell = view.home[i];
  view.order[view.cell_begin[cell] + atomicSub(view.cell_count + cell, 1u) - 1] = i;
}

// Particles of a cell by their ids. Few are in one.
template <class T, int D>
__global__ void order_cells_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  if (view.control->full) return;
  const std::uint32_t cells = view.control->blocks * BlockShape<D>::kNodes;
  for (std::uint32_t c = thread_number(); c < cells; c += gridDim.x * blockDim.x) {
    const std::uint32_t begin = view.cell_begin[c], end = view.cell_begin[c + 1];
    sort_by_id(view.order, begin, end, [&](std::uint32_t i) { return view.tags[i].id; });
  }
}

// Particles that have a cell.
template <class T, int D>
__device__ std::uint32_t live_particles(const DeviceSphView<T, D>& view) {
  return view.cell_begin[view.control->blocks * BlockShape<D>::kNodes];
}

// What particles carry, in the new order: aside, and back. What a step finds anew gives the room.
template <class T, int D>
__global__ void set_aside_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (view.control->full) return;
  if (i == 0) view.control->live = live_particles(view);
  if (i >= live_particles(view)) return;
  const std::uint32_t from = view.order[i];
  view.free[i] = view.place[from];
  view.shift[i] = view.velocity[from];
  for (int four = 0; four < kStressFours<D>; ++four)
    view.leading[i * kStressFours<D> + four] = view.stress[from * kStressFours<D> + four];
  view.spare_tags[i] = view.tags[from];
  view.block_of[i] = view.home[from] / BlockShape<D>::kNodes;
}
template <class T, int D>
__global__ void put_back_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (view.control->full || i >= live_particles(view)) return;
  view.place[i] = view.listed[i] = view.free[i];
  view.velocity[i] = view.shift[i];
  for (int four = 0; four < kStressFours<D>; ++four)
    view.stress[i * kStressFours<D> + four] = view.leading[i * kStressFours<D> + four];
  view.tags[i] = view.spare_tags[i];
  view.sets[i] = static_cast<std::uint16_t>(view.tags[i].set);
}

}  // namespace firn
