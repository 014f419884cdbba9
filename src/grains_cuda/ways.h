// Ways of particles between two moments: rows are matched by id.
#pragma once

#include "grains_cuda/view.h"
#include "solver_cuda/short_sort.h"

namespace firn {

template <int D>
__global__ void begin_matching_kernel(const __grid_constant__ GrainView<D> view) {
  GrainControl& control = *view.control;
  control.from_count = *view.from.count;
  control.to_count = *view.to.count;
  control.fresh = 0;
  control.longest2 = 0;
}

// Ids of the rows before, into the table.
template <int D>
__global__ void list_ids_kernel(const __grid_constant__ GrainView<D> view) {
  for_numbers(view.control->from_count, [&](std::uint32_t i) {
    unsigned at;
    claim_key(view.id_key, view.id_mask, view.from.id[i], at);
    view.id_row[at] = static_cast<std::int32_t>(i);
    view.stayed[i] = 0;
  });
}
template <int D>
__global__ void match_rows_kernel(const __grid_constant__ GrainView<D> view) {
  for_numbers(view.control->to_count, [&](std::uint32_t j) {
    const std::int32_t i = find_key(view.id_key, view.id_row, view.id_mask, view.to.id[j]);
    view.row_before[j] = i;
    if (i >= 0)
      view.stayed[i] = 1;
    else
      view.fresh[atomicAdd(&view.control->fresh, 1u)] = j;
  });
}

template <int D>
__device__ CoarsePoint<D> point_of(const ParticleRows<D>& rows, std::uint32_t i) {
  return {rows.position[i], rows.velocity[i], rows.spacing[i]};
}
// Way number w: of the rows after, then of those before that have gone. False where there is none.
template <int D>
__device__ bool find_way(const GrainView<D>& view, std::uint32_t w, CoarseWay<D>& way) {
  const GrainControl& control = *view.control;
  if (w >= control.to_count) {
    const std::uint32_t i = w - control.to_count;
    if (view.stayed[i]) return false;
    way = way_at_velocity(point_of(view.from, i), control.dt, view.cell, false);
  } else if (const std::int32_t i = view.row_before[w]; i < 0) {
    way = way_at_velocity(point_of(view.to, w), control.dt, view.cell, true);
  } else {
    way = way_between(point_of(view.from, i), view.to.position[w], view.cell, view.blocks.periods);
  }
  way.spacing = min_of(way.spacing, float(view.spacing / view.cell));
  return true;
}
template <int D>
__device__ unsigned long long id_of_way(const GrainView<D>& view, std::uint32_t w) {
  const std::uint32_t after = view.control->to_count;
  return w < after ? view.to.id[w] : view.from.id[w - after];
}

template <int D>
__global__ void find_longest_kernel(const __grid_constant__ GrainView<D> view) {
  double most = 0;
  for_numbers(view.ways(), [&](std::uint32_t w) {
    CoarseWay<D> way;
    if (find_way(view, w, way)) most = max_of(most, dot(way.way, way.way));
  });
  most = warp_max(most);
  if (threadIdx.x % 32 == 0) keep_max(&view.control->longest2, most);
}

// Nodes of the flow: the particles where the part of the step begins.
template <int D>
__global__ void place_nodes_kernel(const __grid_constant__ GrainView<D> view) {
  if (!view.goes_on()) return;
  double most = 0;
  const double begin = view.control->share_begin();
  for_numbers(view.ways(), [&](std::uint32_t w) {
    view.node_home[w] = kNowhere;
    CoarseWay<D> way;
    BlockPlace<D> at;
    if (!find_way(view, w, way) || !find_block_place(way.from + way.way * begin, at)) return;
    view.way_place[w] = at.place;
    view.node_home[w] =
        claim_known_block<D>(view.node_blocks, wrapped_block<D>(view.blocks.periods, at.block));
    most = max_of(most, dot(way.way, way.way));
  });
  most = warp_max(most) / square(double(view.control->parts));
  if (threadIdx.x % 32 == 0) keep_max(&view.control->node_way2, most);
}
template <int D>
__global__ void count_nodes_kernel(const __grid_constant__ GrainView<D> view) {
  if (!view.goes_on()) return;
  for_numbers(view.ways(), [&](std::uint32_t w) {
    std::uint32_t& home = view.node_home[w];
    if (home == kNowhere) return;
    home = view.node_blocks.table_slot[home] * view.node_blocks.cells +
           view.cells.cell(view.way_place[w]);
    atomicAdd(view.node_blocks.cell_count + home, 1u);
  });
}
template <int D>
__global__ void fill_nodes_kernel(const __grid_constant__ GrainView<D> view) {
  if (!view.goes_on()) return;
  for_numbers(view.ways(), [&](std::uint32_t w) {
    const std::uint32_t cell = view.node_home[w];
    if (cell == kNowhere) return;
    view.node_order[view.node_blocks.cell_begin[cell] +
                    atomicSub(view.node_blocks.cell_count + cell, 1u) - 1] = w;
  });
}
// Those of a cell by their ids. Few are in one.
template <int D>
__global__ void order_nodes_kernel(const __grid_constant__ GrainView<D> view) {
  if (!view.goes_on()) return;
  const BlockOrderView<D>& blocks = view.node_blocks;
  for_numbers(blocks.counts->blocks * blocks.cells, [&](std::uint32_t c) {
    const std::uint32_t begin = blocks.cell_begin[c], end = blocks.cell_begin[c + 1];
    sort_by_id(view.node_order, begin, end, [&](std::uint32_t w) { return id_of_way(view, w); });
  });
}
template <int D>
__global__ void make_nodes_kernel(const __grid_constant__ GrainView<D> view) {
  if (!view.goes_on()) return;
  for_numbers(view.node_count(), [&](std::uint32_t k) {
    const std::uint32_t w = view.node_order[k];
    CoarseWay<D> way;
    find_way(view, w, way);
    const FlowNode<D> node =
        flow_node(way, view.way_place[w], view.support, 1.0 / view.control->parts);
    view.nodes[k].flow = node;
    NodeSpot spot{{0, 0, 0}, node.inverse_support2};
    for (int a = 0; a < D; ++a) spot.place[a] = node.place[a];
    view.spots[k] = spot;
  });
}

}  // namespace firn
