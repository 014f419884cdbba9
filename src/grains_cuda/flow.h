// The flow around particles: gradients, how many grains there are, and the drift that evens them
// out.
#pragma once

#include "grains_cuda/ways.h"

namespace firn {

// The cells around one, as the lanes of a warp find them: one each.
template <int D>
struct CellsAround {
  static_assert(BlockShape<D>::kNeighbors <= 32);
  std::uint32_t first[32];  // of the nodes of each
  std::uint32_t upto[32];   // nodes of these and of all before
  float offset[D][32];
};

// Returns how many nodes there are; all lanes of a warp call it. `around`: node blocks around the
// block of the cell.
template <int D>
__device__ std::uint32_t list_cells(const GrainView<D>& view, const std::int32_t* around, int cell,
                                    CellsAround<D>& list) {
  const int lane = threadIdx.x % 32;
  std::uint32_t count = 0;
  __syncwarp();
  if (lane < BlockShape<D>::kNeighbors) {
    const CellBeside<D> beside = cell_beside(view.cells, view.cells.coord(cell), lane);
    const std::int32_t block = around[beside.neighbor];
    if (block >= 0) {
      const std::uint32_t* begin =
          view.node_blocks.cell_begin + std::size_t(block) * view.node_blocks.cells + beside.number;
      list.first[lane] = begin[0];
      count = begin[1] - begin[0];
    }
    for (int a = 0; a < D; ++a) list.offset[a][lane] = beside.offset[a];
  }
  const std::uint32_t upto = warp_running_sum(count);
  list.upto[lane] = upto;
  __syncwarp();
  return __shfl_sync(kAllLanes, upto, 31);
}

// Node number k of those, with its place relative to the block of the cell in the middle.
template <int D>
__device__ std::uint32_t find_candidate(const GrainView<D>& view, const CellsAround<D>& list,
                                        std::uint32_t k, NodeSpot& spot, Vec<float, D>& offset) {
  int cell = 0;
  for (int step = 16; step > 0; step /= 2)
    if (list.upto[cell + step - 1] <= k) cell += step;
  const std::uint32_t node = list.first[cell] + k - (cell > 0 ? list.upto[cell - 1] : 0);
  spot = view.spots[node];
  for (int a = 0; a < D; ++a) {
    offset[a] = list.offset[a][cell];
    spot.place[a] += offset[a];
  }
  return node;
}

template <class Sums>
__device__ void sum_of_warp(Sums& sums) {
  static_assert(sizeof(Sums) % sizeof(float) == 0);
  float* words = reinterpret_cast<float*>(&sums);
  for (int k = 0; k < int(sizeof(Sums) / sizeof(float)); ++k) words[k] = warp_sum(words[k]);
}

// f(node, home) for all nodes, each by a warp.
template <int D, class F>
__device__ void for_nodes(const GrainView<D>& view, F&& f) {
  const std::uint32_t nodes = view.node_count(), warps = gridDim.x * blockDim.x / 32;
  for (std::uint32_t i = thread_number() / 32; i < nodes; i += warps)
    f(i, view.node_home[view.node_order[i]]);
}

// f(other, r, r2) for the nodes within reach of a node, itself among them, by the lanes of a warp.
template <int D, class F>
__device__ void for_nodes_near(const GrainView<D>& view, const NodeSpot& own, std::uint32_t home,
                               float inverse_reach2, CellsAround<D>& list, F&& f) {
  const BlockOrderView<D>& blocks = view.node_blocks;
  const std::uint32_t all = list_cells(
      view, blocks.neighbors + std::size_t(home / blocks.cells) * BlockShape<D>::kNeighbors,
      static_cast<int>(home % blocks.cells), list);
  for (std::uint32_t k = threadIdx.x % 32; k < all; k += 32) {
    NodeSpot spot;
    Vec<float, D> r;
    const std::uint32_t node = find_candidate(view, list, k, spot, r);
    for (int a = 0; a < D; ++a) r[a] = spot.place[a] - own.place[a];
    const float r2 = dot(r, r);
    if (r2 * inverse_reach2 < 1) f(node, r, r2);
  }
}

// What a node's neighbours are summed for.
template <class Value>
struct SummedNode {
  std::uint32_t number;
  float inverse_support2, spacing, wide;  // the last: inverse square of the reach
  Value value;
};

// add(node, sums, other, r, r2) for the nodes within reach of each node, by the lanes of its warp;
// then finish(node, sums) by one of them. value_of(i): what of a node's own `add` needs.
template <class Sums, int D, class ValueOf, class Add, class Finish>
__device__ void sum_near_nodes(const GrainView<D>& view, const Sums& none, CellsAround<D>& list,
                               ValueOf&& value_of, Add&& add, Finish&& finish) {
  for_nodes(view, [&](std::uint32_t i, std::uint32_t home) {
    const NodeSpot own = view.spots[i];
    const float s = spacing_of(own.inverse_support2, view.support);
    const SummedNode<decltype(value_of(i))> node{
        i, own.inverse_support2, s, 1 / square(float(kGradientReach) * s), value_of(i)};
    Sums sums = none;
    for_nodes_near(
        view, own, home, node.wide, list,
        [&](std::uint32_t k, const Vec<float, D>& r, float r2) { add(node, sums, k, r, r2); });
    sum_of_warp(sums);
    if (threadIdx.x % 32 > 0) return;
    sums.moment = sums.moment + moment_at_least<D>(s);
    finish(node, sums);
  });
}

template <int D>
__global__ void __launch_bounds__(kGrainThreads)
    find_gradients_kernel(const __grid_constant__ GrainView<D> view) {
  __shared__ CellsAround<D> lists[kGrainThreads / 32];
  if (!view.goes_on()) return;
  const GradientSums<D> none{Mat<float, D>::zero(), Mat<float, D>::zero()};
  sum_near_nodes(
      view, none, lists[threadIdx.x / 32], [&](std::uint32_t i) { return view.nodes[i].flow.way; },
      [&](const auto& node, GradientSums<D>& sums, std::uint32_t k, const Vec<float, D>& r,
          float r2) {
        sums.due += weight_at(view.weights, place_in_weights(r2, node.spacing));
        if (k != node.number)
          sums.add(r, r2, node.wide, node.inverse_support2, view.nodes[k].flow.way - node.value);
      },
      [&](const auto& node, const GradientSums<D>& sums) {
        view.nodes[node.number].flow.gradient = sums.gradient();
        view.nodes[node.number].flow.hold = hold_of(sums.others);
        view.due[node.number] = sums.due;
      });
}

// How far a place is from where the grains of a part of a cell may be, squared.
template <int D>
__device__ float distance2_to_part(const GrainCells<D>& cells, int cell, int part, float drift,
                                   const Vec<float, D>& place) {
  float sum = 0;
  const Vec<int, D> at = cells.coord(cell);
  for (int a = D - 1; a >= 0; --a) {
    const float low = (float(at[a]) + 0.5f * float(part % 2)) * cells.edge() - drift;
    const float high = low + 0.5f * cells.edge() + 2 * drift;
    sum += square(max_of(max_of(low - place[a], place[a] - high), 0.0f));
    part /= 2;
  }
  return sum;
}

// Two nodes of one cell that a warp counts for; the second may be the first again.
template <int D>
struct CountedNodes {
  Vec<float, D> place[2];
  float inverse2[2];
};
// Grains of a part of a cell that they may count, and what takes their places to ones seen from
// the nodes' block.
template <int D>
struct CountedPart {
  std::uint32_t begin = 0, end = 0;
  Vec<float, D> offset;
};
// Part number q of those of the cells around the nodes'.
template <int D>
__device__ CountedPart<D> part_around(const GrainView<D>& view, const CountedNodes<D>& nodes,
                                      std::uint32_t home, int q, float drift) {
  constexpr int kParts = GrainCells<D>::kParts, kNeighbors = BlockShape<D>::kNeighbors;
  CountedPart<D> found;
  found.offset = Vec<float, D>::zero();
  if (q >= kNeighbors * kParts) return found;
  const BlockOrderView<D>& blocks = view.node_blocks;
  const Vec<int, D> at = view.cells.coord(static_cast<int>(home % blocks.cells));
  const CellBeside<D> beside = cell_beside(view.cells, at, q / kParts);
  const std::int32_t block =
      view.grains_of_nodes[std::size_t(home / blocks.cells) * kNeighbors + beside.neighbor];
  bool reaches = false;
  for (int n = 0; n < 2; ++n) {
    const float distance2 = distance2_to_part(view.cells, beside.number, q % kParts, drift,
                                              nodes.place[n] - beside.offset);
    reaches = reaches || distance2 * nodes.inverse2[n] < 1;
  }
  if (block < 0 || !reaches) return found;
  const std::uint32_t* begin = view.blocks.cell_begin + std::size_t(block) * view.blocks.cells +
                               beside.number * kParts + q % kParts;
  found.begin = begin[0];
  found.end = begin[1];
  found.offset = beside.offset;
  return found;
}

// Sums of weights over the grains around nodes, in units of 2^-20: whole numbers, so that the order
// of grains does not matter.
constexpr float kWeightUnit = 1 << 20;
template <int D>
__device__ void count_around(const GrainView<D>& view, const CountedNodes<D>& nodes,
                             std::uint32_t home, float drift, unsigned long long (&sums)[2]) {
  constexpr float kWhole = 1 << 23;
  constexpr int kParts = GrainCells<D>::kParts * BlockShape<D>::kNeighbors;
  const int lane = threadIdx.x % 32;
  for (int q = 0; q < kParts; q += 32) {
    const CountedPart<D> mine = part_around(view, nodes, home, q + lane, drift);
    for (unsigned left = __ballot_sync(kAllLanes, mine.begin < mine.end); left != 0;
         left &= left - 1) {
      const int from = __ffs(left) - 1;
      const std::uint32_t end = __shfl_sync(kAllLanes, mine.end, from);
      Vec<float, D> offset;
      for (int a = 0; a < D; ++a) offset[a] = __shfl_sync(kAllLanes, mine.offset[a], from);
      for (std::uint32_t g = __shfl_sync(kAllLanes, mine.begin, from) + lane; g < end; g += 32) {
        const Vec<float, D> grain = place_of(view, g) + offset;
        for (int n = 0; n < 2; ++n) {
          const Vec<float, D> r = grain - nodes.place[n];
          const float w = grain_weight(dot(r, r), nodes.inverse2[n]);
          sums[n] += __float_as_uint(w * kWeightUnit + kWhole) - __float_as_uint(kWhole);
        }
      }
    }
  }
}

// One warp two nodes, where they are in one cell.
template <int D>
__global__ void __launch_bounds__(kGrainThreads)
    count_around_kernel(const __grid_constant__ GrainView<D> view) {
  if (!view.goes_on()) return;
  const float drift = float(view.control->drift) + 0.01f;
  const std::uint32_t all = view.node_count(), warps = gridDim.x * blockDim.x / 32;
  const auto home_of = [&](std::uint32_t i) { return view.node_home[view.node_order[i]]; };
  for (std::uint32_t i = 2 * (thread_number() / 32); i < all; i += 2 * warps) {
    const bool together = i + 1 < all && home_of(i) == home_of(i + 1);
    for (std::uint32_t first = i; first < min(i + 2, all); first += together ? 2 : 1) {
      CountedNodes<D> nodes;
      for (int n = 0; n < 2; ++n) {
        const NodeSpot spot = view.spots[together ? first + n : first];
        for (int a = 0; a < D; ++a) nodes.place[n][a] = spot.place[a];
        nodes.inverse2[n] = spot.inverse_support2 * view.count_factor;
      }
      unsigned long long sums[2] = {0, 0};
      count_around(view, nodes, home_of(first), drift, sums);
      for (int n = 0; n < (together ? 2 : 1); ++n) {
        const unsigned long long sum = warp_sum(sums[n]);
        const std::uint32_t node = first + n;
        if (threadIdx.x % 32 > 0) continue;
        const float due =
            view.control->settles ? min_of(view.due[node], view.full) : view.due[node];
        view.shortage[node] =
            shortage_of(view.nodes[node].flow.hold, float(double(sum) / kWeightUnit), due);
      }
    }
  }
}

template <int D>
__global__ void __launch_bounds__(kGrainThreads)
    find_drift_kernel(const __grid_constant__ GrainView<D> view) {
  __shared__ CellsAround<D> lists[kGrainThreads / 32];
  if (!view.goes_on()) return;
  const DriftSums<D> none{Mat<float, D>::zero(), Vec<float, D>::zero()};
  sum_near_nodes(
      view, none, lists[threadIdx.x / 32], [&](std::uint32_t i) { return view.shortage[i]; },
      [&](const auto& node, DriftSums<D>& sums, std::uint32_t k, const Vec<float, D>& r, float r2) {
        if (k != node.number)
          sums.add(r, grain_weight(r2, node.wide), view.shortage[k] - node.value);
      },
      [&](const auto& node, const DriftSums<D>& sums) {
        auto& flow = view.nodes[node.number].flow;
        flow.way += sums.drift(flow, node.spacing, view.control->least_strain);
      });
}

}  // namespace firn
