#include "cases/bench_implicit_scenes.h"

#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"
#include "material/presets.h"

namespace firn {
namespace {

constexpr double kCellsByDefault = 40;
constexpr double kRadius = 0.5, kDensity = 400, kPoisson = 0.3;  // m, kg/m3

SceneSettings timed_scene(const std::string& name, double spacing, double fps, std::int64_t frames,
                          const BenchOptions& options) {
  SceneSettings scene = case_scene(options.dimension, spacing, fps);
  scene.name = name;
  scene.frames = frames;
  scene.gravity = {{0, -9.81, 0}};
  scene.mpm.kernel = options.kernel;
  scene.mpm.transfer = options.transfer;
  return scene;
}

void add_floor(SceneSettings& scene, double friction) {
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, friction).name = "floor";
}

// Half a metre high and wide, on the floor.
SceneSettings block_scene(const std::string& name, double cells, const ModelParameters& material,
                          double density, const BenchOptions& options) {
  const double size = kRadius, h = 2 * kRadius / cells;
  SceneSettings scene = timed_scene(name, h, 24, 4, options);
  add_box(scene, add_material(scene, material), density, {{0, 0, 0}}, {{size, size, size}});
  add_floor(scene, 0.5);
  return scene;
}

// Held at its left end, it bends under its weight.
SceneSettings beam_scene(double cells, double youngs_modulus, const BenchOptions& options) {
  const double h = 2 * kRadius / cells, high = 4 * h;
  SceneSettings scene = timed_scene("stiff beam", h, 24, 4, options);
  const int stiff = add_material(scene, elastic_material<NeoHookean>(youngs_modulus, kPoisson));
  add_box(scene, stiff, 1000, {{0, 0, 0}}, {{2 * kRadius, high, high}});
  add_plane(scene, {{2 * h, 0, 0}}, {{1, 0, 0}}, ContactKind::sticky).name = "wall";
  return scene;
}

}  // namespace

double cells_across(const BenchOptions& options) {
  if (options.particles == 0) return kCellsByDefault;
  const auto count = static_cast<double>(options.particles);
  const double across =
      options.dimension == 3 ? std::cbrt(count / 8 * 6 / kPi) : std::sqrt(count / 4 * 4 / kPi);
  return std::max(4.0, std::round(across));
}

SceneSettings falling_ball(double cells, double youngs_modulus, double friction,
                           const BenchOptions& options) {
  const double h = 2 * kRadius / cells;
  SceneSettings scene =
      timed_scene("ball of " + short_number(youngs_modulus) + " Pa", h, 24, 4, options);
  const int elastic =
      add_material(scene, elastic_material<FixedCorotated>(youngs_modulus, kPoisson));
  add_ball(scene, elastic, kDensity, {{0, kRadius + h, 0}}, kRadius).velocity = {{0, -5, 0}};
  add_floor(scene, friction);
  return scene;
}

std::vector<SceneSettings> scenes_of_choice(double cells, const BenchOptions& options) {
  std::vector<SceneSettings> scenes;
  for (const double modulus : {1.4e5, 1e7, 1e9})
    scenes.push_back(falling_ball(cells, modulus, 0.3, options));
  Fluid::Parameters honey;
  honey.viscosity = 1000;
  scenes.push_back(block_scene("block of thick honey", cells, honey, 1400, options));
  scenes.push_back(
      block_scene("block of sand", cells, elastic_material<Sand>(1e6, kPoisson), 1600, options));
  scenes.push_back(beam_scene(cells, 1e8, options));
  return scenes;
}

SceneSettings falling_snow(double cells, const BenchOptions& options) {
  const double radius = 0.1, h = 2 * radius / cells;
  SceneSettings scene = timed_scene("snow", h, 500, 20, options);
  add_ball(scene, add_material(scene, Snow::Parameters()), kDensity, {{0, radius + h, 0}}, radius)
      .velocity = {{0, -5, 0}};
  add_floor(scene, 0.5);
  scene.integrator.kind = IntegratorKind::semi_implicit;
  scene.integrator.implicit_max_dt = 1e-3;
  scene.integrator.tolerance = 1e-4;
  return scene;
}

SceneSettings shot_sponge(double cells, const BenchOptions& options) {
  const double h = 0.9 / cells;
  SceneSettings scene = timed_scene("sponge", h, 400, 8, options);
  const int model = model_index_by_name("viscoelastic");
  const int sponge = add_material(scene, preset_parameters(model, "sponge"));
  add_box(scene, sponge, preset_density(model, "sponge"), {{-0.15, 0, -0.3}}, {{0.15, 0.9, 0.3}});
  for (const double y : {0.0, 0.9}) {
    ColliderSettings& clamp = scene.colliders.emplace_back();
    clamp.shape.kind = ShapeType::box;
    clamp.shape.size = {{0.6, 0.12, 0.9}};
    clamp.shape.center = {{0, y, 0}};
    clamp.contact = ContactKind::pin;
  }
  ColliderSettings& bullet = scene.colliders.emplace_back();
  bullet.shape.kind = ShapeType::ball;
  bullet.shape.radius = 0.12;
  bullet.shape.center = {{-0.32, 0.45, 0}};
  bullet.friction.value = 0.2;
  bullet.motion.emplace();
  bullet.motion->translation[0] = {0, "16*t"};
  scene.integrator.kind = IntegratorKind::optimization;
  return scene;
}

}  // namespace firn
