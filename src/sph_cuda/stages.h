// The stages of a step that look at each particle alone.
#pragma once

#include "cuda/exact_sum.h"
#include "cuda/loop_graph.h"
#include "sph/move_particle.h"
#include "sph/neighbor.h"
#include "sph/wall_search.h"
#include "sph_cuda/sort.h"

namespace firn {

// Branches of the graph that runs the steps.
enum SphBranch { kSphSortBranch, kSphBranches };
using SphConditions = LoopConditions<kSphBranches>;

// Chooses dt; gravity and obstacles are brought to the middle of the step.
template <class T, int D>
__device__ void start_step(const DeviceSphView<T, D>& view) {
  SphControl& control = *view.control;
  control.choose_dt();
  control.contact_used = 0;
  control.wind2 = 0;
  bring_to_middle(view, control);
}
template <class T, int D>
__global__ void begin_step_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  start_step(view);
}

template <class T, int D>
__global__ void near_blocks_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const SphControl& control = *view.control;
  for (int b = thread_number(); b < control.blocks; b += gridDim.x * blockDim.x) {
    Vec3d center = block_origin(view, b);
    for (int a = 0; a < D; ++a)
      center[a] = (center[a] + 0.5 * BlockShape<D>::kEdge) * view.context.spacing;
    int count = 0;
    for (int c = 0; c < view.collider_count; ++c)
      if (may_touch_block<D>(view.colliders[c], center, view.context.spacing))
        view.near_list[std::size_t(b) * view.collider_count + count++] = c;
    view.near_count[b] = count;
  }
}

template <class T, int D>
__global__ void find_walls_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  SphControl& control = *view.control;
  if (i >= view.count) return;
  const std::uint32_t block = view.block_of[i];
  view.shares[i] = 0;
  view.ranges[i] = {0, 0};
  const int near = view.near_count[block];
  if (near == 0) return;
  FoundWalls<T, D> walls;
  find_walls_of(
      view.colliders, view.wall_maps, view.near_list + std::size_t(block) * view.collider_count,
      near, world_position(view, i), view.species[view.sets[i]], view.context, *view.share, walls);
  if (walls.wrong) atomicMin(&control.found.bad_node, static_cast<unsigned long long>(i));
  if (walls.count == 0) return;
  view.shares[i] = T(walls.share_room());
  const std::uint32_t first = atomicAdd(&control.contact_used, std::uint32_t(walls.count));
  if (first + walls.count > view.contact_capacity) {
    atomicOr(&control.full, kContactsFull);
    return;
  }
  view.ranges[i] = {first, std::uint32_t(walls.count)};
  for (int k = 0; k < walls.count; ++k) view.found[first + k] = walls.of[k];
}

template <class T, int D>
__global__ void push_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  const SphControl& control = *view.control;
  if (i >= view.count || !view.goes_on()) return;
  const double limit = control.force_cells * view.context.spacing / control.dt;
  Vec3d v{{0, 0, 0}};
  for (int a = 0; a < D; ++a) v[a] = double(view.velocity[i][a]);
  const Vec3d moved = control.force.moved(world_position(view, i), v, control.dt, limit);
  for (int a = 0; a < D; ++a) view.velocity[i][a] = T(moved[a]);
}

// Velocity without stress.
template <class T, int D>
__global__ void predict_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  SphControl& control = *view.control;
  if (i >= view.count || !view.goes_on()) return;
  Vec3d g{{control.gravity[0], control.gravity[1], control.gravity[2]}};
  if (view.gravity_in_space) {
    const Vec3d x = world_position(view, i);
    for (int a = 0; a < 3; ++a) g[a] = view.gravity[a].at(x, control.middle);
    if (!isfinite(dot(g, g)))
      atomicMin(&control.found.bad_node, static_cast<unsigned long long>(i));
  }
  Four<T> free{};
  for (int a = 0; a < D; ++a) free[a] = view.velocity[i][a] + T(control.dt * g[a]);
  view.free[i] = free;
}

// Wind at each particle, where the loops find it: no shift is known yet.
template <class T, int D>
__global__ void wind_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  SphControl& control = *view.control;
  double speed2 = 0;
  if (i < view.count) {
    const Vec3d x = view.air->varies_in_space ? world_position(view, i) : Vec3d::zero();
    const Vec3d wind = view.air->wind_at(x, control.middle);
    speed2 = dot(wind, wind);
    if (!isfinite(speed2)) atomicMin(&control.found.bad_node, static_cast<unsigned long long>(i));
    Four<T> blows{};
    for (int a = 0; a < D; ++a) blows[a] = T(wind[a]);
    view.shift[i] = blows;
  }
  speed2 = warp_max(speed2);
  if (threadIdx.x % 32 == 0) keep_max(&control.wind2, speed2);
}

// What particles gave to obstacles. Lanes of a warp that met the same owner send their sum; sums of
// all are exact, so that their order does not matter.
template <class T, int D>
__global__ void loads_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (!view.goes_on()) return;
  WallRange walls{0, 0};
  Vec3d x{{0, 0, 0}};
  double mass = 0;
  if (i < view.count) walls = view.walls[i];
  if (walls.count > 0) {
    x = world_position(view, i);
    mass = double(view.place[i][3]) * double(view.velocity[i][3]);
    for (int a = 0; a < D; ++a) mass *= view.context.spacing;
  }
  for (std::uint32_t k = 0; __any_sync(kAllLanes, k < walls.count); ++k) {
    int owner = -1;
    double sums[6] = {};
    if (k < walls.count) {
      const Collider& c = view.colliders[view.contacts[walls.first + k].collider];
      owner = c.owner;
      Vec3d impulse{{0, 0, 0}};
      for (int a = 0; a < D; ++a) impulse[a] = mass * double(view.given[walls.first + k][a]);
      const Vec3d torque = cross(x - reference_point(c), impulse);
      for (int a = 0; a < 3; ++a) {
        sums[a] = impulse[a];
        sums[3 + a] = torque[a];
      }
    }
    for (unsigned left = __ballot_sync(kAllLanes, owner >= 0); left != 0;) {
      const int met = __shfl_sync(kAllLanes, owner, __ffs(left) - 1);
      for (int c = 0; c < 6; ++c) {
        const double sum = warp_sum(owner == met ? sums[c] : 0.0);
        if (threadIdx.x % 32 == c && sum != 0)
          add_exact(view.impulses + std::size_t(6 * met + c) * kExactDigits, sum);
      }
      left &= ~__ballot_sync(kAllLanes, owner == met);
    }
  }
}

template <class T, int D>
__global__ void move_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  SphControl& control = *view.control;
  if (!view.goes_on()) return;
  MovedParticle moved;
  if (i < view.count) {
    const std::uint32_t block = view.block_of[i];
    const std::size_t near = std::size_t(block) * view.collider_count;
    moved = move_particle(view.now(), view, i, block_origin(view, block), view.colliders,
                          view.near_list + near, view.near_count[block]);
    if (!moved.is_finite()) {
      atomicMin(&control.found.bad_id, view.tags[i].id);
      atomicMax(&control.found.bad_set, static_cast<int>(view.sets[i]));
    }
  }
  const double speed2 = warp_max(moved.speed2), way2 = warp_max(moved.moved2),
               push2 = warp_max(moved.push2);
  if (threadIdx.x % 32 != 0) return;
  keep_max(&control.found.speed2, speed2);
  keep_max(&control.found.motion, way2);
  keep_max(&control.found.push2, push2);
}

template <class T, int D>
__device__ void finish_step(const DeviceSphView<T, D>& view) {
  SphControl& control = *view.control;
  const StepFindings& found = control.found;
  const double spacing = view.context.spacing;
  control.max_signal = control.max_speed = sqrt(from_bits(found.speed2));
  control.last_drift = sqrt(from_bits(found.motion));
  control.max_motion = control.last_drift * spacing / control.dt;
  control.max_push = sqrt(from_bits(found.push2)) / spacing;
  control.travelled += control.last_drift;
  control.clock.advance(control.dt);
  if (found.bad_set >= 0 || !(control.last_drift <= control.max_cells)) {
    control.state = RunState::diverged;
    return;
  }
  control.sort_due = control.sorted = control.travelled > kListSkin / 2;
  control.sources_due = are_sources_due(control, view.waits);
  const bool pauses = control.lead_followers() || control.sources_due;
  if (control.clock.frame_done || control.clock.steps >= control.max_steps)
    control.state = RunState::done;
  else if (pauses)
    control.state = RunState::paused;
}

template <class T, int D>
__global__ void end_step_kernel(const __grid_constant__ DeviceSphView<T, D> view,
                                SphConditions conditions) {
  SphControl& control = *view.control;
  control.sort_due = control.sources_due = control.sorted = 0;
  if (control.found.bad_node != ~0ull)
    control.state = RunState::bad_field;
  else if (control.full == 0)
    finish_step(view);
  const bool again = control.state == RunState::running && control.full == 0;
  conditions.take(kSphSortBranch, control.sort_due);
  conditions.repeat(again);
  if (again) start_step(view);
}

// Behind a sort: without room for it no other round begins.
template <class T, int D>
__global__ void end_sort_kernel(const __grid_constant__ DeviceSphView<T, D> view,
                                SphConditions conditions) {
  if (view.control->full) conditions.repeat(false);
}

}  // namespace firn
