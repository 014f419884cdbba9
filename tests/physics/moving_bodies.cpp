// Obstacles that move and what acts on them.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "scene/defaults.h"
#include "world_run.h"

namespace firn {
namespace {

SceneSettings block_scene(double stiffness) {
  SceneSettings scene;
  scene.dimension = 2;
  scene.grid.spacing = 0.05;
  scene.fps = 20;
  NeoHookean::Parameters parameters;
  parameters.youngs_modulus = stiffness;
  scene.materials.push_back({"block", "", parameters});
  ObjectSettings& block = scene.objects.emplace_back();
  block.name = "block";
  block.shape.kind = ShapeType::box;
  block.shape.size = {{0.6, 0.4, 1}};
  block.shape.center = {{0, 0.2, 0}};
  block.density = 1000;
  block.sampling.kind = SamplingKind::grid;
  fill_defaults(scene);
  return scene;
}

ColliderSettings& add_floor(SceneSettings& scene) {
  ColliderSettings& floor = scene.colliders.emplace_back();
  floor.name = "floor";
  floor.shape.kind = ShapeType::plane;
  return floor;
}

Vec3d mean_velocity(const World& world) {
  const FrameStats stats = world.statistics();
  return stats.momentum / stats.mass;
}

// Over a while, what the floor bears is the weight and the change of momentum; at any time.
TEST(Loads, TheFloorBearsTheWeight) {
  SceneSettings scene = block_scene(2e5);
  add_floor(scene);
  const auto world = started(scene);
  double impulse = 0;
  constexpr int kFrames = 30;
  for (int i = 0; i < kFrames; ++i) {
    advance(*world, 1);
    impulse += world->statistics().colliders[0].force[1] / scene.fps;
  }
  const FrameStats stats = world->statistics();
  const double expected = -stats.mass * 9.81 * (kFrames / scene.fps) - stats.momentum[1];
  EXPECT_NEAR(impulse, expected, 1e-6 * std::abs(expected));
  EXPECT_NEAR(stats.colliders[0].force[0], 0, 1e-6 * stats.mass * 9.81);
}

// The torque about the centre of a plate from a block beside it is weight times arm.
TEST(Loads, TorqueIsForceTimesArm) {
  SceneSettings scene = block_scene(2e5);
  ColliderSettings& plate = scene.colliders.emplace_back();
  plate.name = "plate";
  plate.shape.kind = ShapeType::box;
  plate.shape.size = {{4, 0.2, 1}};
  plate.shape.center = {{1, -0.1, 0}};
  const auto world = started(scene);
  double torque = 0, force = 0;
  for (int i = 0; i < 40; ++i) {
    advance(*world, 1);
    torque += world->statistics().colliders[0].torque[2];
    force += world->statistics().colliders[0].force[1];
  }
  // The block's middle is 1 m to the left of the plate's centre: weight there turns it left.
  EXPECT_NEAR(torque / force, -1, 0.02);
}

TEST(MovingBodies, APistonBringsABlockToItsSpeed) {
  SceneSettings scene = block_scene(1e5);
  scene.gravity = {};
  ColliderSettings& piston = scene.colliders.emplace_back();
  piston.name = "piston";
  piston.contact = ContactKind::slip;
  piston.shape.kind = ShapeType::box;
  piston.shape.size = {{0.2, 2, 1}};
  piston.shape.center = {{-0.6, 0.2, 0}};
  piston.motion.emplace();
  piston.motion->translation[0] = {0, "0.8*t"};
  const auto world = started(scene);
  advance(*world, 60);
  // It may have bounced off a little faster than the piston, never slower.
  EXPECT_GT(mean_velocity(*world)[0], 0.75);
  EXPECT_NEAR(mean_velocity(*world)[1], 0, 1e-6);
  const auto x = world->snapshot({}).as_double("x");
  const double face = -0.5 + 0.8 * world->time();
  for (const double value : x) EXPECT_GT(value, face - 1e-3);
}

TEST(MovingBodies, ABeltCarriesABlockAlong) {
  SceneSettings scene = block_scene(5e5);
  ColliderSettings& belt = add_floor(scene);
  belt.friction.value = 0.5;
  belt.surface_velocity = {{1, 0, 0}};
  const auto world = started(scene);
  advance(*world, 4);
  const double early = mean_velocity(*world)[0];
  EXPECT_NEAR(early, 0.5 * 9.81 * world->time(), 0.2 * early);  // friction accelerates it
  advance(*world, 26);
  EXPECT_NEAR(mean_velocity(*world)[0], 1, 0.03);
}

TEST(MovingBodies, PinnedEndsStretchABar) {
  SceneSettings scene = block_scene(1e5);
  scene.gravity = {};
  scene.objects[0].shape.size = {{2.0, 0.4, 1}};
  for (const double side : {-1.0, 1.0}) {
    ColliderSettings& pin = scene.colliders.emplace_back();
    pin.name = side < 0 ? "left" : "right";
    pin.contact = ContactKind::pin;
    pin.shape.kind = ShapeType::box;
    pin.shape.size = {{0.3, 1, 1}};
    pin.shape.center = {{side * 1.0, 0.2, 0}};
    pin.motion.emplace();
    pin.motion->keyframes = {{0, {}, {}, 1}, {2, {{side * 0.3, 0, 0}}, {}, 1}};
  }
  const auto world = started(scene);
  advance(*world, 50);
  const FrameStats stats = world->statistics();
  const auto x = world->snapshot({}).as_double("x");
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 1.3, 0.03);
  EXPECT_NEAR(*std::min_element(x.begin(), x.end()), -1.3, 0.03);
  // Free length 1.7, stretched by 0.6: both ends pull with about E A strain, equal and opposite.
  const double pull = stats.colliders[1].force[0];
  EXPECT_NEAR(stats.colliders[0].force[0], -pull, 0.1 * std::abs(pull));
  EXPECT_GT(-pull, 0.6 * 1e5 * 0.4 * 0.6 / 1.7);
  EXPECT_LT(-pull, 1.8 * 1e5 * 0.4 * 0.6 / 1.7);
}

TEST(MovingBodies, AJumpIsRefusedWithItsName) {
  SceneSettings scene = block_scene(1e5);
  ColliderSettings& hammer = scene.colliders.emplace_back();
  hammer.name = "hammer";
  hammer.shape.kind = ShapeType::ball;
  hammer.shape.radius = 0.2;
  hammer.shape.center = {{0, 2, 0}};
  hammer.motion.emplace();
  hammer.motion->translation[1] = {0, "t > 0.1 ? -1.5 : 0"};
  const auto world = started(scene);
  const std::atomic<bool> stop{false};
  Result<FrameOutcome> outcome = FrameOutcome::done;
  for (int i = 0; i < 5 && outcome.ok(); ++i) outcome = world->advance_frame(stop);
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.errors()[0].find("\"hammer\" jumps"), std::string::npos) << outcome.errors()[0];
}

// What a run ends with after some frames; "" where it does not.
std::string error_within(const SceneSettings& scene, int frames, Precision precision) {
  const auto world = World::create(scene, precision);
  if (!world) return world.errors()[0];
  const std::atomic<bool> stop{false};
  for (int i = 0; i < frames; ++i)
    if (const auto outcome = (*world)->advance_frame(stop); !outcome) return outcome.errors()[0];
  return "";
}

// The floor would vanish, or be without friction, and nobody would know.
TEST(MovingBodies, ExpressionsThatGoWrongStopTheRunWithTimeAndCollider) {
  struct Wrong {
    const char* key;
    const char* expression;
    const char* says;
  };
  const Wrong cases[] = {{"translation", "sqrt(0.1-t)", "has no place"},
                         {"translation", "t>0.1 ? 1/0 : 0", "has no place"},
                         {"scale", "1-10*t", "has no place"},
                         {"friction", "0.3-5*t", "friction"},
                         {"friction", "log(0.1-t)+3", "friction"},
                         {"friction", "sqrt(1-x*x-10*t)", "friction"},
                         {"stickiness", "sqrt(0.1-t)", "stickiness"},
                         {"stickiness", "0.1-t", "stickiness"}};
  for (const Wrong& wrong : cases)
    for (const Precision precision : {Precision::single, Precision::double_}) {
      SCOPED_TRACE(std::string(wrong.key) + " = " + wrong.expression);
      SceneSettings scene = block_scene(1e5);
      ColliderSettings& floor = scene.colliders.emplace_back();
      floor.name = "the floor";
      floor.shape.kind = ShapeType::box;
      floor.shape.size = {{6, 1, 6}};
      floor.shape.center = {{0, -0.5, 0}};
      const NumberOrExpression value{0, wrong.expression};
      const std::string key = wrong.key;
      if (key == "friction") floor.friction = value;
      if (key == "stickiness") floor.stickiness = value;
      if (key == "scale" || key == "translation") floor.motion.emplace();
      if (key == "scale") floor.motion->scale = value;
      if (key == "translation") floor.motion->translation[0] = value;
      const std::string line = error_within(scene, 8, precision);
      EXPECT_NE(line.find("at t = 0."), std::string::npos) << line;
      EXPECT_NE(line.find("\"the floor\""), std::string::npos) << line;
      EXPECT_NE(line.find("/colliders/"), std::string::npos) << line;
      EXPECT_NE(line.find(wrong.says), std::string::npos) << line;
    }
}

// Where nothing touches the collider its expressions may say what they like.
TEST(MovingBodies, SurfacesFarAwayDoNotMatter) {
  SceneSettings scene = block_scene(1e5);
  ColliderSettings& wall = scene.colliders.emplace_back();
  wall.name = "wall";
  wall.shape.kind = ShapeType::box;
  wall.shape.size = {{1, 1, 1}};
  wall.shape.center = {{20, 0, 0}};
  wall.friction = {0, "0-1*(x>10)"};
  EXPECT_EQ(error_within(scene, 2, Precision::single), "");
}

// A whole simulation: a spinning paddle in a closed box keeps all its sand, and so does a box with
// walls of one cell that is shaken.
TEST(MovingBodies, AShakenBoxKeepsItsSand) {
  SceneSettings scene;
  scene.dimension = 2;
  scene.grid.spacing = 0.02;
  scene.fps = 20;
  scene.materials.push_back({"sand", "", Sand::Parameters{}});
  ObjectSettings& sand = scene.objects.emplace_back();
  sand.name = "sand";
  sand.shape.kind = ShapeType::box;
  sand.shape.size = {{0.56, 0.3, 1}};
  sand.shape.center = {{0, -0.1, 0}};
  ColliderSettings& box = scene.colliders.emplace_back();
  box.name = "box";
  box.friction.value = 0.3;
  box.shape.kind = ShapeType::difference;
  for (const double more : {0.02, 0.0}) {
    PartSettings& part = box.shape.parts.emplace_back();
    part.kind = ShapeType::box;
    part.size = {{0.6 + 2 * more, 0.6 + 2 * more, 1}};
  }
  box.motion.emplace();
  box.motion->translation[0] = {0, "0.15*sin(12*t)"};
  box.motion->rotation[2] = {0, "40*sin(9*t)"};
  fill_defaults(scene);
  const auto world = started(scene);
  const std::size_t count = world->statistics().particles;
  advance(*world, 30);
  const double t = world->time();
  const PointTable table = world->snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y");
  ASSERT_EQ(x.size(), count);
  const double c = std::cos(40 * std::sin(9 * t) * kDegree),
               s = std::sin(40 * std::sin(9 * t) * kDegree);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - 0.15 * std::sin(12 * t), dy = y[i];
    EXPECT_LT(std::abs(c * dx + s * dy), 0.301);
    EXPECT_LT(std::abs(c * dy - s * dx), 0.301);
  }
}

}  // namespace
}  // namespace firn
