// An implicit step that is asked to stop within its solve leaves the particles as they were, and
// is then taken with the same bytes.
#include <gtest/gtest.h>

#include "cases/random_particles.h"
#include "state_bytes.h"

namespace firn {
namespace {

// A block that is pressed on a floor and slides; where that is rough, `newton` minimises.
struct Block {
  MpmSettings settings;
  MpmState<double, 2> state;
  std::unique_ptr<MpmSolver<double, 2>> solver;
  int asked = 0, stops_at = 0;  // 0: never

  Block(IntegratorKind kind, double friction) {
    settings.spacing = kTestSpacing;
    settings.implicit.kind = kind;
    Collider floor;
    floor.shape.kind = ShapeKind::plane;
    floor.friction = friction;
    solver = std::make_unique<MpmSolver<double, 2>>(settings, std::vector<Collider>{floor});
    std::vector<std::vector<Vec3d>> world;
    NeoHookean::Parameters solid;
    solid.youngs_modulus = 1e6;
    add_box<double, 2>(
        state, world, solid, 16, {{0, 0.02, 0}},
        [](const Vec3d& x) {
          return Vec3d{{2 + x[1], -1, 0}};
        },
        Mat<double, 2>::zero());
    EXPECT_TRUE(sort_boxes(state, world, settings.kernel));
    solver->initialize(state, {false});
    solver->set_cancelled([this] { return ++asked == stops_at; });
  }
  StepReport step() { return solver->step(state, 5e-3, {{0, -9.81, 0}}); }
};

void expect_clean_stops(IntegratorKind kind, double friction) {
  SCOPED_TRACE("integrator " + std::to_string(int(kind)));
  Block straight(kind, friction), stopped(kind, friction);
  for (int step = 0; step < 3; ++step) {
    straight.asked = 0;
    EXPECT_FALSE(straight.step().solve.cancelled);
    const int questions = straight.asked;  // in this step
    ASSERT_GT(questions, 10);
    for (const int at : {1, 2, questions / 2, questions}) {
      const Bytes before = bytes_of(stopped.state);
      stopped.asked = 0;
      stopped.stops_at = at;
      EXPECT_TRUE(stopped.step().solve.cancelled) << at << " of " << questions;
      EXPECT_EQ(stopped.asked, at);  // it does not go on
      EXPECT_TRUE(bytes_of(stopped.state) == before) << at << " of " << questions;
    }
    stopped.stops_at = 0;
    const Bytes before = bytes_of(stopped.state);
    EXPECT_FALSE(stopped.step().solve.cancelled);
    EXPECT_FALSE(bytes_of(stopped.state) == before);
    EXPECT_TRUE(bytes_of(stopped.state) == bytes_of(straight.state)) << "step " << step;
  }
}

TEST(ImplicitCancelled, OptimizationStopsWithinItsSolve) {
  expect_clean_stops(IntegratorKind::optimization, 0.3);
}
TEST(ImplicitCancelled, SemiImplicitStopsWithinItsSolve) {
  expect_clean_stops(IntegratorKind::semi_implicit, 0.3);
}
TEST(ImplicitCancelled, NewtonStopsWithinItsSolve) {
  expect_clean_stops(IntegratorKind::newton, 0);
}

}  // namespace
}  // namespace firn
