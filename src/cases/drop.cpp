#include "cases/drop.h"

#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr double kSpacing = 1.0 / 256, kMaxDt = 1e-4;

Result<ModelParameters> drop_material(const std::string& name) {
  if (name == "drop_fixed_corotated")
    return ModelParameters(elastic_material<FixedCorotated>(5e3, 0.4));
  if (name == "drop_sand") return ModelParameters(elastic_material<Sand>(1e4, 0.3));
  if (name == "drop_fluid") {
    Fluid::Parameters water;
    water.bulk_modulus = 4e4;
    return ModelParameters(water);
  }
  return Result<ModelParameters>::failure("no benchmark \"" + name + "\"");
}

}  // namespace

std::vector<std::string> drop_case_names() {
  return {"drop_sand", "drop_fixed_corotated", "drop_fluid"};
}

Result<SceneSettings> drop_scene(const std::string& case_name, std::int64_t particles) {
  const Result<ModelParameters> material = drop_material(case_name);
  if (!material) return material.errors();
  SceneSettings scene = case_scene(3, kSpacing, 100);
  scene.name = case_name;
  scene.gravity = {{0, -9.81, 0}};
  scene.integrator.explicit_max_dt = kMaxDt;
  const double height = std::round(std::cbrt(double(particles) / 32));  // cells
  const double low = 2 * kSpacing, half = height * kSpacing;
  ObjectSettings& box = add_box(scene, add_material(scene, *material), 1000, {{-half, low, -half}},
                                {{half, low + half, half}});
  box.name = case_name;
  box.velocity = {{0, -1, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate).name = "floor";
  return scene;
}

}  // namespace firn
