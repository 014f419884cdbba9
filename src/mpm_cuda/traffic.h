// Particles that come from emitters and go into sinks (sim/sources.h): new ones are appended
// to their set, flags say which ones go, and a sort puts all in order.
#pragma once

#include "mpm_cuda/forces.h"
#include "mpm_cuda/sort.h"
#include "solver_cuda/traffic_tools.h"

namespace firn {

// New particles of one set behind those that it holds: blocks[of_block[i]] is the one that holds
// particle i, slots[of_block[i]] its number.
struct ArrivalView {
  const std::int32_t* of_block = nullptr;
  const std::int32_t* slots = nullptr;
  std::uint32_t count = 0;
  int set = 0;
};

// Finds the numbers of blocks; those that do not exist get one behind all others, without
// neighbours, until the next sort. There their nodes have no grip (BlockStore::clear_grip).
template <class T, int D>
__global__ void find_blocks_kernel(const __grid_constant__ View<T, D> view,
                                   const BlockCoord<D>* blocks, int count, std::int32_t* slots) {
  Control& control = *view.control;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned at;
  if (claim_key(view, device_key<D>(blocks[i]), at)) {
    const int slot = atomicAdd(&control.blocks, 1);
    view.table_slot[at] = slot;
    view.coord[control.parity][slot] = blocks[i];
  }
  slots[i] = view.table_slot[at];
}

// Columns one after the other, behind the particles that the set holds.
template <class T>
__global__ void append_kernel(const __grid_constant__ SetView<T> set, const T* columns,
                              std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const ParticleWords<T> particle(set, *set.base_row, *set.held + i);
  for (int c = 0; c < set.columns; ++c) particle[c] = columns[std::size_t(c) * count + i];
}

// The place in view.cells of a new particle's cell.
template <class T, int D>
__device__ std::uint32_t* arrival_cell(const View<T, D>& view, const ArrivalView& arrivals,
                                       std::uint32_t i) {
  const SetView<T>& set = view.sets[arrivals.set];
  int cell;
  Vec<T, D> place;
  drift_target<T, D>({set, *set.base_row, *set.held + i}, cell, place);
  const int slot = arrivals.slots[arrivals.of_block[i]];
  return cell_counter(view, arrivals.set, slot, cell);
}
template <class T, int D>
__global__ void count_arrivals_kernel(const __grid_constant__ View<T, D> view,
                                      ArrivalView arrivals) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < arrivals.count) atomicAdd(arrival_cell(view, arrivals, i), 1u);
}
template <class T, int D>
__global__ void place_arrivals_kernel(const __grid_constant__ View<T, D> view,
                                      ArrivalView arrivals) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= arrivals.count || ran_out(view)) return;
  const SetView<T>& set = view.sets[arrivals.set];
  const std::uint32_t in_block = atomicAdd(arrival_cell(view, arrivals, i), 1u);
  const int slot = arrivals.slots[arrivals.of_block[i]];
  view.order[set.begin[view.control->parity ^ 1][view.new_of[slot]] + in_block] = *set.held + i;
}

// Flags the particles inside a sink; one block a thread block. Blocks that it does not touch are
// passed over.
template <class T, int D>
__global__ void sink_kernel(const __grid_constant__ View<T, D> view, const PlainShape* sink,
                            RemovedTotals* totals) {
  const int block = blockIdx.x;
  if (block >= view.control->occupied) return;
  const Vec3d origin = block_origin(view, block);
  // Particles may have drifted out of their block.
  if (!may_sink<D>(*sink, origin, view.spacing, BlockShape<D>::kMargin)) return;
  for_particles_of_block(
      view, block, [&](const SetView<T>& set, std::uint32_t p, const ParticleWords<T>& particle) {
        if (set.removed[p]) return;
        if (!is_sunk(*sink, world_position(view, origin, particle))) return;
        set.removed[p] = 1;
        totals->add(double(set.mass < 0 ? set.same_mass : particle[set.mass]));
      });
}

template <class T, int D>
__device__ int find_slot(const View<T, D>& view, const BlockCoord<D>& coord) {
  return find_key(view, device_key<D>(coord));
}

// Volume of the particles around each point, in the ball of the radius given; homes are the blocks
// that the points are in. One point a thread block.
template <class T, int D>
__global__ void taken_volume_kernel(const __grid_constant__ View<T, D> view, const Vec3d* points,
                                    const BlockCoord<D>* homes, double radius, double* taken) {
  const BlockCoord<D> home = homes[blockIdx.x];
  if (find_slot(view, home) < 0) return;
  double sum = 0;
  for_blocks_around<D>(
      view.periods, home, [&](const BlockCoord<D>& coord) { return find_slot(view, coord); },
      [&](int block) {
        if (block >= view.control->occupied) return;
        const Vec3d origin = block_origin(view, block);
        for_particles_of_block(
            view, block,
            [&](const SetView<T>& set, std::uint32_t, const ParticleWords<T>& particle) {
              if (is_around<D>(view.periods, view.spacing, world_position(view, origin, particle),
                               points[blockIdx.x], radius))
                sum += double(set.volume < 0 ? set.same_volume : particle[set.volume]);
            });
      });
  sum = sum_of_traffic_threads(sum);
  if (threadIdx.x == 0) taken[blockIdx.x] = sum;
}

}  // namespace firn
