#include "cases/shear_start.h"

#include <cmath>

#include "scene/initial_particles.h"

namespace firn {
namespace {

constexpr double kHeight = ShearStart::kHeight;

SceneSettings scene_of(const ShearStart& start) {
  const double h = kHeight / start.cells, length = 8 * h;
  SceneSettings scene = case_scene(2, h, start.fps);
  scene.integrator = start.integrator;
  scene.grid.periodic.axes[0] = Interval{0, length};
  add_box(scene, add_material(scene, start.material), 1000, {{0, 0, 0}}, {{length, kHeight, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  ColliderSettings& lid = add_plane(scene, {{0, kHeight, 0}}, {{0, -1, 0}}, ContactKind::sticky);
  lid.surface_velocity = {{start.rate * kHeight, 0, 0}};
  return scene;
}

ShearStress mean_stress(const World& world) {
  const PointTable frame = world.snapshot({"stress"});
  const auto y = frame.as_double("y"), xy = frame.as_double("stress_xy");
  const auto xx = frame.as_double("stress_xx"), yy = frame.as_double("stress_yy");
  ShearStress sum;
  double count = 0;
  for (std::size_t i = 0; i < frame.count; ++i) {
    if (std::abs(y[i] - kHeight / 2) > kHeight / 4) continue;
    sum.shear += xy[i];
    sum.normal += xx[i] - yy[i];
    ++count;
  }
  return {sum.shear / count, sum.normal / count};
}

}  // namespace

Result<std::vector<ShearStress>> run_sheared(const ShearStart& start) {
  const SceneSettings scene = scene_of(start);
  Result<std::vector<ObjectParticles>> layer = initial_particles(scene);
  if (!layer) return layer.errors();
  set_velocities(layer->front(), [&](const Vec3d& x) {
    VelocityAt at;
    at.velocity[0] = start.rate * x[1];
    at.gradient(0, 1) = start.rate;
    return at;
  });
  auto world = World::create_from_particles(scene, std::move(*layer), Precision::double_);
  if (!world) return world.errors();
  std::vector<ShearStress> means;
  const Errors errors = run_frames(**world, start.frames,
                                   [&](const World& now) { means.push_back(mean_stress(now)); });
  if (!errors.empty()) return errors;
  return means;
}

Viscoelastic::Parameters ShearedPaste::parameters(double relaxation_time) {
  Viscoelastic::Parameters paste;
  paste.given_mu = kMu;
  paste.given_lambda = kLambda;
  paste.viscosity = kEta;
  paste.relaxation_time = relaxation_time;
  return paste;
}

ShearStress ShearedPaste::stress_of(double xy, double xx) const {
  const double volume = 1 / std::sqrt(xx - xy * xy);
  return {kMu * volume * xy + kEta * rate, kMu * volume * (xx - 1)};
}

ShearStress ShearedPaste::exact_stress(double time) const {
  const double left = std::exp(-time / kTime), gT = rate * kTime;
  return stress_of(gT * (1 - left), 1 + 2 * gT * gT * (1 - left * (1 + time / kTime)));
}

}  // namespace firn
