// Grains go to the blocks, cells and parts of cells that they have come to. Where a grain lies
// within a part is left to chance: nothing depends on it.
#pragma once

#include "cuda/loop_graph.h"
#include "geometry/shape.h"
#include "grains_cuda/view.h"

namespace firn {

enum GrainBranch { kGrainSortBranch, kGrainBranches };
using GrainConditions = LoopConditions<kGrainBranches>;

// f(part, begin, end, block, cell) for parts of cells that hold grains, by warps.
template <int D, class F>
__device__ void for_parts(const GrainView<D>& view, F&& f) {
  const BlockOrderView<D>& blocks = view.blocks;
  const std::uint32_t parts = blocks.counts->blocks * blocks.cells,
                      warps = gridDim.x * blockDim.x / 32;
  for (std::uint32_t p = thread_number() / 32; p < parts; p += warps) {
    const std::uint32_t begin = blocks.cell_begin[p], end = blocks.cell_begin[p + 1];
    if (begin < end)
      f(p, begin, end, static_cast<int>(p / blocks.cells),
        static_cast<int>(p % blocks.cells / GrainCells<D>::kParts));
  }
}

template <int D>
__global__ void begin_grain_sort_kernel(const __grid_constant__ GrainView<D> view) {
  view.control->grain_counts.new_blocks = 0;
}

template <int D>
__device__ void claim_grain(const GrainView<D>& view, std::uint32_t i, const BlockCoord<D>& block) {
  view.home[i] = kNowhere;
  Vec<std::int32_t, D> steps;
  if (view.id[i] == kNoGrain || !find_steps(place_of(view, i), steps)) return;
  const BlockCoord<D> to = block + steps;
  if (!is_numbered<D>(to)) return;
  view.home[i] = claim_known_block<D>(view.blocks, wrapped_block<D>(view.blocks.periods, to));
}
template <int D>
__global__ void __launch_bounds__(kGrainThreads)
    claim_grains_kernel(const __grid_constant__ GrainView<D> view) {
  for_parts(view, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end, int block, int) {
    const BlockCoord<D> coord = view.blocks.coord[block];
    for (std::uint32_t i = begin + threadIdx.x % 32; i < end; i += 32) claim_grain(view, i, coord);
  });
}
// Of grains that came, piece by piece.
template <int D>
__global__ void claim_pieces_kernel(const __grid_constant__ GrainView<D> view,
                                    const GrainPiece<D>* pieces, int count) {
  for (int k = blockIdx.x; k < count; k += gridDim.x)
    for (std::uint32_t i = pieces[k].begin + threadIdx.x; i < pieces[k].end; i += blockDim.x)
      claim_grain(view, i, pieces[k].block);
}
// Blocks of grains that lie in order already.
template <int D>
__global__ void claim_listed_kernel(const __grid_constant__ GrainView<D> view,
                                    const BlockCoord<D>* coords, int count) {
  for_numbers(count, [&](std::uint32_t b) { claim_block<D>(view.blocks, coords[b]); });
}

// f(i, is_grain) for all grains and those that came; all lanes of a warp call it as often, with i
// beyond the last for some.
template <int D, class F>
__device__ void for_all_grains(const GrainView<D>& view, F&& f) {
  const std::uint32_t all = view.control->grains + view.control->arrivals, lane = threadIdx.x % 32;
  for (std::size_t first = thread_number() - lane; first < all;
       first += std::size_t(gridDim.x) * blockDim.x)
    f(static_cast<std::uint32_t>(first + lane), first + lane < all);
}
// Lanes that go to the same part do so together: most do. The first of them adds, and tells all
// what was there before.
struct LanesOfPart {
  unsigned same;
  int leader;
  __device__ bool leads() const { return static_cast<int>(threadIdx.x % 32) == leader; }
  __device__ unsigned count() const { return __popc(same); }
  __device__ unsigned before() const { return __popc(same & ((1u << threadIdx.x % 32) - 1)); }
};
__device__ inline LanesOfPart lanes_of_part(std::uint32_t part) {
  const unsigned same = __match_any_sync(kAllLanes, part);
  return {same, __ffs(same) - 1};
}

template <int D>
__global__ void count_grains_kernel(const __grid_constant__ GrainView<D> view) {
  if (view.blocks.counts->full) return;
  for_all_grains(view, [&](std::uint32_t i, bool is_grain) {
    std::uint32_t part = kNowhere;
    if (is_grain && view.home[i] != kNowhere) {
      Vec<float, D> place = place_of(view, i);
      Vec<std::int32_t, D> steps;
      find_steps(place, steps);
      for (int a = 0; a < D; ++a) {
        place[a] -= float(steps[a] * BlockShape<D>::kEdge);
        if (steps[a] != 0) view.place[a][i] = place[a];
      }
      part = view.blocks.table_slot[view.home[i]] * view.blocks.cells + view.cells.part(place);
      view.home[i] = part;
    }
    const LanesOfPart lanes = lanes_of_part(part);
    if (lanes.leads() && part != kNowhere) atomicAdd(view.blocks.cell_count + part, lanes.count());
  });
}
template <int D>
__global__ void fill_grains_kernel(const __grid_constant__ GrainView<D> view) {
  if (view.blocks.counts->full) return;
  for_all_grains(view, [&](std::uint32_t i, bool is_grain) {
    const std::uint32_t part = is_grain ? view.home[i] : kNowhere;
    const LanesOfPart lanes = lanes_of_part(part);
    std::uint32_t left = 0;
    if (lanes.leads() && part != kNowhere)
      left = atomicSub(view.blocks.cell_count + part, lanes.count()) - lanes.count();
    left = __shfl_sync(kAllLanes, left, lanes.leader);
    if (part != kNowhere) view.order[view.blocks.cell_begin[part] + left + lanes.before()] = i;
  });
}

template <int D>
__device__ std::uint32_t sorted_grains(const GrainView<D>& view) {
  return view.blocks.cell_begin[view.blocks.counts->blocks * view.blocks.cells];
}

// Columns in the new order: one is put back, and the next set aside; either may be null.
template <int D>
__global__ void move_column_kernel(const __grid_constant__ GrainView<D> view, std::uint32_t* back,
                                   const std::uint32_t* aside) {
  if (view.blocks.counts->full) return;
  for_numbers(sorted_grains(view), [&](std::uint32_t i) {
    if (back) back[i] = view.home[i];
    if (aside) view.home[i] = aside[view.order[i]];
  });
}

// Without room no other part of a step begins.
template <int D>
__global__ void end_grain_sort_kernel(const __grid_constant__ GrainView<D> view,
                                      GrainConditions conditions) {
  GrainControl& control = *view.control;
  if (control.grain_counts.full) return conditions.repeat(false);
  control.moved += control.grains;
  control.grains = sorted_grains(view);
  control.arrivals = 0;
  control.drift = 0;
  control.sort_due = 0;
  control.sunk = 0;
}

// Grains in a shape lose their ids.
template <int D>
__global__ void __launch_bounds__(kGrainThreads)
    sink_grains_kernel(const __grid_constant__ GrainView<D> view, const PlainShape* shapes,
                       int count) {
  for_parts(view, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end, int block, int) {
    for (std::uint32_t i = begin + threadIdx.x % 32; i < end; i += 32) {
      const Vec3d x = world_of(view, view.blocks.coord[block], place_of(view, i));
      for (int s = 0; s < count; ++s)
        if (signed_distance(shapes[s], x).distance < 0) {
          view.id[i] = kNoGrain;
          view.control->sunk = 1;
        }
    }
  });
}

}  // namespace firn
