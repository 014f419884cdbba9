// A part of a step of the grains: each warp takes grains of a part of a cell, each lane one of
// them, against the particles that reach them.
#pragma once

#include "grains/grain_obstacle.h"
#include "grains/grain_walls.h"
#include "grains_cuda/flow.h"

namespace firn {

// How far a grain may go in this part, m: with the flow, whose gradient adds something, or by
// itself.
template <int D>
__device__ double longest_step(const GrainView<D>& view) {
  const GrainControl& control = *view.control;
  const double dt = control.part_dt;
  double g2 = 0;
  for (int a = 0; a < D; ++a) g2 += square(control.gravity[a]);
  const double falls = view.gravity_in_space ? view.cell : sqrt(g2) * dt * dt;
  return sqrt(from_bits(control.node_way2)) * view.cell + 1.5 * view.spacing +
         2 * view.known_speed() * dt + falls;
}

// Obstacles that grains of a block can meet: grains may be a cell beyond it and go on from there.
template <int D>
__global__ void list_near_kernel(const __grid_constant__ GrainView<D> view) {
  const GrainControl& control = *view.control;
  if (!view.goes_on()) return;
  constexpr double kEdge = BlockShape<D>::kEdge;
  const Vec<float, D> middle = Vec<float, D>::fill(float(kEdge / 2));
  const double reach =
      (0.87 * kEdge + 1) * view.cell + double(view.support) * view.spacing + longest_step(view);
  for_numbers(control.grain_counts.blocks, [&](std::uint32_t b) {
    const Vec3d center = world_of(view, view.blocks.coord[b], middle);
    int count = 0;
    for (int k = 0; k < view.collider_count; ++k)
      if (is_within(view.colliders[k], view.species, center, reach, control.advance))
        view.near_list[std::size_t(b) * view.collider_count + count++] = k;
    view.near_count[b] = count;
  });
}
// And those of a part of a cell: whether there are any.
template <int D>
__global__ void mark_parts_kernel(const __grid_constant__ GrainView<D> view) {
  const GrainControl& control = *view.control;
  if (!view.goes_on()) return;
  constexpr int kParts = GrainCells<D>::kParts;
  const BlockOrderView<D>& blocks = view.blocks;
  const double half = view.cells.edge() / 4;
  const double reach = sqrt(double(D)) * (half + control.drift) * view.cell + longest_step(view);
  for_numbers(control.grain_counts.blocks * blocks.cells, [&](std::uint32_t p) {
    const int block = p / blocks.cells, near = view.near_count[block];
    std::uint8_t any = 0;
    if (near > 0 && blocks.cell_begin[p] < blocks.cell_begin[p + 1]) {
      int part = p % blocks.cells;
      const Vec<int, D> at = view.cells.coord(part / kParts);
      Vec<float, D> place;
      for (int a = D - 1; a >= 0; --a, part /= 2)
        place[a] = (float(at[a]) + 0.25f + 0.5f * float(part % 2)) * view.cells.edge();
      const Vec3d center = world_of(view, blocks.coord[block], place);
      const std::int32_t* list = view.near_list + std::size_t(block) * view.collider_count;
      for (int k = 0; k < near && !any; ++k)
        any = is_within(view.colliders[list[k]], view.species, center, reach, control.advance);
    }
    view.near_part[p] = any;
  });
}

// Gravity and air at the middle of a cell.
template <int D>
__device__ FlightStep<D> flight_in_cell(const GrainView<D>& view, const BlockCoord<D>& block,
                                        int cell) {
  const GrainControl& control = *view.control;
  Vec3d g{{control.gravity[0], control.gravity[1], control.gravity[2]}};
  if (view.gravity_in_space && !control.settles) {
    Vec<float, D> middle;
    const Vec<int, D> at = view.cells.coord(cell);
    for (int a = 0; a < D; ++a) middle[a] = (float(at[a]) + 0.5f) * view.cells.edge();
    const Vec3d x = world_of(view, block, middle);
    for (int a = 0; a < 3; ++a) g[a] = view.gravity[a].at(x, control.time + control.part_dt / 2);
  }
  return flight_step<D>(g, control.part_dt, view.terminal_speed);
}

__device__ inline float warp_min(float x) {
  return -warp_max(-x);
}

// What a warp lays into shared memory for its lanes.
template <int D>
struct WarpRoom {
  CellsAround<D> list;
  DeviceNode<D> near[32];
};

// Sums over the nodes around the grains of a warp, in the order of cells; `all` are listed. Nodes
// that reach any of the grains are laid side by side for all lanes to read.
template <int D>
__device__ FlowSums<float, D> flow_around(const GrainView<D>& view, std::uint32_t all,
                                          const Vec<float, D>& place, bool is_grain,
                                          WarpRoom<D>& room) {
  const int lane = threadIdx.x % 32;
  Vec<float, D> low, high;
  for (int a = 0; a < D; ++a) {
    low[a] = warp_min(is_grain ? place[a] : 1e30f);
    high[a] = warp_max(is_grain ? place[a] : -1e30f);
  }
  FlowSums<float, D> sums;
  for (std::uint32_t base = 0; base < all; base += 32) {
    std::uint32_t node = 0;
    bool reaches = false;
    Vec<float, D> offset;
    if (base + lane < all) {
      NodeSpot spot;
      node = find_candidate(view, room.list, base + lane, spot, offset);
      float distance2 = 0;
      for (int a = 0; a < D; ++a)
        distance2 += square(max_of(max_of(low[a] - spot.place[a], spot.place[a] - high[a]), 0.0f));
      reaches = distance2 * spot.inverse_support2 < 1;
    }
    const unsigned near = __ballot_sync(kAllLanes, reaches);
    if (reaches) {
      DeviceNode<D> found = view.nodes[node];
      found.flow.place += offset;
      room.near[__popc(near & ((1u << lane) - 1))] = found;
    }
    __syncwarp();
    const int count = __popc(near);
    for (int n = 0; n < count; ++n) {
      const DeviceNode<D> found = room.near[n];
      add_flow(sums, found.flow, place);
    }
    __syncwarp();
  }
  return sums;
}

// Where a grain that obstacles stop ends.
template <int D>
__device__ void meet_obstacles(const GrainView<D>& view, int block, const Vec<float, D>& before,
                               Vec<float, D>& place, Vec<float, D>& velocity) {
  const BlockCoord<D> coord = view.blocks.coord[block];
  const Vec3d from = world_of(view, coord, before);
  Vec3d to = world_of(view, coord, place);
  if (!stop_grain<D>(view.colliders, view.near_list + std::size_t(block) * view.collider_count,
                     view.near_count[block], from, to, velocity, view.cell))
    return;
  for (int a = 0; a < D; ++a)
    place[a] = float(to[a] / view.cell - double(coord[a]) * BlockShape<D>::kEdge);
}

// Near obstacles, or away from them: where there are none fewer registers serve more warps.
template <int D, bool AtObstacles>
__global__ void __launch_bounds__(kGrainThreads)
    move_grains_kernel(const __grid_constant__ GrainView<D> view) {
  __shared__ WarpRoom<D> rooms[kGrainThreads / 32];
  GrainControl& control = *view.control;
  if (!view.goes_on()) return;
  WarpRoom<D>& room = rooms[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  const float speed = float(view.cell / control.part_dt),
              cells = float(control.part_dt / view.cell);
  float fastest2 = 0;
  for_parts(
      view, [&](std::uint32_t part, std::uint32_t begin, std::uint32_t end, int block, int cell) {
        if ((view.near_part[part] != 0) != AtObstacles) return;
        const std::uint32_t all =
            list_cells(view, view.nodes_of_grains + std::size_t(block) * BlockShape<D>::kNeighbors,
                       cell, room.list);
        const FlightStep<D> flight = flight_in_cell(view, view.blocks.coord[block], cell);
        for (std::uint32_t first = begin; first < end; first += 32) {
          const bool is_grain = first + lane < end;
          const std::uint32_t g = is_grain ? first + lane : begin;
          const Vec<float, D> before = place_of(view, g);
          const FlowSums<float, D> sums = flow_around(view, all, before, is_grain, room);
          if (!is_grain) continue;
          Vec<float, D> velocity;
          for (int a = 0; a < D; ++a) velocity[a] = view.velocity[a][g];
          velocity =
              blended_velocity(mean_way(sums), speed, fly(velocity, flight), free_share(sums.hold));
          Vec<float, D> place = before + velocity * cells;
          fastest2 = max_of(fastest2, dot(velocity, velocity));
          if constexpr (AtObstacles) meet_obstacles(view, block, before, place, velocity);
          for (int a = 0; a < D; ++a) {
            view.place[a][g] = place[a];
            if (!control.settles) view.velocity[a][g] = velocity[a];
          }
        }
      });
  fastest2 = warp_max(fastest2);
  if (threadIdx.x % 32 == 0) keep_max(&control.fastest2, double(fastest2));
}

// GRAIN 40 to 43 as printed: nothing but neighbours keeps grains out of obstacles.
template <int D>
__global__ void __launch_bounds__(kGrainThreads)
    move_as_printed_kernel(const __grid_constant__ GrainView<D> view) {
  __shared__ CellsAround<D> lists[kGrainThreads / 32];
  CellsAround<D>& list = lists[threadIdx.x / 32];
  GrainControl& control = *view.control;
  if (!view.goes_on()) return;
  const float speed = float(view.cell / control.part_dt),
              cells = float(control.part_dt / view.cell);
  const double support = double(view.support) * view.spacing;  // m
  const float at_radius = grain_weight(1.0f, float(1 / square(2 * double(view.support))));
  float fastest2 = 0;
  for_parts(view, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end, int block, int cell) {
    const std::uint32_t all = list_cells(
        view, view.nodes_of_grains + std::size_t(block) * BlockShape<D>::kNeighbors, cell, list);
    const BlockCoord<D> coord = view.blocks.coord[block];
    const FlightStep<D> flight = flight_in_cell(view, coord, cell);
    for (std::uint32_t g = begin + threadIdx.x % 32; g < end; g += 32) {
      Vec<float, D> place = place_of(view, g), velocity;
      for (int a = 0; a < D; ++a) velocity[a] = view.velocity[a][g];
      FlowSums<float, D> sums;
      for (std::uint32_t k = 0; k < all; ++k) {
        NodeSpot spot;
        Vec<float, D> offset;
        FlowNode<D> node = view.nodes[find_candidate(view, list, k, spot, offset)].flow;
        node.place += offset;
        add_mean_flow(sums, node, place);
      }
      float factor = 1;
      const std::int32_t* near = view.near_list + std::size_t(block) * view.collider_count;
      for (int k = 0; k < view.near_count[block]; ++k)
        factor =
            min_of(factor, add_obstacle(sums, view.colliders[near[k]], world_of(view, coord, place),
                                        1 / square(support), cells, flight.gravity));
      const float share = factor * printed_share(sums.largest, sums.weight, at_radius);
      velocity = blended_velocity(mean_way(sums), speed, fly(velocity, flight), share);
      fastest2 = max_of(fastest2, dot(velocity, velocity));
      for (int a = 0; a < D; ++a) {
        view.place[a][g] = place[a] + velocity[a] * cells;
        view.velocity[a][g] = velocity[a];
      }
    }
    __syncwarp();
  });
  fastest2 = warp_max(fastest2);
  if (threadIdx.x % 32 == 0) keep_max(&control.fastest2, double(fastest2));
}

}  // namespace firn
