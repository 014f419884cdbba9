// Meshed solids on obstacles: nothing is entered, what should rest rests, what should slide slides,
// forces are counted.
#include <gtest/gtest.h>

#include <cmath>

#include "fem_rig.h"

namespace firn {
namespace {

constexpr double kGravity = 9.81, kFrame = 1. / 24;

Collider body(ShapeKind kind, const Vec3d& center, ContactKind contact, double friction = 0) {
  Collider c;
  c.shape.kind = kind;
  c.shape.center = center;
  c.contact = contact;
  c.friction = friction;
  return c;
}
Collider floor_with(double friction, ContactKind contact = ContactKind::separate) {
  return body(ShapeKind::plane, {{0, 0, 0}}, contact, friction);
}

template <int D>
double lowest(const Rig<D>& run) {
  double least = 1e300;
  for (std::size_t i = 0; i < run.solver.model().nodes(); ++i)
    least = std::min(least, run.solver.places()[i * D + 1]);
  return least;
}

TEST(FemObstacles, CubeFallsAndRests) {
  for (int order : {1, 2}) {
    Rig<3> run(FemSettings{}, cube(2, order, 0.4), rubber(1e5), -kGravity, {floor_with(0.3)});
    run.start([&](std::size_t i, int a) { return run.rest(i, a) + (a == 1 ? 0.3 : 0); },
              [](std::size_t, int) { return 0.0; });
    for (int k = 0; k < 96; ++k) {
      EXPECT_FALSE(run.step(kFrame).solve.missed);
      EXPECT_GE(lowest(run), -1e-6 * 0.2);
    }
    const double weight = run.solver.model().total_mass * kGravity;
    EXPECT_NEAR(run.solver.impulses()[0].linear[1], weight * kFrame, 1e-2 * weight * kFrame);
    EXPECT_LT(run.step(kFrame).max_speed, 1e-3);
    EXPECT_NEAR(lowest(run), 0, 1e-6);
  }
}

// A node on the edge of a box, in 2D on its corner at (0, 0).
struct OnCorner {
  OnCorner() {
    Collider box = body(ShapeKind::box, {{-0.5, -0.5, 0}}, ContactKind::separate);
    box.shape.dimension = 2;
    box.shape.size = Vec3d{{0.5, 0.5, 0.5}};
    constraints.start(std::make_shared<const ColliderSet>(std::vector<Collider>{box}), {true}, 1,
                      0.1);
  }
  // What is free of a displacement where the node is pulled along (u, v).
  Vec2d free_of(double u, double v, Vec2d d) {
    const double x[2] = {0, 0}, g[2] = {-u, -v};
    constraints.begin_step(x);
    constraints.register_active(x, g);
    constraints.filter(d.e);
    return d;
  }
  ObstacleConstraints<2> constraints;
};

TEST(FemObstacles, SharpEdgesHoldOnlyWhatGoesIn) {
  OnCorner node;
  const Vec2d any{{0.3, 0.7}};
  // Past the edge, away, and off it: nothing is in the way.
  for (const Vec2d& pull : {Vec2d{{1, -2}}, Vec2d{{-2, 1}}, Vec2d{{1, 1}}, Vec2d{{0.1, -1}}}) {
    const Vec2d left = node.free_of(pull[0], pull[1], any);
    EXPECT_EQ(left[0], any[0]) << pull[0];
    EXPECT_EQ(left[1], any[1]) << pull[0];
  }
  // Into it: held by the face that a projection would lead to, so that it may slide along that.
  const Vec2d deep = node.free_of(-1, -3, any), wide = node.free_of(-3, -1, any);
  EXPECT_NEAR(deep[0], 0, 1e-12);
  EXPECT_NEAR(deep[1], any[1], 1e-12);
  EXPECT_NEAR(wide[0], any[0], 1e-12);
  EXPECT_NEAR(wide[1], 0, 1e-12);
}

// A block that a floor runs into by six rows of cells within a step: 7 Newton steps, 13 from where
// a projection alone would put it.
TEST(FemObstacles, FloorsThatComeUpLiftBlocksWhole) {
  auto motion = std::make_shared<BodyMotion>();
  KeyPose low, high;
  high.time = kFrame;
  high.translation = Vec3d{{0, 0.15, 0}};
  motion->keys = {low, high};
  motion->smooth = false;
  auto obstacles = std::make_shared<ColliderSet>();
  obstacles->add(floor_with(0), motion, nullptr);
  obstacles->set_step(0, kFrame);
  FemSolver<3> solver(FemSettings{}, FemModel<3>({cube(8, 1, 0.2)}, {rubber(1e5)}), obstacles,
                      std::make_shared<Timers>());
  Buffer<double> x(solver.model().nodes() * 3), v(x.size());
  std::copy(solver.model().rest.begin(), solver.model().rest.end(), x.data());
  v.fill(0);
  solver.start(x, v);
  const VaryingValue none[3];
  FemStepInput in;
  in.dt = kFrame;
  in.gravity = none;
  const StepReport report = solver.step(in);
  EXPECT_FALSE(report.solve.missed);
  EXPECT_LE(report.solve.newton_iterations, 9);
  for (std::size_t i = 0; i < solver.model().nodes(); ++i)
    EXPECT_GE(solver.places()[i * 3 + 1], 0.15 - 1e-8);
}

// A cube of 0.2 m on a slope: gravity stands askew instead of the floor.
struct Slope {
  Slope(double degrees, double friction, FrictionMethod method)
      : run(with(method), cube(2, 1, 0.2), rubber(1e6), 0, {floor_with(friction)}) {
    const double slope = degrees * M_PI / 180;
    run.field[0].value = kGravity * std::sin(slope);
    run.field[1].value = -kGravity * std::cos(slope);
  }
  static FemSettings with(FrictionMethod method) {
    FemSettings settings;
    settings.friction = method;
    return settings;
  }
  void wait(int frames) {
    for (int k = 0; k < frames; ++k) EXPECT_FALSE(run.step(kFrame).solve.missed) << k;
  }
  double way() const {
    double sum = 0;
    for (std::size_t i = 0; i < run.solver.model().nodes(); ++i)
      sum += run.solver.model().mass[i] * (run.solver.places()[i * 3] - run.rest(i, 0));
    return sum / run.solver.model().total_mass;
  }
  double speed() const { return run.momentum()[0] / run.solver.model().total_mass; }

  Rig<3> run;
};

const double kMu = std::tan(15 * M_PI / 180);

TEST(FemObstacles, SteepSlopeSlides) {
  const double slope = 24 * M_PI / 180;
  const double speeding = kGravity * (std::sin(slope) - kMu * std::cos(slope));
  Slope inside(24, kMu, FrictionMethod::inside);
  inside.wait(48);
  EXPECT_NEAR(inside.way(), 0.5 * speeding * 2 * (2 + kFrame), 0.02 * 2 * speeding);
  // Friction after the solve is late where the body is not yet at one speed.
  Slope afterwards(24, kMu, FrictionMethod::afterwards);
  afterwards.wait(24);
  const double before = afterwards.speed();
  afterwards.wait(24);
  EXPECT_NEAR(afterwards.speed() - before, speeding, 0.02 * speeding);
}

TEST(FemObstacles, GentleSlopeRests) {
  Slope inside(14, kMu, FrictionMethod::inside);
  inside.wait(120);
  EXPECT_LT(inside.way(), 1e-3);
  // What OPT does creeps.
  Slope afterwards(14, kMu, FrictionMethod::afterwards);
  afterwards.wait(120);
  EXPECT_GT(afterwards.way(), 0.05);
}

// Two planes that meet: a node goes to the nearest point of what they leave free.
TEST(FemObstacles, GroovesHold) {
  Collider left = floor_with(0), right = floor_with(0);
  left.shape.dimension = right.shape.dimension = 2;
  left.shape.rotation = rotation_from_degrees({{0, 0, -40}});
  right.shape.rotation = rotation_from_degrees({{0, 0, 40}});
  Rig<2> run(FemSettings{}, body_of<2>(cut_cubes<2>({4, 4}, 0.1), 1), rubber(1e5), -kGravity,
             {left, right});
  run.start([&](std::size_t i, int a) { return run.rest(i, a) + (a == 0 ? -0.2 : 0.5); },
            [](std::size_t, int) { return 0.0; });
  for (int k = 0; k < 96; ++k) {
    EXPECT_FALSE(run.step(kFrame).solve.missed) << k;
    for (std::size_t i = 0; i < run.solver.model().nodes(); ++i)
      for (const Collider& wall : {left, right})
        EXPECT_GE(distance_at_end(wall, in_space<2>(run.solver.places().data() + i * 2)).distance,
                  -1e-7);
  }
  const double weight = run.solver.model().total_mass * kGravity;
  EXPECT_NEAR(run.solver.impulses()[0].linear[1], weight * kFrame, 0.01 * weight * kFrame);
}

TEST(FemObstacles, BallsHoldWhatIsInside) {
  Collider shell = body(ShapeKind::ball, {{0, 0, 0}}, ContactKind::separate, 0.2);
  shell.shape.size = {{0.5, 0, 0}};
  shell.shape.inside = true;
  Rig<3> run(FemSettings{}, cube(3, 1, 0.4), rubber(1e4), -kGravity, {shell});
  run.start([&](std::size_t i, int a) { return run.rest(i, a) - 0.2; },
            [](std::size_t, int a) { return a == 0 ? 2.0 : 0.0; });
  for (int k = 0; k < 48; ++k) {
    EXPECT_FALSE(run.step(kFrame).solve.missed) << k;
    for (std::size_t i = 0; i < run.solver.model().nodes(); ++i)
      EXPECT_GE(distance_at_end(shell, in_space<3>(run.solver.places().data() + i * 3)).distance,
                -1e-7);
  }
}

TEST(FemObstacles, PinsHoldTheirNodes) {
  Collider pin = body(ShapeKind::box, {{0.2, 0.4, 0.2}}, ContactKind::pin);
  pin.shape.size = {{1, 0.01, 1}};
  Rig<3> run(FemSettings{}, cube(4, 1, 0.4), rubber(1e5), -kGravity, {pin});
  run.start([&](std::size_t i, int a) { return run.rest(i, a); },
            [](std::size_t, int) { return 0.0; });
  for (int k = 0; k < 120; ++k) EXPECT_FALSE(run.step(kFrame).solve.missed);
  for (std::size_t i = 0; i < run.solver.model().nodes(); ++i) {
    const bool held = run.rest(i, 1) > 0.399;
    EXPECT_NEAR(run.solver.places()[i * 3 + 1], run.rest(i, 1), held ? 1e-12 : 0.2);
  }
  const double weight = run.solver.model().total_mass * kGravity;
  EXPECT_NEAR(run.solver.impulses()[0].linear[1], weight * kFrame, 0.01 * weight * kFrame);
}

TEST(FemObstacles, PenaltyStaysShallow) {
  FemSettings settings;
  settings.methods = {ObstacleMethod::penalty};
  for (const double modulus : {1e4, 1e7}) {
    Rig<3> run(settings, cube(3, 1, 0.3), rubber(modulus), -kGravity, {floor_with(0.3)});
    run.start([&](std::size_t i, int a) { return run.rest(i, a) + (a == 1 ? 0.5 : 0); },
              [](std::size_t, int) { return 0.0; });
    for (int k = 0; k < 72; ++k) {
      EXPECT_FALSE(run.step(kFrame).solve.missed) << k;
      EXPECT_GE(lowest(run), -0.0101 * 0.15) << k;
    }
    const double weight = run.solver.model().total_mass * kGravity;
    EXPECT_NEAR(run.solver.impulses()[0].linear[1], weight * kFrame, 0.02 * weight * kFrame);
  }
}

}  // namespace
}  // namespace firn
