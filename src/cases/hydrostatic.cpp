// Hydrostatic column: water 0.5 m deep at rest, started from its hydrostatic state and from rest
// density. Pressure falls by rho g per metre of height, motion dies out, volume stays.
#include <cmath>

#include "cases/water.h"

namespace firn {
namespace {

constexpr const char* kCase = "hydrostatic";
constexpr double kDepth = 0.5;   // m
constexpr double kWidth = 0.25;  // m
constexpr double kSeconds = 3;
constexpr double kAveraged = 0.5;  // s at the end
constexpr double kFps = 40;

struct Start {
  bool hydrostatic = false;
  double density = kWaterDensity;
};

struct Column {
  double slope = 0;                // Pa/m downwards, mean over the end
  double noise = 0;                // Pa, RMS deviation of particles from the fitted line
  double kinetic = 0;              // J/kg, mean over the end
  double surface = 0, center = 0;  // m
};

struct Line {
  double slope = 0, deviation = 0;
};

// Pressure against depth. Particles of the two cells next to floor and surface are left out.
Line fit_pressure(const PointTable& table, double margin) {
  const auto y = table.as_double("y"), p = table.as_double("pressure");
  double n = 0, sy = 0, sp = 0, syy = 0, syp = 0, spp = 0;
  for (std::size_t i = 0; i < table.count; ++i) {
    if (y[i] < margin || y[i] > kDepth - margin) continue;
    n += 1;
    sy += y[i];
    sp += p[i];
    syy += y[i] * y[i];
    syp += y[i] * p[i];
    spp += p[i] * p[i];
  }
  const double var = syy - sy * sy / n, cov = syp - sy * sp / n;
  return {-cov / var, std::sqrt(std::max(0.0, (spp - sp * sp / n - cov * cov / var) / n))};
}

SceneSettings column_scene(const Tank& tank, const Start& start) {
  SceneSettings scene = tank_scene(tank, kFps);
  ObjectSettings& water = add_water(scene, tank, kWidth, kDepth);
  water.density = start.density;
  if (!start.hydrostatic) return scene;
  // p = K/gamma (J^-gamma - 1) = rho g (depth - y)
  InitialField ratio;
  ratio.name = "J";
  ratio.value.expression = "(1 + 7 * " + short_number(start.density * kWaterGravity) + " * (" +
                           short_number(kDepth) + " - y) / " + short_number(tank.bulk_modulus) +
                           ")^(-1/7)";
  water.fields.push_back(ratio);
  return scene;
}

Result<Column> settle(const Tank& tank, const Start& start) {
  const auto frames = static_cast<std::int64_t>(kSeconds * kFps);
  const auto averaged = static_cast<std::int64_t>(kAveraged * kFps);
  Column column;
  const auto record = [&](const World& world) {
    if (world.frame() <= frames - averaged) return;
    const double share = 1 / static_cast<double>(averaged);
    const PointTable table = world.snapshot({"pressure"});
    const FrameStats stats = world.statistics();
    const Line line = fit_pressure(table, 2 * tank.spacing);
    column.slope += share * line.slope;
    column.noise += share * line.deviation;
    column.kinetic += share * stats.kinetic / stats.mass;
    column.surface += share * surface_level(table, tank, 0.5 * tank.spacing);
    column.center += share * center_level(table);
  };
  const auto world = run_scene(column_scene(tank, start), Precision::double_, frames, record);
  if (!world) return world.errors();
  return column;
}

Check judge_slope(const Column& column, const std::string& name) {
  return relative_check(kCase, "pressure slope, Pa/m, " + name, column.slope,
                        kWaterDensity * kWaterGravity, 0.03);
}

std::vector<Check> judge(const Tank& tank, const Start& start, const std::string& name) {
  const Result<Column> column = settle(tank, start);
  if (!column) return {failed_run(kCase, column.errors())};
  // What is left of the motion, against the energy that settling from rest density sets free.
  const double pressure = kWaterDensity * kWaterGravity * kDepth;
  const double released = pressure * pressure / (6 * kWaterDensity * tank.bulk_modulus);
  return {judge_slope(*column, name),
          limit_check(kCase, "kinetic energy left, of that set free, " + name,
                      column->kinetic / released, 0.01),
          relative_check(kCase, "volume under the surface over initial volume, " + name,
                         column->surface / kDepth, 1, 0.02),
          relative_check(kCase, "volume by the centre of mass over initial volume, " + name,
                         column->center / kDepth, 1, 0.02),
          report(kCase, "scatter of pressure over that at the floor, " + name,
                 column->noise / pressure)};
}

// The same judgement on water of another density must find it.
Check control(const Tank& tank) {
  const Result<Column> heavy = settle(tank, {true, 1.1 * kWaterDensity});
  if (!heavy) return failed_run(kCase, heavy.errors());
  return must_fail(judge_slope(*heavy, "density of 1100 kg/m3"));
}

}  // namespace

std::vector<Check> validate_hydrostatic(const ValidateOptions& options) {
  Tank tank;
  tank.width = kWidth;
  tank.spacing = options.fine ? 1.0 / 64 : 1.0 / 32;
  Tank cubic = tank;
  cubic.kernel = KernelKind::cubic;
  std::vector<Check> checks;
  const auto add = [&](const Tank& one, const Start& start, const std::string& name) {
    options.progress("hydrostatic: " + name);
    for (Check& check : judge(one, start, name)) checks.push_back(std::move(check));
  };
  add(tank, {true}, "from hydrostatic J, quadratic");
  add(tank, {false}, "from rest density, quadratic");
  add(cubic, {false}, "from rest density, cubic");
  checks.push_back(control(tank));
  return checks;
}

}  // namespace firn
