// What `auto` takes.
#include <gtest/gtest.h>

#include "cases/case_tools.h"
#include "sim/integrator_forecast.h"

namespace firn {
namespace {

SceneSettings ball_of(const ModelParameters& parameters) {
  SceneSettings scene = case_scene(3, 0.05, 24);
  add_ball(scene, add_material(scene, parameters), 1000, {{0, 1, 0}}, 0.5);
  return scene;
}

TEST(IntegratorForecast, StiffMatterTakesLargeSteps) {
  for (const double modulus : {1e5, 1e10}) {
    SceneSettings scene = ball_of(elastic_material<FixedCorotated>(modulus, 0.3));
    scene.integrator.kind = IntegratorKind::automatic;
    std::string why;
    const SceneSettings chosen = with_integrator_chosen(scene, why);
    EXPECT_EQ(chosen.integrator.kind,
              modulus > 1e9 ? IntegratorKind::optimization : IntegratorKind::explicit_);
    EXPECT_NE(why.find(name_of(chosen.integrator.kind)), std::string::npos) << why;
  }
}
TEST(IntegratorForecast, TheChoiceIsANoteAndNoWarning) {
  SceneSettings scene = ball_of(elastic_material<FixedCorotated>(1e5, 0.3));
  scene.integrator.kind = IntegratorKind::automatic;
  const auto world = World::create(scene, Precision::single);
  ASSERT_TRUE(world);
  const std::vector<Note> notes = (*world)->take_notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].line.find("integrator explicit: "), 0u) << notes[0].line;
  EXPECT_FALSE(notes[0].warning);
}
TEST(IntegratorForecast, KeysOfAutoBoundExplicitSteps) {
  SceneSettings scene = ball_of(elastic_material<FixedCorotated>(1e5, 0.3));
  scene.integrator.kind = IntegratorKind::automatic;
  std::string why;
  EXPECT_EQ(with_integrator_chosen(scene, why).integrator.explicit_cfl, 0.4);
  EXPECT_EQ(with_integrator_chosen(scene, why).integrator.explicit_max_dt, 0.01);
  const double steps = forecast_integrators(scene).explicit_.steps;
  scene.integrator.implicit_cfl = 0.1;
  EXPECT_NEAR(forecast_integrators(scene).explicit_.steps / steps, 4, 0.3);
  scene.integrator.implicit_max_dt = 1e-5;
  const IntegratorSettings chosen = with_integrator_chosen(scene, why).integrator;
  EXPECT_EQ(chosen.explicit_cfl, 0.1);
  EXPECT_EQ(chosen.explicit_max_dt, 1e-5);
}
TEST(IntegratorForecast, ExplicitStepsAreAsManyAsWavesAskFor) {
  const double soft =
      forecast_integrators(ball_of(elastic_material<FixedCorotated>(1e8, 0.3))).explicit_.steps;
  const double stiff =
      forecast_integrators(ball_of(elastic_material<FixedCorotated>(1e10, 0.3))).explicit_.steps;
  EXPECT_NEAR(stiff / soft, 10, 0.2);
}
TEST(IntegratorForecast, SandIsForNewton) {
  EXPECT_EQ(forecast_integrators(ball_of(Sand::Parameters())).implicit.kind,
            IntegratorKind::newton);
}
TEST(IntegratorForecast, SpeciesAreForExplicitSteps) {
  SceneSettings scene = ball_of(elastic_material<FixedCorotated>(1e10, 0.3));
  add_ball(scene, 0, 1000, {{2, 1, 0}}, 0.5).species = "other";
  const IntegratorForecasts forecasts = forecast_integrators(scene);
  EXPECT_FALSE(forecasts.implicit.reason.empty());
  EXPECT_EQ(forecasts.cheapest().kind, IntegratorKind::explicit_);
}
TEST(IntegratorForecast, LeavesOtherIntegratorsAlone) {
  SceneSettings scene = ball_of(elastic_material<FixedCorotated>(1e5, 0.3));
  scene.integrator.kind = IntegratorKind::semi_implicit;
  std::string why;
  EXPECT_EQ(with_integrator_chosen(scene, why).integrator.kind, IntegratorKind::semi_implicit);
  EXPECT_TRUE(why.empty());
}

}  // namespace
}  // namespace firn
