// Particles that move with the velocity at their new places (mpm/backward_place.h).
#include <gtest/gtest.h>

#include "mpm/backward_place.h"

namespace firn {
namespace {

constexpr double kCells = 0.6;  // that a particle crosses in a step

// Nodes at x < 3 have velocities, the others none.
template <int D>
bool is_known(const Vec<int, D>& node) {
  return node[0] < 3;
}

template <int D, class Kernel>
void expect_flight() {
  Vec<double, D> velocity = Vec<double, D>::fill(0.1);
  velocity[0] = kCells;
  for (const double x : {0.6, 0.9, 1.2, 1.49}) {
    Vec<double, D> start = Vec<double, D>::fill(0.3);
    start[0] = x;
    const auto continued = [&](const Vec<int, D>& node, const Vec<double, D>& on) {
      return is_known<D>(node) ? velocity : on;
    };
    const auto stopped = [&](const Vec<int, D>& node, const Vec<double, D>&) {
      return is_known<D>(node) ? velocity : Vec<double, D>::zero();
    };
    const Vec<double, D> end = backward_place<double, D, Kernel>(start, continued);
    for (int a = 0; a < D; ++a) EXPECT_NEAR(end[a], start[a] + velocity[a], 1e-14);
    // Nodes that count as zero hold the leading layer back.
    const double lag =
        start[0] + velocity[0] - backward_place<double, D, Kernel>(start, stopped)[0];
    if (x + kCells > 3 - Kernel::kShift - 0.5) {
      EXPECT_GT(lag, 1e-3 * kCells);
    }
  }
}

TEST(BackwardPlace, AFlightIsExactWhereNobodyReachedTheNodesAhead) {
  expect_flight<2, QuadraticKernel>();
  expect_flight<3, QuadraticKernel>();
  expect_flight<2, LinearKernel>();
}

// x = (I - L)^-1 (x_n + v_0 - ...): the exact end in an affine field, known everywhere or not.
TEST(BackwardPlace, SolvesAnAffineFieldExactly) {
  Mat<double, 2> turn = Mat<double, 2>::zero();
  turn(0, 0) = 0.05;
  turn(0, 1) = -0.3;
  turn(1, 0) = 0.3;
  const Vec<double, 2> start{{1.3, 0.4}}, rest{{0.2, -0.1}};
  for (const bool known : {true, false}) {
    const auto node_at = [&](const Vec<int, 2>& node, const Vec<double, 2>& on) {
      const Vec<double, 2> x{{double(node[0]), double(node[1])}};
      return known || is_known<2>(node) ? rest + turn * x : on;
    };
    const Vec<double, 2> end = backward_place<double, 2, QuadraticKernel>(start, node_at);
    const Vec<double, 2> exact = inverse(Mat<double, 2>::identity() - turn) * (start + rest);
    for (int a = 0; a < 2; ++a) EXPECT_NEAR(end[a], exact[a], 1e-13) << known;
  }
}

// A node in a wall that stands still keeps what comes from outside from passing.
TEST(BackwardPlace, WhatIsHeldAheadStopsAParticle) {
  const auto node_at = [](const Vec<int, 2>& node, const Vec<double, 2>&) {
    return node[0] >= 3 ? Vec<double, 2>::zero() : Vec<double, 2>{{kCells, 0}};
  };
  Vec<double, 2> x{{1.2, 0.2}};
  for (int step = 0; step < 200; ++step) x = backward_place<double, 2, QuadraticKernel>(x, node_at);
  EXPECT_LT(x[0], 3.5);
  EXPECT_GT(x[0], 2.5);
}

}  // namespace
}  // namespace firn
