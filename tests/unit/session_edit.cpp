// Edits of a running scene: which hold at once, which wait for the reset.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scene_io/scene_writer.h"
#include "session/edit.h"
#include "session/edit_rules.h"
#include "session/session.h"
#include "session_common.h"

namespace firn {
namespace {

EditEffect effect_of(const std::string& change) {
  return classify_edit(falling_disc(), falling_disc({change})).effect;
}

TEST(Edit, SaysWhenAChangeTakesEffect) {
  for (const char* change :
       {"/gravity=[1,0]", "/integrator/cfl=0.2", "/materials/jelly/youngs_modulus=3e4",
        "/colliders/0/friction=0.3", "/colliders/0/shape/point=[0,-1]", "/view/color_by=velocity",
        "/frames=7", "/particle_collisions=true", "/solver/flip_ratio=0.9",
        "/objects/0/density=500", "/grains={}", "/view/speed=1",
        "/objects/0/look={\"opacity\": 0.5}", "/colliders/0/look={\"color\": \"#ff0000\"}"})
    EXPECT_EQ(effect_of(change), EditEffect::at_once) << change;
  for (const char* change : {"/grid/spacing=0.04", "/kernel=cubic", "/seed=4", "/fps=25",
                             "/objects/0/shape/radius=0.1", "/materials/jelly/model=hencky"})
    EXPECT_EQ(effect_of(change), EditEffect::at_reset) << change;
  EXPECT_EQ(classify_edit(falling_disc(), falling_disc()).effect, EditEffect::none);
  // No step depends on how things are drawn.
  EXPECT_FALSE(classify_edit(falling_disc(), falling_disc({"/objects/0/look={\"opacity\": 0.5}"}))
                   .concerns_world);
}

Edits rule_of(SceneSettings& scene, const std::vector<std::string>& pieces) {
  EditRule rule(pieces);
  scene.describe(rule);
  return rule.found();
}

// What the settings say about themselves, down to what lies below their keys.
TEST(Edit, KeysSayWhenTheyTakeEffect) {
  SceneSettings scene = falling_disc();
  scene.materials[0].name = "a/b";
  using Pieces = std::vector<std::string>;
  for (const Pieces& pieces :
       {Pieces{"gravity", "0"}, Pieces{"materials", "a~1b", "poisson_ratio"},
        Pieces{"colliders", "0", "motion"}, Pieces{"colliders", "7"}, Pieces{"sinks", "-"},
        Pieces{"solver", "flip_ratio"}, Pieces{"integrator", "max_dt"}, Pieces{"probes"},
        Pieces{"objects", "0", "density"}, Pieces{"air"}, Pieces{"grains"}})
    EXPECT_EQ(rule_of(scene, pieces), Edits::at_once) << pieces[0];
  for (const Pieces& pieces : {Pieces{"name"}, Pieces{"frames"}, Pieces{"output", "fields", "0"},
                               Pieces{"view", "look", "shadows"}, Pieces{"objects", "0", "look"},
                               Pieces{"colliders", "0", "look", "color"}})
    EXPECT_EQ(rule_of(scene, pieces), Edits::outside) << pieces[0];
  for (const Pieces& pieces :
       {Pieces{}, Pieces{"format"}, Pieces{"solver"}, Pieces{"solver", "type"},
        Pieces{"solver", "kernel"}, Pieces{"materials", "a~1b"}, Pieces{"materials", "new"},
        Pieces{"materials", "a~1b", "model"}, Pieces{"objects", "0", "species"}, Pieces{"objects"},
        Pieces{"emitters", "-"}, Pieces{"scalars", "0"}, Pieces{"nothing"}})
    EXPECT_EQ(rule_of(scene, pieces), Edits::at_reset) << (pieces.empty() ? "" : pieces[0]);
}

TEST(Edit, OneLineNamesWhatChanged) {
  const EditVerdict verdict =
      classify_edit(falling_disc(), falling_disc({"/integrator/cfl=0.2", "/seed=4"}));
  EXPECT_EQ(verdict.words(), "/integrator/cfl: in effect; /seed: takes effect at reset");
}

TEST(Edit, OfTwoChangesOnlyTheOneThatHoldsAtOnceIsTakenOver) {
  const auto now =
      with_changes_at_once(falling_disc(), falling_disc({"/integrator/cfl=0.2", "/seed=4"}));
  ASSERT_TRUE(now.ok());
  EXPECT_EQ(write_scene(*now), write_scene(falling_disc({"/integrator/cfl=0.2"})));
}

TEST(Edit, MaterialsInAnotherOrderWaitForTheReset) {
  SceneSettings two = falling_disc();
  two.materials.push_back(two.materials[0]);
  two.materials[1].name = "other";
  SceneSettings swapped = two;
  std::swap(swapped.materials[0], swapped.materials[1]);
  swapped.objects[0].material = 1;
  EXPECT_EQ(classify_edit(two, swapped).effect, EditEffect::at_reset);
}

double mean_velocity(const PointTable& table, const char* column) {
  double sum = 0;
  for (const float v : table.as_float(column)) sum += v;
  return sum / static_cast<double>(table.count);
}

TEST(Edit, GravityTurnsWhileTheSceneRuns) {
  Session session;
  session.open(falling_disc({"/gravity=[0,0]", "/colliders=[]"}), "disc.json");
  session.play_until(2);
  session.wait_until_idle();
  session.edit(falling_disc({"/gravity=[3,0]", "/colliders=[]"}));
  session.play_until(5);  // three frames of 20 ms
  session.wait_until_idle();
  const auto frame = session.take();
  EXPECT_EQ(frame->stats.frame, 5);
  EXPECT_NEAR(mean_velocity(frame->points, "vx"), 3 * 0.06, 1e-3);
  EXPECT_EQ(session.status().effect, EditEffect::at_once);
  EXPECT_FALSE(session.status().waits_for_reset);
}

// Lighter matter carries waves faster: steps become shorter.
TEST(Edit, DensityChangesMassAndTimeStepWhileTheSceneRuns) {
  Session session;
  session.open(falling_disc({"/objects/0/density=1000"}), "disc.json");
  session.play_until(2);
  session.wait_until_idle();
  const auto before = session.take();
  session.edit(falling_disc({"/objects/0/density=100"}));
  session.play_until(3);
  session.wait_until_idle();
  const auto after = session.take();
  EXPECT_NEAR(after->stats.mass, before->stats.mass / 10, 1e-5 * before->stats.mass);
  EXPECT_LT(after->dt, 0.5 * before->dt);
  // It falls as before.
  EXPECT_NEAR(mean_velocity(after->points, "vy"), 1.5 * mean_velocity(before->points, "vy"), 1e-3);
}

TEST(Edit, ACollidersComesAndGoesWhileTheSceneRuns) {
  Session session;
  session.open(falling_disc({"/colliders=[]"}), "disc.json");
  session.play_until(2);
  session.edit(falling_disc());  // a floor
  session.play_until(20);
  session.wait_until_idle();
  const auto frame = session.take();
  for (const float y : frame->points.as_float("y")) EXPECT_GT(y, -0.05);
  EXPECT_EQ(frame->stats.colliders.size(), 1u);
}

// A body that an edit puts elsewhere is seen there, though nothing moves.
TEST(Edit, IsShownWhileTheSceneIsPaused) {
  const auto lifted = [](const char* height) {
    return falling_disc(
        {std::string("/colliders/0/motion={\"translation\":[0,\"") + height + "\"]}"});
  };
  Session session;
  const auto height = [&] {
    session.wait_until_idle();
    const auto frame = session.take();
    return frame && frame->points.bodies.size() == 1 ? frame->points.bodies[0].position[1] : 0.0;
  };
  session.open(lifted("-1"), "disc.json");
  EXPECT_EQ(height(), -1);
  session.edit(lifted("-2"));
  EXPECT_EQ(height(), -2);
}

TEST(Edit, ABadSceneIsAnErrorAndTheOldOneRunsOn) {
  Session session;
  session.open(falling_disc(), "disc.json");
  SceneSettings bad = falling_disc();
  bad.gravity[0].expression = "sin(";
  const std::uint64_t number = session.edit(bad);
  session.play_until(1);
  session.wait_until_idle();
  EXPECT_TRUE(comes_true([&] { return session.status().edit == number; }));
  const SessionStatus status = session.status();
  EXPECT_EQ(status.state, SessionState::paused);
  ASSERT_FALSE(status.errors.empty());
  EXPECT_NE(status.errors[0].find("/gravity/0"), std::string::npos) << status.errors[0];
  session.edit(falling_disc());
  session.wait_until_idle();
  EXPECT_TRUE(session.status().errors.empty());
}

TEST(Edit, WhatWaitsComesWithTheReset) {
  Session session;
  session.open(falling_disc(), "disc.json");
  session.wait_until_idle();
  const std::size_t before = session.take()->points.count;
  session.edit(falling_disc({"/objects/0/shape/radius=0.1"}));
  session.wait_until_idle();
  EXPECT_TRUE(session.status().waits_for_reset);
  session.reset();
  session.wait_until_idle();
  EXPECT_FALSE(session.status().waits_for_reset);
  EXPECT_NEAR(static_cast<double>(session.take()->points.count), before / 4.0, before / 20.0);
}

// Two species in the same place without walls, one at rest: they slow each other down.
constexpr const char* kPassing = R"j({
  "dimension": 2, "grid": {"spacing": 0.05, "periodic": {"x": [0, 0.4], "y": [0, 0.4]}},
  "gravity": [0, 0], "fps": 50, "frames": 20, "integrator": {"fixed_dt": 1e-3},
  "materials": {"soil": {"model": "neo_hookean", "youngs_modulus": 1e4},
                "water": {"model": "fluid", "bulk_modulus": 1e4}},
  "objects": [
    {"shape": {"type": "rectangle", "min": [0, 0], "max": [0.4, 0.4]}, "material": "soil",
     "species": "soil", "density": 1600, "sampling": {"type": "grid"}},
    {"shape": {"type": "rectangle", "min": [0, 0], "max": [0.4, 0.4]}, "material": "water",
     "species": "water", "density": 1000, "velocity": [1, 0], "sampling": {"type": "grid"}}],
  "porous": {"pairs": [{"solid": "soil", "fluid": "water", "drag": 0.5}]}
})j";
constexpr double kNodeSoil = 1600 * 0.0025, kNodeWater = 1000 * 0.0025;  // kg
constexpr double kPassingStep = 1e-3;
constexpr int kPassingSteps = 40;  // in two frames

// How much of the difference of velocities is left after two frames with a drag K (kg/s).
double left_after_two_frames(double drag) {
  return std::pow(1 + kPassingStep * drag * (1 / kNodeSoil + 1 / kNodeWater), -kPassingSteps);
}

// Plays to a frame; the difference of the species' mean velocities there.
double difference_at(Session& session, std::int64_t frame) {
  session.play_until(frame);
  session.wait_until_idle();
  const auto picture = session.take();
  EXPECT_TRUE(picture && picture->stats.frame == frame);
  if (!picture || picture->stats.species.size() != 2) return NAN;
  const SpeciesStats &soil = picture->stats.species[0], &water = picture->stats.species[1];
  return water.momentum[0] / water.mass - soil.momentum[0] / soil.mass;
}

TEST(Edit, DragOfAPairChangesWhileTheSceneRuns) {
  Session session;
  const auto passing = [](const Lines& changes) { return scene_with(changes, kPassing); };
  session.open(passing({}), "passing.json");
  const double start = difference_at(session, 2), later = difference_at(session, 4);
  EXPECT_NEAR(later / start, left_after_two_frames(0.5 * kNodeSoil * kNodeWater), 1e-4);
  session.edit(passing({"/porous/pairs/0/drag=5"}));
  const double strong = difference_at(session, 6);
  EXPECT_EQ(session.status().effect, EditEffect::at_once) << session.status().words;
  EXPECT_FALSE(session.status().waits_for_reset);
  EXPECT_NEAR(strong / later, left_after_two_frames(5 * kNodeSoil * kNodeWater), 1e-4);
  // Another law in its place: R = rho g / k on the volume of a cell.
  session.edit(passing({"/porous/pairs/0/conductivity=1"}));
  const double darcy = difference_at(session, 8);
  EXPECT_EQ(session.status().effect, EditEffect::at_once) << session.status().words;
  EXPECT_NEAR(darcy / strong, left_after_two_frames(1000 * 9.80665 * 0.0025), 1e-3);
  // How species are coupled is another world.
  session.edit(passing({"/porous/coupling=mixture"}));
  session.wait_until_idle();
  EXPECT_TRUE(session.status().waits_for_reset);
}

// What particles keep of their stress depends on it.
TEST(Edit, AFluidBecomesViscousAndThinAgainWhileTheSceneRuns) {
  const auto water = [](const std::string& viscosity) {
    return falling_disc({R"(/materials/jelly={"model": "fluid", "bulk_modulus": 2e4,
                             "viscosity": )" +
                         viscosity + "}"});
  };
  Session session;
  session.open(water("0"), "water.json");
  std::int64_t frame = 2;
  for (const char* viscosity : {"5", "\"5 + x\"", "0", "\"2*t\""}) {
    session.play_until(frame);
    session.edit(water(viscosity));
    session.play_until(frame + 2);
    session.wait_until_idle();
    EXPECT_EQ(session.status().effect, EditEffect::at_once) << session.status().words;
    EXPECT_EQ(session.status().state, SessionState::paused);
    EXPECT_EQ(session.take()->stats.frame, frame + 2);
    frame += 3;
  }
}

// Columns of sand side by side, of one material.
SceneSettings two_columns(const std::string& cohesion) {
  return scene_with({"/materials/sand/cohesion=" + cohesion}, R"j({
    "dimension": 2, "fps": 30, "frames": 60, "grid": {"spacing": 0.02},
    "materials": {"sand": {"model": "sand"}},
    "objects": [
      {"shape": {"type": "box", "size": [0.2, 0.3], "center": [-0.5, 0.15]}, "material": "sand"},
      {"shape": {"type": "box", "size": [0.2, 0.3], "center": [0.5, 0.15]}, "material": "sand"}],
    "colliders": [{"shape": {"type": "plane"}, "contact": "sticky"}]})j");
}

TEST(Edit, AParameterBecomesAnExpressionWhileTheSceneRuns) {
  Session session;
  const auto expect_tops = [&](std::int64_t frame, bool left_stands, bool right_stands) {
    session.play_until(frame);
    session.wait_until_idle();
    const auto picture = session.take();
    ASSERT_TRUE(picture);
    const auto x = picture->points.as_float("x"), y = picture->points.as_float("y");
    float top[2] = {0, 0};
    for (std::size_t i = 0; i < x.size(); ++i) top[x[i] > 0] = std::max(top[x[i] > 0], y[i]);
    EXPECT_EQ(top[0] > 0.28f, left_stands) << top[0];
    EXPECT_EQ(top[1] > 0.28f, right_stands) << top[1];
    EXPECT_EQ(session.status().effect, EditEffect::at_once) << session.status().words;
  };
  session.open(two_columns("20000"), "columns.json");
  session.edit(two_columns("30000"));
  expect_tops(4, true, true);
  session.edit(two_columns("x < 0 ? 0 : 20000"));  // from a number
  expect_tops(14, false, true);
  session.edit(two_columns("x < 0 ? 20000 : 0*t"));  // to another expression
  expect_tops(24, false, false);
}

TEST(Edit, AParameterBecomesANumberAgain) {
  Session session;
  session.open(two_columns("x < 0 ? 20000 : 15000"), "columns.json");
  session.play_until(3);
  session.edit(two_columns("0"));
  session.play_until(12);
  session.wait_until_idle();
  EXPECT_EQ(session.status().effect, EditEffect::at_once) << session.status().words;
  for (const float y : session.take()->points.as_float("y")) EXPECT_LT(y, 0.27f);
}

}  // namespace
}  // namespace firn
