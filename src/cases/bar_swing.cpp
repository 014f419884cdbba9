#include "cases/bar_swing.h"

#include <cmath>

namespace firn {

SceneSettings bar_scene(double spacing, double modulus, double fps) {
  SceneSettings scene = case_scene(2, spacing, fps);
  const int elastic = add_material(scene, elastic_material<NeoHookean>(modulus, 0));
  add_box(scene, elastic, BarSwing::kDensity, {{0, 0, 0}}, {{BarSwing::kLength, 2 * spacing, 0}});
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::sticky);
  return scene;
}

Result<BarSwing> run_bar(const SceneSettings& scene, int periods) {
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return objects.errors();
  set_velocities(objects->front(), [](const Vec3d& x) {
    const double k = kPi / (2 * BarSwing::kLength);
    VelocityAt at;
    at.velocity[0] = BarSwing::kSpeed * std::sin(k * x[0]);
    at.gradient(0, 0) = BarSwing::kSpeed * k * std::cos(k * x[0]);
    return at;
  });
  auto world = World::create_from_particles(scene, std::move(*objects), Precision::double_);
  if (!world) return world.errors();
  BarSwing motion;
  const auto record = [&](const World& w) {
    const FrameStats stats = w.statistics();
    motion.time.push_back(stats.time);
    motion.speed.push_back(stats.momentum[0] / stats.mass);
    motion.energy.push_back(stats.kinetic + stats.elastic);
  };
  record(**world);
  const Errors errors =
      run_frames(**world, std::lround(periods * BarSwing::kPeriod * scene.fps), record);
  if (!errors.empty()) return errors;
  return motion;
}

double BarSwing::period() const {
  std::vector<double> crossings;
  for (std::size_t i = 1; i < time.size(); ++i) {
    const double before = speed[i - 1], after = speed[i];
    if (before < 0 && after >= 0)
      crossings.push_back(time[i - 1] + (time[i] - time[i - 1]) * before / (before - after));
  }
  if (crossings.size() < 2) return 0;
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

}  // namespace firn
