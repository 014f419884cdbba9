// Edits of a running scene: which hold at once, which wait for the reset.
#include <gtest/gtest.h>

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
        Pieces{"solver", "flip_ratio"}, Pieces{"integrator", "max_dt"}, Pieces{"probes"}})
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

}  // namespace
}  // namespace firn
