// Sorting particles that drifted into neighbouring blocks, on the device: by block, and by cell
// within a block.
#pragma once

#include "mpm_cuda/control.h"
#include "mpm_cuda/topology.h"
#include "particles/drift.h"

namespace firn {

constexpr int kSortThreads = 256;

template <class T, int D>
__device__ int cell_in_block(const Vec<T, D>& place) {
  constexpr int kEdge = BlockShape<D>::kEdge;
  int cell = 0;
  for (int a = 0; a < D; ++a)
    cell = cell * kEdge + min(max(static_cast<int>(place[a]), 0), kEdge - 1);
  return cell;
}

// Where a drifted particle goes: code of the neighbour block, cell there, and its new place.
template <class T, int D>
__device__ int drift_target(const ParticleWords<T>& particle, int& cell, Vec<T, D>& place) {
  Vec<int, D> step;
  for (int a = 0; a < D; ++a) {
    const T before = particle[CommonColumns<D>::kPosition + a];
    step[a] = drift_step<D>(before);
    place[a] = place_after_drift<D>(before, step[a]);
  }
  cell = cell_in_block<T, D>(place);
  return neighbor_code<D>(step);
}

// Where particles of a cell are counted, and then numbered.
template <class T, int D>
__device__ std::uint32_t* cell_counter(const View<T, D>& view, int s, int slot, int cell) {
  return view.cells + (std::size_t(s) * view.capacity + slot) * BlockShape<D>::kNodes + cell;
}

// f(number, block and cell that it is in now, place there) for the particles of set `s` that the
// block `block` holds and that are to stay.
template <class T, int D, class F>
__device__ void for_staying_particles(const View<T, D>& view, int block, int s, F&& f) {
  const int parity = view.control->parity;
  const std::int32_t* neighbors =
      view.neighbors[parity] + std::size_t(block) * BlockShape<D>::kNeighbors;
  const SetView<T>& set = view.sets[s];
  const int base_row = *set.base_row;
  const std::uint32_t end = set.begin[parity][block + 1];
  for (std::uint32_t p = set.begin[parity][block] + threadIdx.x; p < end; p += kSortThreads) {
    if (set.removed && set.removed[p]) continue;
    int cell;
    Vec<T, D> place;
    const int slot = neighbors[drift_target<T, D>({set, base_row, p}, cell, place)];
    f(p, slot, cell, place);
  }
}

template <class T, int D>
__global__ void clear_sort_kernel(const __grid_constant__ View<T, D> view) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  const std::size_t first = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::size_t cells = std::size_t(view.capacity) * view.set_count * BlockShape<D>::kNodes;
  for (std::size_t i = first; i < cells; i += stride) view.cells[i] = 0;
  for (std::size_t i = first; i <= view.table_mask; i += stride) view.table_key[i] = kNoKey;
  if (first == 0) view.control->next_blocks = view.control->next_occupied = view.control->full = 0;
}

template <class T, int D>
__global__ void __launch_bounds__(kSortThreads)
    count_kernel(const __grid_constant__ View<T, D> view) {
  const int block = blockIdx.x;
  if (block >= view.control->occupied) return;
  for (int s = 0; s < view.set_count; ++s)
    for_staying_particles(view, block, s, [&](std::uint32_t, int slot, int cell, const Vec<T, D>&) {
      atomicAdd(cell_counter(view, s, slot, cell), 1u);
    });
}

// Counts of cells become the first place of each cell in its block; one warp a set and block.
template <class T, int D>
__global__ void totals_kernel(const __grid_constant__ View<T, D> view) {
  constexpr int kCells = BlockShape<D>::kNodes;
  const int lane = threadIdx.x % 32;
  const int slot = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (slot >= view.control->blocks) return;
  for (int s = 0; s < view.set_count; ++s) {
    const std::size_t row = std::size_t(s) * view.capacity + slot;
    std::uint32_t* cells = view.cells + row * kCells;
    unsigned before = 0;
    for (int first = 0; first < kCells; first += 32) {
      const unsigned mine = cells[first + lane], upto = warp_running_sum(mine);
      cells[first + lane] = before + upto - mine;
      before += __shfl_sync(kAllLanes, upto, 31);
    }
    if (lane == 0) view.totals[row] = before;
  }
}

// order[new place] = old place, and positions relative to the new blocks.
template <class T, int D>
__global__ void __launch_bounds__(kSortThreads)
    place_kernel(const __grid_constant__ View<T, D> view, int s) {
  const int block = blockIdx.x;
  if (block >= view.control->occupied || ran_out(view)) return;
  const SetView<T>& set = view.sets[s];
  const std::uint32_t* begin = set.begin[view.control->parity ^ 1];
  const int base_row = *set.base_row;
  for_staying_particles(
      view, block, s, [&](std::uint32_t p, int slot, int cell, const Vec<T, D>& place) {
        const std::uint32_t in_block = atomicAdd(cell_counter(view, s, slot, cell), 1u);
        view.order[begin[view.new_of[slot]] + in_block] = p;
        const ParticleWords<T> particle(set, base_row, p);
        for (int a = 0; a < D; ++a) particle[CommonColumns<D>::kPosition + a] = place[a];
      });
}

// The particles of each cell in the order of their ids, whatever order place_kernel met them in.
template <class T, int D>
__global__ void __launch_bounds__(kSortThreads)
    order_by_id_kernel(const __grid_constant__ View<T, D> view, int s) {
  constexpr int kCells = BlockShape<D>::kNodes;
  const Control& control = *view.control;
  const int block = blockIdx.x, next = control.parity ^ 1;
  if (block >= control.next_occupied || ran_out(view)) return;
  const SetView<T>& set = view.sets[s];
  const int base_row = *set.base_row;
  // Where each cell ends: place_kernel has counted up to there.
  const std::uint32_t* ends =
      view.cells + (std::size_t(s) * view.capacity + view.old_of[block]) * kCells;
  const std::uint32_t first = set.begin[next][block], end = set.begin[next][block + 1];
  for (std::uint32_t q = first + threadIdx.x; q < end; q += kSortThreads) {
    const ParticleWords<T> particle(set, base_row, view.order[q]);
    Vec<T, D> place;
    for (int a = 0; a < D; ++a) place[a] = particle[CommonColumns<D>::kPosition + a];
    const int cell = cell_in_block<T, D>(place);
    const unsigned long long id = particle_id(set, particle);
    const std::uint32_t cell_begin = first + (cell > 0 ? ends[cell - 1] : 0);
    std::uint32_t rank = 0;
    for (std::uint32_t r = cell_begin; r < first + ends[cell]; ++r) {
      const unsigned long long other =
          particle_id(set, ParticleWords<T>(set, base_row, view.order[r]));
      rank += other < id || (other == id && r < q);
    }
    view.order_by_id[cell_begin + rank] = view.order[q];
  }
}

// Particles of a set after the sort.
template <class T, int D>
__device__ std::uint32_t next_count(const View<T, D>& view, const SetView<T>& set) {
  return set.begin[view.control->parity ^ 1][view.control->next_occupied];
}

// Moves group `group` of at most kSpare columns into the rows that the group before has left. They
// go to the end of their tiles and back in base_rows, so the last group is the first to go there.
template <class T, int D>
__global__ void __launch_bounds__(kSortThreads)
    move_kernel(const __grid_constant__ View<T, D> view, const __grid_constant__ SetView<T> set,
                int group) {
  if (ran_out(view)) return;
  const int base_row = *set.base_row, groups = (set.columns + kSpare - 1) / kSpare;
  const int first = (base_row == 0 ? groups - 1 - group : group) * kSpare;
  const int n = min(kSpare, set.columns - first);
  const std::uint32_t count = next_count(view, set);
  const std::uint32_t stride = gridDim.x * kSortThreads;
  for (std::uint32_t i = blockIdx.x * kSortThreads + threadIdx.x; i < count; i += stride) {
    const ParticleWords<T> from(set, base_row, view.order[i]), to(set, kSpare - base_row, i);
#pragma unroll
    for (int c = 0; c < kSpare; ++c)
      if (c < n) to[first + c] = from[first + c];
  }
}

template <class T, int D>
__global__ void finish_sort_kernel(const __grid_constant__ View<T, D> view,
                                   StepConditions conditions) {
  Control& control = *view.control;
  if (ran_out(view)) {
    control.full = 1;
    conditions.repeat(false);
    conditions.take(kVolumeBranch, false);
    if (view.tells_phi) conditions.take(kFractionBranch, false);
    return;
  }
  for (int s = 0; s < view.set_count; ++s) {
    *view.sets[s].held = next_count(view, view.sets[s]);
    *view.sets[s].base_row = kSpare - *view.sets[s].base_row;
  }
  control.parity ^= 1;
  control.occupied = control.next_occupied;
  control.blocks = control.next_blocks;
  control.drift = 0;
  control.sort_due = 0;
}

}  // namespace firn
