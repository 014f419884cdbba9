#include "cases/granular_tools.h"

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

constexpr double kGravity = 9.81, kDensity = 1600;

void add_mirror(SceneSettings& scene, int axis, double at, double side) {
  Vec3d point{{0, 0, 0}}, normal{{0, 0, 0}};
  point[axis] = at;
  normal[axis] = side;
  add_plane(scene, point, normal, ContactKind::slip);
}

SceneSettings sand_scene(int dimension, double spacing, double fps, const Sand::Parameters& sand) {
  SceneSettings scene = case_scene(dimension, spacing, fps);
  scene.gravity = {{0, -kGravity, 0}};
  add_material(scene, sand);
  return scene;
}

// The world of a scene with one object, without the particles that `outside` names.
template <class Outside>
Result<std::unique_ptr<World>> carved_world(const SceneSettings& scene, const Outside& outside) {
  auto objects = initial_particles(scene);
  if (!objects) return objects.errors();
  std::erase_if(objects->front().position, outside);
  return World::create_from_particles(scene, std::move(*objects), Precision::single);
}

SceneSettings column_scene(const SandColumn& column) {
  const double height = column.aspect * column.radius, spacing = column.radius / column.cells;
  Sand::Parameters sand;
  sand.friction_angle = column.friction_angle;
  sand.cone = column.cone;
  // Stiff enough for strains of 2 % under the own weight.
  sand.youngs_modulus = 60 * kDensity * kGravity * std::max(height, column.radius);
  SceneSettings scene = sand_scene(column.dimension, spacing, 20, sand);
  scene.solver = column.solver;
  const double depth = column.dimension == 3 ? column.radius : 0;
  add_box(scene, 0, kDensity, {{0, 0, 0}}, {{column.radius, height, depth}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, column.floor_friction);
  if (column.dimension == 3) {
    add_mirror(scene, 0, 0, 1);
    add_mirror(scene, 2, 0, 1);
  } else {
    add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::separate);
  }
  return scene;
}

double axis_distance(double x, double z) {
  return std::sqrt(x * x + z * z);
}

// Thickness of the deposit in strips or rings one cell wide, from the axis outwards, in cells.
std::vector<double> thickness(const SandColumn& column, const std::vector<double>& distance,
                              std::size_t initial_per_cell) {
  const double spacing = column.radius / column.cells;
  std::vector<double> cells(
      2 + static_cast<std::size_t>(*std::max_element(distance.begin(), distance.end()) / spacing));
  for (const double r : distance) cells[static_cast<std::size_t>(r / spacing)] += 1;
  for (std::size_t ring = 0; ring < cells.size(); ++ring) {
    const double area = column.dimension == 3 ? kPi / 4 * (2.0 * static_cast<double>(ring) + 1) : 1;
    cells[ring] /= area * static_cast<double>(initial_per_cell);
  }
  return cells;
}

// Where a profile given at the middles of strips first falls below `limit`, in strips.
double first_below(const std::vector<double>& profile, double limit) {
  for (std::size_t i = 0; i + 1 < profile.size(); ++i)
    if (profile[i] >= limit && profile[i + 1] < limit)
      return static_cast<double>(i) + 0.5 + (profile[i] - limit) / (profile[i] - profile[i + 1]);
  return 0;
}

Deposit measure_deposit(const SandColumn& column, const World& world) {
  const double spacing = column.radius / column.cells;
  const PointTable table = world.snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  std::vector<double> distance(table.count);
  Deposit deposit;
  for (std::size_t i = 0; i < table.count; ++i) {
    distance[i] = std::max(axis_distance(x[i], z[i]), 0.0);
    // Particles lie a quarter of a cell below the surface.
    if (distance[i] < 2 * spacing)
      deposit.height = std::max(deposit.height, (y[i] + 0.25 * spacing) / column.radius);
  }
  const double edge = column.edge > 0 ? column.edge * column.cells : 0.6;  // cells
  const double front =
      first_below(thickness(column, distance, column.dimension == 3 ? 8 : 4), edge) * spacing;
  deposit.runout = front / column.radius - 1;
  const FrameStats stats = world.statistics();
  deposit.kinetic = stats.kinetic / stats.mass;
  return deposit;
}

Sand::Parameters wedge_sand(const SandWedge& wedge) {
  Sand::Parameters sand;
  sand.friction_angle = wedge.friction_angle;
  sand.cone = wedge.cone;
  // Stiff, so that it hardly settles, and with a high lateral pressure from the start: gravity acts
  // at once on a body without stress, and sand that flows at constant volume loses strength while
  // its principal axes turn (docs/validation.md).
  sand.youngs_modulus = 2e6;
  sand.poisson_ratio = 0.45;
  return sand;
}

double surface_height(const SandWedge& wedge, double x) {
  return (1 - x) * std::tan(wedge.slope * kDegree);
}

SceneSettings wedge_scene(const SandWedge& wedge, double spacing) {
  SceneSettings scene = sand_scene(wedge.dimension, spacing, kWedgeFps, wedge_sand(wedge));
  scene.solver = wedge.solver;
  scene.integrator = wedge.integrator;
  const double depth = wedge.dimension == 3 ? wedge.slab * spacing : 0;
  add_box(scene, 0, kDensity, {{0, 0, 0}}, {{1, surface_height(wedge, 0), depth}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  add_mirror(scene, 0, 0, 1);
  if (wedge.dimension == 3) {
    add_mirror(scene, 2, 0, 1);
    add_mirror(scene, 2, depth, -1);
  }
  return scene;
}

double largest_tension(const World& world) {
  const PointTable table = world.snapshot({"stress"});
  const auto xx = table.as_double("stress_xx"), yy = table.as_double("stress_yy");
  double most = 0;
  for (std::size_t i = 0; i < table.count; ++i) most = std::max(most, (xx[i] + yy[i]) / 2);
  return most;
}

}  // namespace

Check at_least_check(const std::string& case_name, std::string quantity, double measured,
                     double limit) {
  return {case_name, std::move(quantity), measured, limit, measured, limit, measured >= limit};
}

int cells_in_radius(int dimension, double aspect, bool fine) {
  if (dimension == 2) return (aspect < 1 ? 40 : 20) * (fine ? 2 : 1);
  return (aspect < 1 ? 32 : aspect < 2 ? 20 : aspect < 4 ? 12 : 10) * (fine ? 3 : 2) / 2;
}

Result<Deposit> collapse(const SandColumn& column) {
  const SceneSettings scene = column_scene(column);
  auto world = carved_world(scene, [&](const Vec3d& p) {
    return column.dimension == 3 && axis_distance(p[0], p[2]) > column.radius;
  });
  if (!world) return world.errors();
  // The collapse takes some three times the fall from the summit.
  const double seconds =
      5 * std::sqrt(column.aspect * column.radius / kGravity) + std::sqrt(column.radius / kGravity);
  Errors errors = run_frames(**world, static_cast<std::int64_t>(std::ceil(seconds * scene.fps)));
  if (!errors.empty()) return errors;
  return measure_deposit(column, **world);
}

SandColumn grains(double repose) {
  SandColumn column;
  column.floor_friction = std::tan(repose * kDegree);
  column.friction_angle = std::asin(column.floor_friction) / kDegree;
  return column;
}

Check range_check(const std::string& case_name, std::string quantity, double measured, double low,
                  double high, double tolerance) {
  return relative_check(case_name, std::move(quantity), measured, std::clamp(measured, low, high),
                        tolerance);
}

std::vector<Check> judge_deposit(const char* case_name, const ValidateOptions& options,
                                 const SandColumn& column, const DepositReference& reference) {
  const Result<Deposit> deposit = collapse(column);
  if (!deposit) return {failed_run(case_name, deposit.errors())};
  const std::string aspect = "aspect " + short_number(column.aspect);
  options.progress(aspect + ": run-out " + short_number(deposit->runout) + ", summit " +
                   short_number(deposit->height));
  return {relative_check(case_name, "run-out / initial width, " + aspect, deposit->runout,
                         reference.runout, 0.2),
          range_check(case_name, "height / initial width, " + aspect, deposit->height,
                      reference.low, reference.high, reference.tolerance)};
}

std::vector<Check> judge_refinement(const char* case_name, SandColumn column) {
  column.edge = 0.6 / column.cells;
  const Result<Deposit> coarse = collapse(column);
  if (!coarse) return {failed_run(case_name, coarse.errors())};
  column.cells *= 2;
  const Result<Deposit> fine = collapse(column);
  if (!fine) return {failed_run(case_name, fine.errors())};
  const std::string name = " with h over that with h/2, aspect " + short_number(column.aspect);
  return {relative_check(case_name, "height" + name, coarse->height / fine->height, 1, 0.05),
          relative_check(case_name, "radius" + name, (1 + coarse->runout) / (1 + fine->runout), 1,
                         0.05)};
}

Result<std::unique_ptr<World>> wedge_world(const SandWedge& wedge) {
  const SceneSettings scene = wedge_scene(wedge, 1.0 / wedge.cells);
  return carved_world(scene, [&](const Vec3d& p) { return p[1] > surface_height(wedge, p[0]); });
}

Result<WedgeMotion> watch_wedge(const SandWedge& wedge) {
  const double spacing = 1.0 / wedge.cells;
  auto world = wedge_world(wedge);
  if (!world) return world.errors();
  const PointTable start = (*world)->snapshot({});
  const auto x0 = start.as_double("x"), y0 = start.as_double("y");
  const double layer = 1.5 * spacing / std::cos(wedge.slope * kDegree);
  const auto displacement = [&] {
    const PointTable now = (*world)->snapshot({});
    const auto x = now.as_double("x"), y = now.as_double("y");
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < now.count; ++i)
      if (y0[i] + layer > surface_height(wedge, x0[i])) {
        sum += std::hypot(x[i] - x0[i], y[i] - y0[i]);
        count += 1;
      }
    return sum / count;
  };
  const auto second = static_cast<std::int64_t>(kWedgeFps);
  const auto frames = static_cast<std::int64_t>(std::lround(wedge.seconds * kWedgeFps));
  WedgeMotion motion;
  for (std::int64_t frame = 1; frame <= frames && motion.end < wedge.enough; ++frame) {
    Errors errors = run_frames(**world, 1);
    if (!errors.empty()) return errors;
    motion.end = displacement();
    motion.tension = std::max(motion.tension, largest_tension(**world));
    if (const auto solves = (*world)->statistics().solves)
      motion.missed += static_cast<double>(solves->missed_steps);
    if (frame <= second) motion.settled = motion.end;
  }
  return motion;
}

std::string name_of(const SandWedge& wedge) {
  return std::to_string(wedge.dimension) + "D, friction " + short_number(wedge.friction_angle) +
         ", slope " + short_number(wedge.slope);
}

Check judge_flowing_wedge(const char* name, const ValidateOptions& options, SandWedge wedge) {
  constexpr double kFlows = 0.04;  // of the base, within 5 s
  wedge.enough = 1.5 * kFlows;
  const Result<WedgeMotion> motion = watch_wedge(wedge);
  if (!motion) return failed_run(name, motion.errors());
  options.progress(name_of(wedge) + ": moved " + short_number(motion->end));
  return at_least_check(name, "flows: displacement within 5 s, " + name_of(wedge), motion->end,
                        kFlows);
}

}  // namespace firn
