#include "cases/snow_tools.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace firn {
namespace {

constexpr double kDensity = 400, kGravity = 9.81;

using Cell = std::pair<int, int>;
using CellCounts = std::map<Cell, int>;  // particles in each occupied cell

Cell cell_of(double x, double y, double spacing) {
  return {static_cast<int>(std::floor(x / spacing)), static_cast<int>(std::floor(y / spacing))};
}

// Takes the connected piece that holds `start` out of the cells and returns its particles.
int take_piece(CellCounts& cells, const Cell& start) {
  std::vector<Cell> open = {start};
  int particles = cells[start];
  cells.erase(start);
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    for (int k = 0; k < 9; ++k) {
      const auto found = cells.find({i + k / 3 - 1, j + k % 3 - 1});
      if (found == cells.end()) continue;
      particles += found->second;
      open.push_back(found->first);
      cells.erase(found);
    }
  }
  return particles;
}

}  // namespace

double packed_volume_ratio(const Snow::Parameters& snow, double pressure) {
  const double stretch = 1 - snow.critical_compression;
  const double limit = (2 * snow.mu() + snow.lambda()) * snow.critical_compression * stretch;
  double ratio = 1;
  for (int i = 0; i < 100; ++i) {  // a contraction: its slope is 1 / (xi J_P)
    const double load = pressure * stretch * ratio / limit;
    ratio = load > 1 ? 1 - std::log(load) / snow.hardening : 1;
  }
  return ratio;
}

Result<PackedColumn> pack_column(const Snow::Parameters& snow, const Snow::Parameters& reference,
                                 double height, double spacing) {
  const double width = 8 * spacing;
  constexpr double kOnset = 3, kSeconds = 5;
  SceneSettings scene = case_scene(2, spacing, 10);
  scene.gravity = {{0, -kGravity, 0}};
  add_box(scene, add_material(scene, snow), kDensity, {{0, 0, 0}}, {{width, height, 0}});
  add_container(scene, {{0, 0, 0}}, {{width, 10 * height, 0}}, ContactKind::slip);
  auto world = World::create(scene, Precision::double_);
  if (!world) return world.errors();
  (*world)->set_body_force([](const Vec3d&, double t) {
    return Vec3d{{0, std::max(kGravity * (1 - t / kOnset), 0.0), 0}};
  });
  const auto start = (*world)->snapshot({}).as_double("y");
  Errors errors = run_frames(**world, static_cast<std::int64_t>(std::lround(kSeconds * scene.fps)));
  if (!errors.empty()) return errors;
  const auto ratio = (*world)->snapshot({"J_P"}).as_double("J_P");
  PackedColumn column;
  double count = 0;
  for (std::size_t i = 0; i < ratio.size(); ++i) {
    if (start[i] > 0.5 * height) continue;
    const double load = kDensity * kGravity * (height - start[i]);
    column.compaction += 1 - ratio[i];
    column.expected += 1 - packed_volume_ratio(reference, load);
    column.hardest = std::max(column.hardest, std::exp(snow.hardening * (1 - ratio[i])));
    count += 1;
  }
  column.compaction /= count;
  column.expected /= count;
  return column;
}

Result<int> tear_bar(const Snow::Parameters& snow, double spacing) {
  constexpr double kSpeed = 2, kSeconds = 0.5;
  SceneSettings scene = case_scene(2, spacing, 20);
  const int material = add_material(scene, snow);
  add_box(scene, material, kDensity, {{-0.5, 0, 0}}, {{0, 0.2, 0}}).velocity = {{-kSpeed, 0, 0}};
  add_box(scene, material, kDensity, {{0, 0, 0}}, {{0.5, 0.2, 0}}).velocity = {{kSpeed, 0, 0}};
  const auto world = run_scene(scene, Precision::single,
                               static_cast<std::int64_t>(std::lround(kSeconds * scene.fps)));
  if (!world) return world.errors();
  const PointTable table = (*world)->snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y");
  CellCounts cells;
  for (std::size_t i = 0; i < table.count; ++i) ++cells[cell_of(x[i], y[i], spacing)];
  int pieces = 0;
  while (!cells.empty())
    if (take_piece(cells, cells.begin()->first) * 100 >= static_cast<int>(table.count)) ++pieces;
  return pieces;
}

Result<ThrownBall> throw_ball(const Snow::Parameters& snow, ContactKind wall, double spacing) {
  constexpr double kRadius = 0.1, kSpeed = 5, kSeconds = 1;
  SceneSettings scene = case_scene(2, spacing, 20);
  scene.gravity = {{0, -kGravity, 0}};
  const double start = -kRadius - 2 * spacing;
  add_ball(scene, add_material(scene, snow), kDensity, {{start, 0, 0}}, kRadius).velocity = {
      {kSpeed, 0, 0}};
  add_plane(scene, {{0, 0, 0}}, {{-1, 0, 0}}, wall);
  ThrownBall ball;
  double cells_a_particle = 0;
  const auto measure = [&](const World& world) {
    const PointTable table = world.snapshot({});
    const auto x = table.as_double("x"), y = table.as_double("y");
    CellCounts cells;
    double stuck = 0;
    for (std::size_t i = 0; i < table.count; ++i)
      if (y[i] > -2 * kRadius) {
        ++cells[cell_of(x[i], y[i], spacing)];
        stuck += 1;
      }
    const double covered = stuck > 0 ? static_cast<double>(cells.size()) / stuck : 0;
    if (world.frame() == 0) cells_a_particle = covered;
    ball = {stuck / static_cast<double>(table.count), covered / cells_a_particle};
  };
  const auto world =
      run_scene(scene, Precision::single,
                static_cast<std::int64_t>(std::lround(kSeconds * scene.fps)), measure);
  if (!world) return world.errors();
  return ball;
}

}  // namespace firn
