// Parameters of materials as expressions, in whole scenes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "exec/parallel.h"
#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"
#include "sim/world.h"

namespace firn {
namespace {

using Changes = std::vector<std::string>;

// Two columns side by side on a floor, of one material.
Result<SceneSettings> columns(const std::string& material, const Changes& more = {}) {
  const std::string text = R"j({"dimension": 2, "fps": 30, "frames": 20, "grid": {"spacing": 0.02},
    "scalars": ["c0"],
    "materials": {"m": )j" +
                           material + R"j(},
    "objects": [
      {"shape": {"type": "box", "size": [0.2, 0.3], "center": [-0.5, 0.15]}, "material": "m",
       "fields": {"c0": 2000}},
      {"shape": {"type": "box", "size": [0.2, 0.3], "center": [0.5, 0.15]}, "material": "m"}],
    "colliders": [{"shape": {"type": "plane"}, "contact": "sticky"}]})j";
  return parse_scene(text, "test", more);
}

std::unique_ptr<World> world_of(const SceneSettings& scene,
                                Precision precision = Precision::single) {
  auto world = World::create(scene, precision);
  EXPECT_TRUE(world) << world.errors().front();
  return world ? std::move(*world) : nullptr;
}

std::unique_ptr<World> world_of(const std::string& material) {
  const auto scene = columns(material);
  EXPECT_TRUE(scene) << scene.errors().front();
  return scene ? world_of(*scene) : nullptr;
}

std::string advance(World& world, int frames) {
  const std::atomic<bool> stop{false};
  for (int i = 0; i < frames; ++i)
    if (const auto outcome = world.advance_frame(stop); !outcome) return outcome.errors().front();
  return "";
}

// Heights of the tops of the left and the right column.
std::array<double, 2> tops(const World& world) {
  const Frame frame = world.snapshot({});
  const auto x = frame.find("x")->as<double>(), y = frame.find("y")->as<double>();
  std::array<double, 2> top{0, 0};
  for (std::size_t i = 0; i < x.size(); ++i) top[x[i] > 0] = std::max(top[x[i] > 0], y[i]);
  return top;
}

void expect_one_standing(const World& world, bool left_stands) {
  const auto top = tops(world);
  EXPECT_GT(top[!left_stands], 0.285);
  EXPECT_LT(top[left_stands], 0.24);
}

TEST(VariedParameters, CohesionByPlaceKeepsOneHalfStanding) {
  const auto world = world_of(R"j({"model": "sand", "cohesion": "x > 0 ? 20000 : 0"})j");
  EXPECT_EQ(advance(*world, 12), "");
  expect_one_standing(*world, false);
}

TEST(VariedParameters, CohesionByScalarOfTheScene) {
  const auto world = world_of(R"j({"model": "sand", "cohesion": "10*c0*(1 - phi)"})j");
  EXPECT_EQ(advance(*world, 12), "");
  expect_one_standing(*world, true);
}

TEST(VariedParameters, CohesionThatEndsLetsTheColumnFall) {
  const auto world = world_of(R"j({"model": "sand", "cohesion": "t < 0.2 ? 20000 : 0"})j");
  EXPECT_EQ(advance(*world, 6), "");
  EXPECT_GT(tops(*world)[0], 0.285);
  EXPECT_EQ(advance(*world, 12), "");
  EXPECT_LT(tops(*world)[0], 0.24);
}

// An expression without variables is the number; one that has no use for them is it to round-off.
TEST(VariedParameters, AConstantExpressionIsLikeTheNumber) {
  const auto number = world_of(R"j({"model": "sand", "cohesion": 500, "friction_angle": 25})j");
  const auto same = world_of(R"j({"model": "sand", "cohesion": "5*100", "friction_angle": 25})j");
  EXPECT_EQ(advance(*number, 2) + advance(*same, 2), "");
  EXPECT_TRUE(number->save().arrays == same->save().arrays);
  const Changes tell{"/materials/m/youngs_modulus=1e4"};
  const auto plain = columns(R"j({"model": "neo_hookean"})j", tell);
  const auto varied = columns(R"j({"model": "neo_hookean", "youngs_modulus": "1e4 + 0*x*t"})j");
  const auto a = world_of(*plain, Precision::double_), b = world_of(*varied, Precision::double_);
  EXPECT_EQ(advance(*a, 2) + advance(*b, 2), "");
  const auto y = a->snapshot({}).find("y")->as<double>(),
             z = b->snapshot({}).find("y")->as<double>();
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], z[i], 1e-9);
}

constexpr const char* kVaried =
    R"j({"model": "sand", "cohesion": "500 + 400*sin(9*t)", "friction_angle": "30 + 5*x + c0/1e4"})j";

TEST(VariedParameters, TheSameBitsForAnyThreadCountAndAfterResume) {
  const auto scene = columns(kVaried);
  ASSERT_TRUE(scene);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = world_of(*scene);
  std::unique_ptr<World> stopped;
  for (int step = 0; step < 60; ++step) {
    ASSERT_TRUE(one->advance_step());
    if (step % 7 == 0) {
      auto restored =
          World::restore(*scene, Precision::single, stopped ? stopped->save() : one->save());
      ASSERT_TRUE(restored) << restored.errors().front();
      if (stopped) {
        ASSERT_TRUE((*restored)->advance_step());
      }
      stopped = std::move(*restored);
    } else {
      ASSERT_TRUE(stopped->advance_step());
    }
  }
  set_thread_count(3);
  const auto three = world_of(*scene);
  for (int step = 0; step < 60; ++step) ASSERT_TRUE(three->advance_step());
  set_thread_count(before);
  EXPECT_TRUE(one->save().arrays == three->save().arrays);
  EXPECT_TRUE(one->save().arrays == stopped->save().arrays);
}

TEST(VariedParameters, ValuesOutOfRangeAreKeptToItAndToldOnce) {
  const auto world = world_of(R"j({"model": "sand", "friction_angle": "30 - 100*x"})j");
  EXPECT_EQ(advance(*world, 2), "");
  const auto notes = world->take_notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].line.find("/materials/m/friction_angle"), std::string::npos) << notes[0].line;
  EXPECT_NE(notes[0].line.find("particle "), std::string::npos) << notes[0].line;
  EXPECT_EQ(advance(*world, 1), "");
  EXPECT_TRUE(world->take_notes().empty());
}

TEST(VariedParameters, ValuesThatAreNotFiniteEndTheRunInOneLine) {
  const auto at_start = columns(R"j({"model": "sand", "cohesion": "log(x)"})j");
  const auto failed = World::create(*at_start, Precision::single);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.errors().front().find("/materials/m/cohesion"), std::string::npos);
  EXPECT_NE(failed.errors().front().find("finite"), std::string::npos);
  const auto world = world_of(R"j({"model": "sand", "cohesion": "sqrt(0.05 - t)"})j");
  const std::string line = advance(*world, 3);
  EXPECT_NE(line.find("/materials/m/cohesion"), std::string::npos) << line;
}

TEST(VariedParameters, AnEditedExpressionTakesEffectInTheNextStep) {
  const auto before = columns(R"j({"model": "sand", "cohesion": 20000})j");
  const auto after = columns(R"j({"model": "sand", "cohesion": "x > 0 ? 20000 : 0"})j");
  const auto world = world_of(*before);
  EXPECT_EQ(advance(*world, 2), "");
  auto edited = World::restore(*after, Precision::single, world->save_for(*after));
  ASSERT_TRUE(edited) << edited.errors().front();
  EXPECT_EQ(advance(**edited, 12), "");
  expect_one_standing(**edited, false);
  auto back = World::restore(*before, Precision::single, (*edited)->save_for(*before));
  ASSERT_TRUE(back) << back.errors().front();
  EXPECT_EQ(advance(**back, 1), "");
}

// MULTI figure 24: without shear modulus a solid is a fluid, which no friction holds.
TEST(LameConstants, ASolidWithoutShearModulusFlows) {
  for (const std::string model : {"snow", "neo_hookean", "fixed_corotated"}) {
    const std::string start = R"j({"model": ")j" + model + "\", ";
    const auto stiff = world_of(start + R"j("mu": 5e4, "lambda": 5e4})j");
    const auto fluid = world_of(start + R"j("mu": 0, "lambda": 5e4})j");
    EXPECT_EQ(advance(*stiff, 8) + advance(*fluid, 8), "") << model;
    EXPECT_GT(tops(*stiff)[0], 0.25) << model;
    EXPECT_LT(tops(*fluid)[0], 0.2) << model;
  }
}

// Waves are as fast as the stiffest particle has them, whatever the number in the file was.
TEST(VariedParameters, StepsFollowTheVariedModuli) {
  const auto soft = world_of(R"j({"model": "neo_hookean", "youngs_modulus": 1e5})j");
  const auto varied =
      world_of(R"j({"model": "neo_hookean", "youngs_modulus": "x > 0 ? 1e7 : 1e5"})j");
  EXPECT_NEAR(soft->size().first_dt / varied->size().first_dt, 10, 0.2);
}

std::string problem_of(const std::string& material) {
  const auto scene = columns(material);
  return scene ? "" : std::to_string(scene.errors().size()) + ": " + scene.errors().front();
}

TEST(VariedParameters, BadOnesAreRefusedInOneLine) {
  const auto expect_line = [](const std::string& material, const std::string& part) {
    const std::string problem = problem_of(material);
    EXPECT_TRUE(problem.starts_with("1: ")) << material << " -> " << problem;
    EXPECT_NE(problem.find(part), std::string::npos) << problem;
  };
  expect_line(R"j({"model": "sand", "cohesion": "5*("})j", "/materials/m/cohesion");
  expect_line(R"j({"model": "sand", "cohesion": "psi"})j", "psi");
  expect_line(R"j({"model": "sand", "cohesion": "-5"})j", "/materials/m/cohesion");
  expect_line(R"j({"model": "sand", "cohesion": [1]})j", "expression");
  expect_line(R"j({"model": "sand", "mu": 0, "lambda": 1e5})j", "/materials/m/mu");
  expect_line(R"j({"model": "snow", "mu": 1e5, "youngs_modulus": 1e5})j", "not both");
  expect_line(R"j({"model": "snow", "mu": 1e5, "lambda": -1e5})j", "lambda");
  expect_line(R"j({"model": "snow", "mu": "1e5*(1-phi)", "lambda": -1e3})j", "lambda");
  EXPECT_EQ(problem_of(R"j({"model": "snow", "mu": "1e5*(1-phi) + c0*t"})j"), "");
}

// Written and read again the scene is the same; one of Lame's constants brings the other along.
TEST(VariedParameters, ScenesGoRoundThroughTheWriter) {
  for (
      const char* material :
      {kVaried, R"j({"model": "snow", "preset": "icy", "mu": "1e4*(1-phi)"})j",
       R"j({"model": "von_mises", "mu": 1e5, "lambda": 2e5, "yield_stress": "1e4*(1 - 0.5*phi)"})j",
       R"j({"model": "fluid", "viscosity": "1 + x"})j"}) {
    const auto scene = columns(material);
    ASSERT_TRUE(scene) << scene.errors().front();
    const std::string text = write_scene(*scene);
    const auto again = parse_scene(text, "written");
    ASSERT_TRUE(again) << again.errors().front();
    EXPECT_EQ(write_scene(*again), text);
  }
  const auto scene = columns(R"j({"model": "snow", "mu": 0})j");
  ASSERT_TRUE(scene) << scene.errors().front();
  const auto& snow = std::get<Snow::Parameters>(scene->materials[0].parameters);
  EXPECT_EQ(snow.mu(), 0);
  EXPECT_EQ(snow.lambda(), Snow::Parameters().lambda());
}

TEST(VariedParameters, ViscosityOfAFluidBoundsTheStep) {
  const auto thin = world_of(R"j({"model": "fluid", "viscosity": 1})j");
  const auto thick = world_of(R"j({"model": "fluid", "viscosity": "x > 0 ? 1000 : 1"})j");
  const auto number = world_of(R"j({"model": "fluid", "viscosity": 1000})j");
  EXPECT_LT(thick->size().first_dt, 0.9 * thin->size().first_dt);
  EXPECT_NEAR(thick->size().first_dt, number->size().first_dt, 1e-9);
  EXPECT_EQ(advance(*thick, 1), "");
}

}  // namespace
}  // namespace firn
