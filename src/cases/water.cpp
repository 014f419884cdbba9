#include "cases/water.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace firn {

SceneSettings tank_scene(const Tank& tank, double fps) {
  SceneSettings scene = case_scene(tank.depth > 0 ? 3 : 2, tank.spacing, fps);
  scene.gravity = {{0, -kWaterGravity, 0}};
  scene.mpm.kernel = tank.kernel;
  Fluid::Parameters water;
  water.bulk_modulus = tank.bulk_modulus;
  water.gamma = 7;
  water.volume_correction = tank.volume_correction;
  add_material(scene, water);
  const auto wall = [&](const Vec3d& point, const Vec3d& normal) {
    add_plane(scene, point, normal, ContactKind::separate);
  };
  wall({{0, 0, 0}}, {{0, 1, 0}});
  wall({{0, 0, 0}}, {{1, 0, 0}});
  wall({{tank.width, 0, 0}}, {{-1, 0, 0}});
  if (tank.depth > 0) {
    wall({{0, 0, 0}}, {{0, 0, 1}});
    wall({{0, 0, tank.depth}}, {{0, 0, -1}});
  }
  return scene;
}

ObjectSettings& add_water(SceneSettings& scene, const Tank& tank, double width, double height) {
  return add_box(scene, 0, kWaterDensity, {{0, 0, 0}}, {{width, height, tank.depth}});
}

namespace {

std::vector<double> column_heights(const PointTable& table, const Tank& tank,
                                   double particle_spacing) {
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  const auto cells = [&](double length) {
    return std::max(1L, std::lround(length / tank.spacing));
  };
  const auto cell = [&](double at, long count) {
    return std::clamp(static_cast<long>(std::floor(at / tank.spacing)), 0L, count - 1);
  };
  const long nx = cells(tank.width), nz = cells(tank.depth);
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(nx * nz));
  for (std::size_t i = 0; i < table.count; ++i)
    columns[static_cast<std::size_t>(cell(x[i], nx) * nz + cell(z[i], nz))].push_back(y[i]);
  const std::size_t highest = tank.depth > 0 ? 4 : 2;
  std::vector<double> heights;
  for (std::vector<double>& column : columns) {
    const std::size_t n = std::min(highest, column.size());
    std::partial_sort(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(n), column.end(),
                      std::greater<>());
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += column[i] / static_cast<double>(n);
    heights.push_back(n > 0 ? mean + 0.5 * particle_spacing : 0);
  }
  return heights;
}

}  // namespace

double surface_level(const PointTable& table, const Tank& tank, double particle_spacing) {
  const std::vector<double> heights = column_heights(table, tank, particle_spacing);
  double sum = 0;
  for (const double height : heights) sum += height;
  return sum / static_cast<double>(heights.size());
}

double center_level(const PointTable& table) {
  double sum = 0;
  for (double y : table.as_double("y")) sum += y;
  return 2 * sum / static_cast<double>(table.count);
}

double center_level(const PointTable& table, const Tank& tank, double particle_spacing) {
  const std::vector<double> heights = column_heights(table, tank, particle_spacing);
  // Waves along x, as means over eighths of the tank: single columns scatter.
  double eighths[8] = {}, sum = 0, squares = 0;
  for (std::size_t i = 0; i < heights.size(); ++i)
    eighths[8 * i / heights.size()] += 8 * heights[i] / static_cast<double>(heights.size());
  for (const double height : eighths) {
    sum += height / 8;
    squares += height * height / 8;
  }
  return center_level(table) * sum * sum / squares;
}

}  // namespace firn
