#include "cases/sph_tools.h"

namespace firn {

SceneSettings sph_scene(int dimension, double spacing, double fps, double friction_angle) {
  SceneSettings scene = case_scene(dimension, spacing, fps);
  scene.solver = SolverKind::sph;
  scene.gravity = {{0, -kSphGravity, 0}};
  Sand::Parameters sand;
  sand.friction_angle = friction_angle;
  add_material(scene, sand);
  return scene;
}

double fitted_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace firn
