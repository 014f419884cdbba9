// Particles near obstacles: none of them goes through one (collision/sweep.h).
#pragma once

#include "collision/landing.h"
#include "mpm/guard_filter.h"
#include "mpm_cuda/contact.h"
#include "mpm_cuda/control.h"
#include "mpm_cuda/obstacles.h"

namespace firn {

constexpr int kGuardThreads = 128;

template <int D>
constexpr int kClearanceCells = power(ParticleContacts<D>::kSide, D);

// How far obstacles are from the middle of each cell that particles may be in.
template <class T, int D>
__global__ void clearance_kernel(const __grid_constant__ View<T, D> view) {
  const int cells = view.near_particles.listed->any * kClearanceCells<D>;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x) {
    const int block =
        AnyObstacle::block(view.near_particles, i / kClearanceCells<D>, view.capacity);
    const int* near = view.near_particles.list + std::size_t(block) * view.collider_count;
    const Vec3d center =
        clearance_center<D>(block_origin(view, block), i % kClearanceCells<D>, view.spacing);
    std::uint8_t still = 255, moving = 255;
    for (int k = 0; k < view.near_particles.count[block]; ++k) {
      const Collider& c = view.colliders[near[k]];
      const std::uint8_t units = clearance_of<D>(c, center, view.spacing);
      if (view.moving_clearance && !stands_still(c))
        moving = min(moving, units);
      else
        still = min(still, units);
    }
    view.clearance[i] = still;
    if (view.moving_clearance) view.moving_clearance[i] = moving;
  }
}

// Clearances of a cell, in units.
struct CellClearance {
  int still, moving;
};
template <class T, int D>
__device__ CellClearance clearance_at(const View<T, D>& view, std::size_t cell) {
  return {view.clearance[cell], view.moving_clearance ? view.moving_clearance[cell] : 255};
}

// In the world, m, from the columns of a particle from `column` on; its block begins at `origin`.
// And back.
template <int D, class T>
__device__ Vec3d place_of(const ParticleWords<T>& particle, int column, const Vec3d& origin,
                          double spacing) {
  Vec3d x{{0, 0, 0}};
  for (int a = 0; a < D; ++a) x[a] = (origin[a] + double(particle[column + a])) * spacing;
  return x;
}
template <int D, class T>
__device__ void put_particle(const ParticleWords<T>& particle, const Vec3d& x, const Vec3d& origin,
                             double spacing) {
  for (int a = 0; a < D; ++a)
    particle[CommonColumns<D>::kPosition + a] = T(x[a] / spacing - origin[a]);
}
// A particle that was put back to x (collision/landing.h). Few are at a time: each adds its own
// impulses.
template <class Obstacles, class T, int D>
__device__ void land(const View<T, D>& view, const SetView<T>& set,
                     const ParticleWords<T>& particle, const int* near, int n, const Vec3d& x) {
  constexpr int kVelocity = CommonColumns<D>::kVelocity;
  const double mass = set.mass < 0 ? set.same_mass : particle[set.mass];
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = particle[kVelocity + a];
  v = land_on_all<T, D>(
      view.colliders, near, n, x, mass, v, view.spacing,
      [&](const Collider& c) { return Obstacles::template contact<T, D>(c, x, 0); },
      [&](int k, const ContactImpulse& given) {
        const int owner = view.colliders[near[k]].owner;
        for (int a = 0; a < 3; ++a) {
          add_impulse(view, 6 * owner + a, given.linear[a]);
          add_impulse(view, 6 * owner + 3 + a, given.angular[a]);
        }
      });
  for (int a = 0; a < D; ++a) particle[kVelocity + a] = v[a];
}
// The square of the longest way that a particle of a thread was pushed; called by whole warps.
__device__ inline void report_push(Control& control, double farthest2) {
  __syncwarp();
  farthest2 = warp_max(farthest2);
  if (threadIdx.x % 32 == 0) keep_max(&control.found.push2, farthest2);
}

// Most particles pass at once: many of them at a time, at the price of those that do not. The
// gather left the places before the step in the spare columns.
template <class T, int D, bool Rough>
__global__ void __launch_bounds__(kGuardThreads, 4)
    guard_kernel(const __grid_constant__ View<T, D> view) {
  Control& control = *view.control;
  const int parity = control.parity;
  const double stride = fastest_motion<D>(control.found) * control.dt / view.spacing;
  const GuardFilter<D, float> filter(stride, control.body_drift);
  double farthest2 = 0;  // m^2
  for (int i = blockIdx.x; i < view.near_particles.listed->any; i += gridDim.x) {
    const int block = AnyObstacle::block(view.near_particles, i, view.capacity);
    const int n = view.near_particles.count[block];
    const int* near = view.near_particles.list + std::size_t(block) * view.collider_count;
    const std::size_t cells = std::size_t(i) * kClearanceCells<D>;
    const Vec3d origin = block_origin(view, block);
    for (int s = 0; s < view.set_count; ++s) {
      const SetView<T>& set = view.sets[s];
      const int base_row = *set.base_row, spare = spare_column(set, base_row);
      const std::uint32_t end = set.begin[parity][block + 1];
      for (std::uint32_t p = set.begin[parity][block] + threadIdx.x; p < end; p += blockDim.x) {
        const ParticleWords<T> particle(set, base_row, p);
        Vec<T, D> start;
        for (int a = 0; a < D; ++a) start[a] = particle[spare + a];
        const int cell = clearance_cell(start);
        const CellClearance clearance = clearance_at(view, cells + cell);
        if (!filter.may_meet(clearance.still, clearance.moving)) continue;
        Vec<T, D> moved;
        for (int a = 0; a < D; ++a) moved[a] = particle[CommonColumns<D>::kPosition + a] - start[a];
        if (!filter.may_meet(clearance.still, clearance.moving, start, cell, moved)) continue;
        const Vec3d from = place_of<D>(particle, spare, origin, view.spacing);
        Vec3d to = place_of<D>(particle, CommonColumns<D>::kPosition, origin, view.spacing);
        const Vec3d aim = to;
        if (!keep_out(view.colliders, near, n, from, to, view.spacing)) continue;
        put_particle<D>(particle, to, origin, view.spacing);
        if constexpr (Rough) land<AnyObstacle>(view, set, particle, near, n, to);
        farthest2 = max_of(farthest2, dot(to - aim, to - aim));
      }
    }
  }
  report_push(control, farthest2);
}

// A half-space as it is seen from a block, in cells: quick, and as exact as positions are.
template <class T, int D>
struct PlaneAtBlock {
  // Nearer ones may be pushed.
  static constexpr T kNear = T(2 * kSurfaceGap + 1e-5);

  Vec<T, D> normal;
  T offset;  // distance of the place zero

  __device__ PlaneAtBlock(const Collider& plane, const Vec3d& origin, double spacing) {
    const DistanceAndNormal d = plane_distance(plane, origin * spacing);
    for (int a = 0; a < D; ++a) normal[a] = T(d.normal[a]);
    offset = T(d.distance / spacing);
  }
  __device__ bool is_near(const Vec<T, D>& place) const {
    return offset + dot(normal, place) < kNear;
  }
  // Any place where particles of a block can be after a step.
  __device__ bool is_near_block(double stride) const {
    const T beyond = T(BlockShape<D>::kMargin + stride);
    T least = offset;
    for (int a = 0; a < D; ++a)
      least += min_of(normal[a] * -beyond, normal[a] * (T(BlockShape<D>::kEdge) + beyond));
    return least < kNear;
  }
};

// The same where there are half-spaces at rest alone.
template <class T, int D, bool Rough>
__global__ void __launch_bounds__(kGuardThreads)
    guard_planes_kernel(const __grid_constant__ View<T, D> view) {
  using C = CommonColumns<D>;
  Control& control = *view.control;
  const int parity = control.parity, blocks = FixedPlane::count(*view.near_particles.listed);
  double farthest2 = 0;  // m^2
  for (int i = blockIdx.x; i < blocks; i += gridDim.x) {
    const int block = FixedPlane::block(view.near_particles, i, view.capacity);
    const int n = view.near_particles.count[block];
    const int* near = view.near_particles.list + std::size_t(block) * view.collider_count;
    const Vec3d origin = block_origin(view, block);
    const auto plane = [&](int k) {
      return PlaneAtBlock<T, D>(view.colliders[near[k]], origin, view.spacing);
    };
    const PlaneAtBlock<T, D> first = plane(0);
    bool any_near = first.is_near_block(view.longest_stride);
    for (int k = 1; k < n; ++k) any_near = any_near || plane(k).is_near_block(view.longest_stride);
    for (int s = 0; s < view.set_count && any_near; ++s) {
      const SetView<T>& set = view.sets[s];
      const int base_row = *set.base_row, spare = spare_column(set, base_row);
      const std::uint32_t end = set.begin[parity][block + 1];
      for (std::uint32_t p = set.begin[parity][block] + threadIdx.x; p < end; p += blockDim.x) {
        const ParticleWords<T> particle(set, base_row, p);
        Vec<T, D> place;
        for (int a = 0; a < D; ++a) place[a] = particle[C::kPosition + a];
        bool pushed = first.is_near(place);
        for (int k = 1; k < n; ++k) pushed = pushed || plane(k).is_near(place);
        if (!pushed) continue;
        const Vec3d from = place_of<D>(particle, spare, origin, view.spacing);
        Vec3d to = place_of<D>(particle, C::kPosition, origin, view.spacing);
        const Vec3d aim = to;
        pushed = keep_out_of_all(view.colliders, near, n, from, to, [&](const Collider& c) {
          return keep_out_of_plane(c, from, to, view.spacing);
        });
        if (!pushed) continue;
        put_particle<D>(particle, to, origin, view.spacing);
        if constexpr (Rough) land<FixedPlane>(view, set, particle, near, n, to);
        farthest2 = max_of(farthest2, dot(to - aim, to - aim));
      }
    }
  }
  report_push(control, farthest2);
}

}  // namespace firn
