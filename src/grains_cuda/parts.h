// Where a part of a step begins and ends.
#pragma once

#include "grains_cuda/order.h"

namespace firn {

// How many parts the ways are cut into.
template <int D>
__global__ void begin_advance_kernel(const __grid_constant__ GrainView<D> view) {
  GrainControl& control = *view.control;
  const double most = GrainCloud<D>::kLongestWay * view.spacing / view.cell;
  const double parts = ceil(sqrt(from_bits(control.longest2)) / most);
  control.parts = static_cast<int>(clamp(parts, 1.0, double(GrainCloud<D>::kMostParts)));
  control.part = 0;
  control.fastest_before2 = control.fastest2;
  control.fastest2 = 0;
}

template <int D>
__global__ void begin_part_kernel(const __grid_constant__ GrainView<D> view) {
  GrainControl& control = *view.control;
  control.node_counts.new_blocks = 0;
  control.node_way2 = 0;
  control.part_dt = control.dt / control.parts;
  control.time = control.start + control.dt * control.part / control.parts;
  const double middle = control.time + control.part_dt / 2;
  for (int a = 0; a < 3; ++a)
    control.gravity[a] = control.settles || view.gravity_in_space
                             ? 0.0
                             : view.gravity[a].at(Vec3d{{0, 0, 0}}, middle);
  for (int i = 0; i < view.timed_count && !control.settles; ++i) {
    view.colliders[view.timed[i]].time = middle;
    view.colliders[view.timed[i]].step = control.part_dt;
  }
}

template <int D>
__global__ void end_part_kernel(const __grid_constant__ GrainView<D> view,
                                GrainConditions conditions) {
  GrainControl& control = *view.control;
  if (!view.goes_on()) return conditions.repeat(false);
  ++control.part;
  control.updates += control.grains;
  control.drift += sqrt(from_bits(control.fastest2)) * control.part_dt / view.cell;
  control.sort_due = control.drift > GrainCloud<D>::kMostDrift * view.spacing / view.cell;
  conditions.take(kGrainSortBranch, control.sort_due);
  conditions.repeat(control.part < control.parts);
}

}  // namespace firn
