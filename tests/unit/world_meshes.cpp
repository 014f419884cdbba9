// Meshes of a solver and poses of colliders in the snapshots of a world.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/case_tools.h"
#include "meshed_solver.h"
#include "scene/collider_place.h"
#include "scene/defaults.h"

namespace firn {
namespace {

const MeshedMaker kMeshed;

SceneSettings eight_points() {
  SceneSettings scene = case_scene(3, 0.1, 20);
  const int material = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
  add_box(scene, material, 1000, {{0, 0, 0}}, {{1, 1, 1}});
  fill_defaults(scene);
  return scene;
}

// A tetrahedron at the origin, a square beside it and a particle that belongs to neither.
std::vector<ObjectParticles> corners() {
  ObjectParticles object;
  object.volume = 1e-3;
  object.density = 1000;
  object.linear_velocity = {{1, 0, 0}};
  object.palette = {0xff0000};
  object.cumulative = {1};
  object.position = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{2, 0, 0}},
                     {{3, 0, 0}}, {{3, 1, 0}}, {{2, 1, 0}}, {{5, 5, 5}}};
  return {object};
}

std::unique_ptr<World> made(const SceneSettings& scene) {
  auto world =
      World::create_from_particles(scene, corners(), Precision::double_, Device::cpu, &kMeshed);
  EXPECT_TRUE(world) << (world ? "" : world.errors()[0]);
  return world ? std::move(*world) : nullptr;
}

TEST(WorldMeshes, CornersAreRowsOfTheSnapshot) {
  const auto world = made(eight_points());
  ASSERT_TRUE(world && run_frames(*world, 3).empty());
  const Frame frame = world->snapshot({"id", "velocity"});
  ASSERT_EQ(frame.meshes.size(), 2u);
  EXPECT_EQ(mesh_problem(frame), "");
  EXPECT_EQ(frame.meshes[0].name, "solid");
  EXPECT_EQ(frame.meshes[0].tetrahedra, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(frame.meshes[1].triangles, (std::vector<std::uint32_t>{4, 5, 6, 4, 6, 7}));
  EXPECT_EQ(frame.meshes[1].values.as_float("strain"), (std::vector<float>{1, 2}));
  const std::vector<bool> inside = points_in_cells(frame);
  EXPECT_EQ(std::count(inside.begin(), inside.end(), true), 8);
  EXPECT_FALSE(inside[8]);
}

// A sink takes one corner of the square: one of its triangles is left, whose rows have moved up.
TEST(WorldMeshes, CellsGoWithTheirCorners) {
  SceneSettings scene = eight_points();
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.name = "drain";
  sink.shape.kind = ShapeType::box;
  sink.shape.center = {{3, 0, 0}};
  sink.shape.size = {{0.3, 0.3, 0.3}};
  fill_defaults(scene);
  const auto world = made(scene);
  ASSERT_TRUE(world && run_frames(*world, 1).empty());
  const Frame frame = world->snapshot({"id"});
  ASSERT_EQ(frame.count, 8u);
  EXPECT_EQ(mesh_problem(frame), "");
  EXPECT_EQ(frame.meshes[0].triangles.size(), 12u);
  EXPECT_EQ(frame.meshes[1].triangles, (std::vector<std::uint32_t>{4, 5, 6}));
  const auto ids = frame.as<std::uint32_t>("id");
  EXPECT_EQ((std::vector<std::uint32_t>{ids[4], ids[5], ids[6]}),
            (std::vector<std::uint32_t>{4, 6, 7}));
  EXPECT_EQ(frame.meshes[1].values.as_float("strain"), (std::vector<float>{2}));
}

TEST(WorldMeshes, AreTheSameAfterACheckpoint) {
  const SceneSettings scene = eight_points();
  const auto world = made(scene);
  ASSERT_TRUE(world && run_frames(*world, 2).empty());
  auto again = World::restore(scene, Precision::double_, world->save(), Device::cpu, &kMeshed);
  ASSERT_TRUE(again);
  ASSERT_TRUE(run_frames(*world, 2).empty() && run_frames(**again, 2).empty());
  const Frame a = world->snapshot({"id"}), b = (*again)->snapshot({"id"});
  ASSERT_EQ(a.meshes.size(), b.meshes.size());
  for (std::size_t m = 0; m < a.meshes.size(); ++m)
    EXPECT_EQ(a.meshes[m].triangles, b.meshes[m].triangles);
  EXPECT_EQ(a.as_double("x"), b.as_double("x"));
}

ColliderSettings& add_wheel(SceneSettings& scene) {
  ColliderSettings& wheel = scene.colliders.emplace_back();
  wheel.name = "wheel";
  wheel.shape.kind = ShapeType::box;
  wheel.shape.center = {{1, 2, 3}};
  wheel.shape.size = {{0.5, 0.1, 0.2}};
  wheel.motion.emplace();
  return wheel;
}

// x = t^2 and an even turn about z have slopes that are known.
TEST(ColliderPoses, TellPlaceTurnVelocityAndSpin) {
  SceneSettings scene = eight_points();
  MotionSettings& motion = *add_wheel(scene).motion;
  motion.translation[0].expression = "t^2";
  motion.rotation[2].expression = "90*t";
  fill_defaults(scene);
  const std::vector<BodyPose> poses = collider_poses(scene, 0.5);
  ASSERT_EQ(poses.size(), 1u);
  const BodyPose& pose = poses[0];
  EXPECT_EQ(pose.name, "wheel");
  EXPECT_NEAR(pose.position[0], 1.25, 1e-12);
  EXPECT_NEAR(pose.position[2], 3, 1e-12);
  EXPECT_NEAR(pose.velocity[0], 1, 1e-8);
  EXPECT_NEAR(pose.velocity[1], 0, 1e-8);
  EXPECT_NEAR(pose.spin[2], kPi / 2, 1e-8);
  EXPECT_NEAR(pose.rotation.w, std::cos(kPi / 8), 1e-12);
  EXPECT_NEAR(pose.rotation.z, std::sin(kPi / 8), 1e-12);
}

// Straight keyframes turn a corner at the key: what counts is how the body goes on.
TEST(ColliderPoses, GoOnFromAKeyframe) {
  SceneSettings scene = eight_points();
  MotionSettings& motion = *add_wheel(scene).motion;
  motion.interpolation = Interpolation::linear;
  motion.repeats = true;
  motion.keyframes.resize(3);
  motion.keyframes[1].time = 0.5;
  motion.keyframes[1].translation = {{1, 0, 0}};
  motion.keyframes[2].time = 1;
  motion.keyframes[2].translation = {{1, 3, 0}};
  fill_defaults(scene);
  const auto velocity = [&](double time) { return collider_poses(scene, time)[0].velocity; };
  EXPECT_NEAR(velocity(0)[0], 2, 1e-6);
  EXPECT_NEAR(velocity(0.5)[0], 0, 1e-6);
  EXPECT_NEAR(velocity(0.5)[1], 6, 1e-6);
  EXPECT_NEAR(velocity(1)[0], 2, 1e-6);  // it has jumped back
  EXPECT_NEAR(velocity(1)[1], 0, 1e-6);
}

// A pose puts its collider where the motion would have had it; shapes without one stay with theirs.
TEST(ColliderPoses, PlaceTheirColliders) {
  SceneSettings scene = eight_points();
  MotionSettings& motion = *add_wheel(scene).motion;
  motion.translation[1].expression = "sin(3*t)";
  for (int a = 0; a < 3; ++a) motion.rotation[a].expression = std::to_string(50 * (a + 1)) + "*t";
  motion.scale.expression = "1+t/2";
  motion.pivot = {{0.5, 0, 0}};
  fill_defaults(scene);
  for (const double time : {0.0, 0.7, 2.3}) {
    const Shape own = shown_colliders(scene, time)[0];
    const Shape posed = shown_colliders(scene, 99, collider_poses(scene, time))[0];
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(own.center[i], posed.center[i], 1e-12);
      EXPECT_NEAR(own.size[i], posed.size[i], 1e-12);
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(own.rotation(i, j), posed.rotation(i, j), 1e-12);
    }
  }
}

// Bodies that something else than the scene moves.
TEST(ColliderPoses, PlaceCollidersWithoutAMotion) {
  SceneSettings scene = eight_points();
  add_wheel(scene).motion.reset();
  fill_defaults(scene);
  BodyPose pose;
  pose.name = scene.colliders[0].name;
  pose.position = {{5, 6, 7}};
  EXPECT_EQ(shown_colliders(scene, 0, {pose})[0].center, pose.position);
  EXPECT_NE(shown_colliders(scene, 0)[0].center, pose.position);
}

TEST(ColliderPoses, AreOfThoseThatMoveAsAWhole) {
  SceneSettings scene = eight_points();
  add_wheel(scene).motion->translation[0].expression = "t";
  add_plane(scene, {{0, -1, 0}}, {{0, 1, 0}}, ContactKind::separate).name = "floor";
  ColliderSettings& pump = scene.colliders.emplace_back(scene.colliders[0]);
  pump.name = "pump";
  pump.deformation.resize(2);
  pump.deformation[1].time = 1;
  fill_defaults(scene);
  const auto world = made(scene);
  ASSERT_TRUE(world && run_frames(*world, 2).empty());
  const std::vector<BodyPose> bodies = world->snapshot({}).bodies;
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].name, "wheel");
  EXPECT_NEAR(bodies[0].position[0], 1 + world->time(), 1e-12);
}

}  // namespace
}  // namespace firn
