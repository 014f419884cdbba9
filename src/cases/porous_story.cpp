// A column of damp sand in a flood (MULTI, 12): dry it stands; water that seeps in takes its
// cohesion and most of its friction, and it goes down; water that seeps ten times as slowly leaves
// it standing as an island.
#include <algorithm>
#include <cmath>

#include "cases/porous_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "story";
constexpr double kSpacing = 0.005, kThickness = 4 * kSpacing;
constexpr double kSide = 0.08, kTank = 0.4;           // m: of the column, and the tank's length
constexpr double kFlood = 0.13, kFloodHeight = 0.11;  // m
constexpr double kFps = 20, kSeconds = 1.75;

struct Story {
  double drag = 1e6;  // 1/(kg s); 0: no flood comes
  const char* cohesion = "250*(1-phi)";
  const char* friction_angle = "35*(1-0.9*phi)";
};

// A slice of a long dam, four cells thick: coefficients are those of MULTI's 3D scenes.
SceneSettings story_scene(const Story& story) {
  SceneSettings scene = case_scene(3, kSpacing, kFps);
  scene.gravity[1].value = -9.81;
  scene.grid.periodic.axes[2] = Interval{0, kThickness};
  Sand::Parameters sand;
  sand.youngs_modulus = 1e5;
  const int damp = add_material(scene, sand);
  scene.materials[damp].expressions = {{"cohesion", story.cohesion},
                                       {"friction_angle", story.friction_angle}};
  add_box(scene, damp, 1600, {{0.2, 0, 0}}, {{0.2 + kSide, kSide, kThickness}}).species =
      kSandSpecies;
  add_container(scene, {{0, 0, -1}}, {{kTank, 2, 1}}, ContactKind::separate).friction = 0.6;
  if (story.drag == 0) return scene;
  scene.colliders.back().species = kSandSpecies;
  add_container(scene, {{0, 0, -1}}, {{kTank, 2, 1}}, ContactKind::separate).species =
      kWaterSpecies;
  const int water = add_material(scene, case_water(2e4));
  add_box(scene, water, 1000, {{0, 0, 0}}, {{kFlood, kFloodHeight, kThickness}}).species =
      kWaterSpecies;
  couple(scene, CouplingKind::implicit).drag = story.drag;
  return scene;
}

struct Ending {
  double fall = 0;    // of the summit, a share of the column's height
  double island = 0;  // m that the summit is above the water
};

// The height that all but a two hundredth of the particles of a species are below.
double summit_of(const World& world, int species) {
  const PointTable table = world.snapshot({"species"});
  const auto y = table.as_double("y"), of = table.as_double("species");
  std::vector<double> heights;
  for (std::size_t i = 0; i < table.count; ++i)
    if (of[i] == species) heights.push_back(y[i]);
  if (heights.empty()) return 0;
  const auto nth = heights.begin() + static_cast<std::ptrdiff_t>(0.995 * double(heights.size()));
  std::nth_element(heights.begin(), nth, heights.end());
  return *nth;
}

Result<Ending> tell(const Story& story) {
  Ending ending;
  double begin = 0;
  const auto record = [&](const World& world) {
    if (world.frame() == 0) begin = summit_of(world, 0);
    if (world.frame() != std::lround(kSeconds * kFps)) return;
    const double summit = summit_of(world, 0);
    ending.fall = (begin - summit) / kSide;
    const auto beside = [](const Vec3d& x) { return x[0] < kFlood; };
    if (story.drag > 0) ending.island = summit - 2 * mean_of(world, 1, beside).position[1];
  };
  const auto world =
      run_scene(story_scene(story), Precision::single, std::lround(kSeconds * kFps), record);
  if (!world) return world.errors();
  return ending;
}

}  // namespace

std::vector<Check> validate_porous_story(const ValidateOptions&) {
  const auto at_most = [](const Story& story, double Ending::*what, double sign, double limit,
                          const std::string& name) {
    const Result<Ending> ending = tell(story);
    if (!ending) return failed_run(kCase, ending.errors());
    return limit_check(kCase, name, sign * (*ending).*what, limit);
  };
  const Story dry{0}, wet{1e6}, slow{1e7}, heedless{1e6, "250", "35"};
  return {
      at_most(dry, &Ending::fall, 1, 0.05, "fall of the summit, dry"),
      at_most(wet, &Ending::fall, -1, -0.3, "minus the fall of the summit, wet"),
      at_most(slow, &Ending::island, -1, -kSpacing, "depth of the summit, m, drag 1e7: an island"),
      must_fail(at_most(heedless, &Ending::fall, -1, -0.3, "minus its fall, water takes nothing"))};
}

}  // namespace firn
