// What moves one grain, as functions of numbers alone: host and device, one grain or one a lane.
// Places and ways are in cells of the grid, velocities in m/s.
#pragma once

#include "base/mat.h"
#include "base/math.h"

namespace firn {

// Of a particle at a squared distance (GRAIN 40).
template <class S>
FIRN_INLINE S grain_weight(S distance2, S inverse_support2) {
  const S q = max_of(S(1) - distance2 * inverse_support2, S(0));
  return q * q * q;
}

// What a particle tells the grains around it.
template <int D>
struct FlowNode {
  Vec<float, D> place;
  float inverse_support2;
  Vec<float, D> way;       // in this step
  Mat<float, D> gradient;  // of the way
  float hold;              // 1: one of many; 0: alone, and its grains fly by themselves
};

// Sums over the particles around a grain.
template <class S, int D>
struct FlowSums {
  S weight = S(0), hold = S(0), largest = S(0);
  Vec<S, D> way = Vec<S, D>::zero();
};

// Each particle's way, continued to the grain: exact for flows that are linear in space.
template <class S, int D>
FIRN_INLINE void add_flow(FlowSums<S, D>& sums, const FlowNode<D>& node, const Vec<S, D>& place) {
  Vec<S, D> r;
  for (int a = 0; a < D; ++a) r[a] = place[a] - S(node.place[a]);
  const S w = grain_weight(dot(r, r), S(node.inverse_support2));
  sums.weight += w;
  sums.hold += w * S(node.hold);
  for (int a = 0; a < D; ++a) {
    S way = S(node.way[a]);
    for (int b = 0; b < D; ++b) way += S(node.gradient(a, b)) * r[b];
    sums.way[a] += w * way;
  }
}
// GRAIN 41: the mean of the ways.
template <class S, int D>
FIRN_INLINE void add_mean_flow(FlowSums<S, D>& sums, const FlowNode<D>& node,
                               const Vec<S, D>& place) {
  Vec<S, D> r;
  for (int a = 0; a < D; ++a) r[a] = place[a] - S(node.place[a]);
  const S w = grain_weight(dot(r, r), S(node.inverse_support2));
  sums.weight += w;
  sums.largest = max_of(sums.largest, w);
  for (int a = 0; a < D; ++a) sums.way[a] += w * S(node.way[a]);
}

template <class S, int D>
FIRN_INLINE Vec<S, D> mean_way(const FlowSums<S, D>& sums) {
  return sums.way * (S(1) / max_of(sums.weight, S(1e-20)));
}

// The share of a grain's own flight. With h = 1.5 spacings the sum is 2.1 amid a lattice, 1.1 at a
// plane surface and 0.3 at the corner of a cube: all of these follow.
template <class S>
FIRN_INLINE S free_share(S hold) {
  constexpr float kFree = 0.04f, kFollows = 0.24f;
  const S t = clamp((hold - S(kFree)) * S(1 / (kFollows - kFree)), S(0), S(1));
  return S(1) - t * t * (S(3) - S(2) * t);
}

// GRAIN 43. `at_radius`: the weight of a particle whose radius away the grain is.
template <class S>
FIRN_INLINE S printed_share(S largest, S weight, S at_radius) {
  const auto flies = (largest >= S(0.6f) * weight) | (largest <= at_radius);
  return select(flies, S(1) - largest, S(0));
}

// All that acts on a grain in flight, the same for all grains of a place.
template <int D>
struct FlightStep {
  float dt;               // s
  Vec<float, D> gravity;  // m/s^2
  Vec<float, D> air;      // m/s
  float drag;             // 1/m: the deceleration is drag x speed^2; 0: none
};

// `terminal`: speed of a grain that falls through still air, m/s; 0: no air.
template <int D>
FIRN_INLINE FlightStep<D> flight_step(const Vec3d& gravity, double dt, double terminal) {
  FlightStep<D> step;
  step.dt = float(dt);
  double g2 = 0;
  for (int a = 0; a < D; ++a) {
    step.gravity[a] = float(gravity[a]);
    step.air[a] = 0;
    g2 += square(gravity[a]);
  }
  step.drag = terminal > 0 ? float(sqrt_of(g2) / square(terminal)) : 0;
  return step;
}

// The drag is taken at the end of the step, so that it never turns a grain back.
template <class S, int D>
FIRN_INLINE Vec<S, D> fly(const Vec<S, D>& velocity, const FlightStep<D>& step) {
  Vec<S, D> past;
  for (int a = 0; a < D; ++a) past[a] = velocity[a] + S(step.dt * step.gravity[a]) - S(step.air[a]);
  const S speed = sqrt_of(dot(past, past));
  const S slowed = S(2) / (S(1) + sqrt_of(S(1) + S(4 * step.drag * step.dt) * speed));
  Vec<S, D> r;
  for (int a = 0; a < D; ++a) r[a] = S(step.air[a]) + past[a] * slowed;
  return r;
}

// GRAIN 42, with a way in place of its velocity. `speed`: m/s of a way of one cell.
template <class S, int D>
FIRN_INLINE Vec<S, D> blended_velocity(const Vec<S, D>& way, float speed, const Vec<S, D>& flight,
                                       S share) {
  return way * ((S(1) - share) * S(speed)) + flight * share;
}

}  // namespace firn
