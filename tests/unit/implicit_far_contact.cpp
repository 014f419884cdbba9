// Nodes that cross many cells in an implicit step meet obstacles where their free paths lead.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/random_particles.h"
#include "mpm/implicit_contact.h"

namespace firn {
namespace {

constexpr double kDt = 0.1, kStride = 16;

using Nodes = NodeSpace<double, 2>::Vector;

// A cloud of nodes around the origin, all with one free velocity, and an obstacle farther away.
struct Flight {
  MpmState<double, 2> state;
  StepContext<double, 2> ctx = scheme_context<double, 2>(TransferKind::mls, kDt, 0);
  Buffer<double> mass;
  Nodes free, allowed;
  NodeContactSet<double, 2> contacts;

  Flight(const Collider& obstacle, const Vec3d& way, bool far = true) {
    std::vector<std::vector<Vec3d>> world;
    add_box<double, 2>(
        state, world, NeoHookean::Parameters(), 3, {{0, 0, 0}},
        [](const Vec3d&) { return Vec3d::zero(); }, Mat<double, 2>::zero());
    sort_boxes(state, world, KernelKind::quadratic);
    Operators<double, 2> operators(KernelKind::quadratic, TransferKind::mls);
    find_nodes(operators, ctx, state, mass, free);
    for (Node<double>& node : free)
      for (int a = 0; a < 2; ++a) node.set(a, way[a] / kDt);
    ColliderSet obstacles(std::vector<Collider>{obstacle});
    obstacles.set_step(0, kDt);
    ContactMap<2> map;
    map.build(state.blocks, obstacles, kTestSpacing, state.shift, kStride);
    contacts.build(ctx, state.blocks, obstacles.all(), map, mass, free, far);
    contacts.set_scale(free);
    allowed = free;
    contacts.project(allowed, nullptr);
  }
  // f(place, where its free path leads, where the allowed one does)
  template <class F>
  int for_each(const F& f) const {
    constexpr int kNodes = BlockShape<2>::kNodes;
    int count = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      if (!(mass[i] > 0)) continue;
      ++count;
      const Vec3d x = node_position<2>(state.blocks.coord(static_cast<int>(i / kNodes)),
                                       static_cast<int>(i % kNodes), kTestSpacing);
      f(x, x + Vec3d{{free[i][0], free[i][1], 0}} * kDt,
        x + Vec3d{{allowed[i][0], allowed[i][1], 0}} * kDt);
    }
    return count;
  }
};

void expect_near(const Vec3d& a, const Vec3d& b, double bound) {
  EXPECT_NEAR(a[0], b[0], bound);
  EXPECT_NEAR(a[1], b[1], bound);
}

void expect_undisturbed(const Flight& flight) {
  EXPECT_GT(flight.for_each([](const Vec3d&, const Vec3d& free, const Vec3d& end) {
    expect_near(end, free, 1e-14);
  }),
            10);
}

Collider floor_at(double height) {
  Collider floor;
  floor.shape.kind = ShapeKind::plane;
  floor.shape.center = {{0, height, 0}};
  return floor;
}
Collider box_at(const Vec3d& center, const Vec3d& half) {
  Collider box;
  box.shape.kind = ShapeKind::box;
  box.shape.center = center;
  box.shape.size = half;
  return box;
}
Collider ball_at(const Vec3d& center, double radius) {
  Collider ball;
  ball.shape.kind = ShapeKind::ball;
  ball.shape.center = center;
  ball.shape.size = {{radius, radius, radius}};
  return ball;
}

constexpr double kFloor = -0.3;

TEST(ImplicitFarContact, PathsEndOnThePlaneThatTheyMeet) {
  const Vec3d way{{0.2, -0.6, 0}};
  const Flight flight(floor_at(kFloor), way);
  EXPECT_GT(flight.for_each([](const Vec3d&, const Vec3d& free, const Vec3d& end) {
    expect_near(end, {{free[0], kFloor, 0}}, 1e-12);
  }),
            10);
  // Only where it is asked for.
  expect_undisturbed(Flight(floor_at(kFloor), way, false));
}

TEST(ImplicitFarContact, WhatEndsBeforeOrLeadsAwayIsLeftAlone) {
  const double above = 2 * kTestSpacing;  // of the floor, at least, in the end
  expect_undisturbed(Flight(floor_at(kFloor), {{0.5, kFloor + above + 0.1, 0}}));
  expect_undisturbed(Flight(floor_at(kFloor), {{0, 0.6, 0}}));
  expect_undisturbed(Flight(floor_at(kFloor), {{0.6, 0, 0}}));
  expect_undisturbed(Flight(floor_at(kFloor), {{0, 0, 0}}));
}

// Half a cell thick, a quarter of the way along: seen though both ends are free.
TEST(ImplicitFarContact, ThinWallsAreNotPassed) {
  const double wall = 0.4, half = 0.25 * kTestSpacing;
  const Flight flight(box_at({{wall, 0, 0}}, {{half, 2, 1}}), {{0.8, 0.05, 0}});
  EXPECT_GT(flight.for_each([&](const Vec3d&, const Vec3d& free, const Vec3d& end) {
    EXPECT_GT(free[0], wall + half);
    expect_near(end, {{wall - half, free[1], 0}}, 1e-12);
  }),
            10);
}

// Those that pass by at more than a tenth of a cell go on; those that meet the ball stay on their
// side of a plane that touches it, and are only pushed along its normal.
TEST(ImplicitFarContact, BallsAreMetOrPassedBy) {
  const Vec3d center{{0.4, 0.03, 0}}, way{{0.8, 0, 0}};
  const double radius = 0.06;
  int met = 0, passed = 0;
  Flight(ball_at(center, radius), way)
      .for_each([&](const Vec3d& x, const Vec3d& free, const Vec3d& end) {
        const double beside = std::abs(x[1] - center[1]);
        if (beside > radius + 0.1 * kTestSpacing) {
          ++passed;
          return expect_near(end, free, 1e-14);
        }
        if (beside > radius) return;
        ++met;
        const Vec3d push = end - free;
        const double length = std::sqrt(dot(push, push));
        ASSERT_GT(length, 0.1);
        const Vec3d normal = push / length;
        EXPECT_NEAR(dot(end - center, normal), radius, 0.1 * kTestSpacing);
        EXPECT_LT(normal[0], 0);
        // Where the path meets the circle, the normal is that of the circle.
        const double meets = center[0] - std::sqrt(radius * radius - beside * beside);
        const Vec3d there{{meets - center[0], x[1] - center[1], 0}};
        EXPECT_GT(dot(normal, there) / radius, 0.9);
      });
  EXPECT_GT(met, 3);
  EXPECT_GT(passed, 3);
}

}  // namespace
}  // namespace firn
