// Fine grains of granular SPH (GRAIN 5.12): those of a bed at rest stay where they are, those of a
// column that falls apart stay evenly spread, none gets into a wall, none is left hanging. GRAIN as
// printed, the control, does none of that.
#include <algorithm>
#include <cmath>
#include <optional>

#include "cases/case_tools.h"
#include "scene/defaults.h"

namespace firn {
namespace {

constexpr const char* kCase = "grains";
constexpr double kGravity = 9.81, kDensity = 1500, kFps = 30;
constexpr double kSpacing = 0.025;                              // of particles, m
constexpr double kSettling = 4, kResting = 10, kFalling = 1.5;  // s

struct Box {
  Vec3d low, high;
};
constexpr Box kBed{{{0, 0, 0}}, {{0.25, 1, 0.25}}}, kTrough{{{0, 0, 0}}, {{0.8, 1, 0.15}}};

SceneSettings sand_in_box(const Box& box, const Vec3d& size, GrainMethod method) {
  SceneSettings scene = case_scene(3, 2 * kSpacing, kFps);
  scene.solver = SolverKind::sph;
  scene.gravity = {{0, -kGravity, 0}};
  Sand::Parameters sand;
  sand.friction_angle = 35;
  // On a lattice SPH itself takes long to come to rest.
  add_box(scene, add_material(scene, sand), kDensity, box.low, box.low + size).sampling.kind =
      SamplingKind::poisson;
  add_container(scene, box.low, box.high, ContactKind::separate, 0.5);
  scene.grains.emplace().method = method;
  fill_defaults(scene);
  return scene;
}

std::vector<Vec3d> places_of(const PointTable& table) {
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  std::vector<Vec3d> places(table.count);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = {{x[i], y[i], z[i]}};
  return places;
}

// Cells of the spacing over a box, with room around it.
class Histogram {
 public:
  Histogram(const Box& box, const std::vector<Vec3d>& points) {
    std::size_t cells = 1;
    for (int a = 0; a < 3; ++a) {
      low_[a] = box.low[a] - kMargin * kSpacing;
      along_[a] = static_cast<int>(std::ceil((box.high[a] - low_[a]) / kSpacing)) + kMargin;
      cells *= static_cast<std::size_t>(along_[a]);
    }
    count_.assign(cells, 0);
    for (const Vec3d& x : points)
      if (const auto cell = cell_of(x)) ++count_[index((*cell)[0], (*cell)[1], (*cell)[2])];
  }
  // With others on every side; none outside of that.
  std::optional<Vec<int, 3>> cell_of(const Vec3d& x) const {
    Vec<int, 3> at;
    for (int a = 0; a < 3; ++a) {
      at[a] = static_cast<int>(std::floor((x[a] - low_[a]) / kSpacing));
      if (at[a] < 1 || at[a] + 1 >= along_[a]) return {};
    }
    return at;
  }
  int at(int i, int j, int k) const { return count_[index(i, j, k)]; }
  int around(int i, int j, int k) const {
    int sum = 0;
    for (int a = -1; a <= 1; ++a)
      for (int b = -1; b <= 1; ++b)
        for (int c = -1; c <= 1; ++c) sum += at(i + a, j + b, k + c);
    return sum;
  }
  // f(i, j, k) for all cells that have others on every side.
  template <class F>
  void for_each(F&& f) const {
    for (int i = 1; i + 1 < along_[0]; ++i)
      for (int j = 1; j + 1 < along_[1]; ++j)
        for (int k = 1; k + 1 < along_[2]; ++k) f(i, j, k);
  }

 private:
  static constexpr int kMargin = 2;
  std::size_t index(int i, int j, int k) const {
    return (std::size_t(i) * along_[1] + j) * along_[2] + k;
  }
  Vec3d low_{{0, 0, 0}};
  int along_[3];
  std::vector<int> count_;
};

// Variance over mean of the grains in cells amid particles: 27 of these lie in the cells around.
double unevenness(const Box& box, const std::vector<Vec3d>& particles,
                  const std::vector<Vec3d>& grains) {
  const Histogram coarse(box, particles), fine(box, grains);
  double n = 0, sum = 0, squares = 0;
  coarse.for_each([&](int i, int j, int k) {
    const int around = coarse.around(i, j, k);
    if (around < 24 || around > 33) return;
    n += 1;
    sum += fine.at(i, j, k);
    squares += square(double(fine.at(i, j, k)));
  });
  return (squares - sum * sum / n) / sum;
}

// Share of the grains that are in a wall.
double share_in_walls(const Box& box, const std::vector<Vec3d>& grains) {
  double inside = 0;
  for (const Vec3d& x : grains) {
    bool out = false;
    for (int a = 0; a < 3; ++a) out = out || x[a] < box.low[a] || x[a] > box.high[a];
    inside += out;
  }
  return inside / double(grains.size());
}

// Share of the grains that are above the floor, with no particle in the cells around.
double share_hanging(const Box& box, const std::vector<Vec3d>& particles,
                     const std::vector<Vec3d>& grains) {
  const Histogram coarse(box, particles);
  double hanging = 0;
  for (const Vec3d& x : grains) {
    if (x[1] < box.low[1] + kSpacing) continue;
    const auto cell = coarse.cell_of(x);
    hanging += !cell || coarse.around((*cell)[0], (*cell)[1], (*cell)[2]) == 0;
  }
  return hanging / double(grains.size());
}

struct Rest {
  double drift = 0;  // of a grain at most, spacings
  double unevenness = 0;
};
Result<Rest> bed_at_rest(GrainMethod method, double seconds) {
  const SceneSettings scene = sand_in_box(kBed, {{0.25, 0.15, 0.25}}, method);
  std::vector<Vec3d> before, after, particles;
  const auto watch = [&](const World& world) {
    if (world.frame() == std::lround(kSettling * kFps)) before = places_of(world.grains({}));
    after = places_of(world.grains({}));
    particles = places_of(world.snapshot({}));
  };
  const auto world =
      run_scene(scene, Precision::single, std::lround((kSettling + seconds) * kFps), watch);
  if (!world) return world.errors();
  Rest rest;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Vec3d way = after[i] - before[i];
    rest.drift = std::max(rest.drift, std::sqrt(dot(way, way)) / kSpacing);
  }
  rest.unevenness = unevenness(kBed, particles, after);
  return rest;
}

struct Fallen {
  double unevenness = 0, in_walls = 0, hanging = 0;
};
Result<Fallen> collapse(GrainMethod method) {
  const SceneSettings scene = sand_in_box(kTrough, {{0.25, 0.35, 0.15}}, method);
  Fallen fallen;
  const auto watch = [&](const World& world) {
    const std::vector<Vec3d> grains = places_of(world.grains({}));
    fallen.in_walls = std::max(fallen.in_walls, share_in_walls(kTrough, grains));
    const std::vector<Vec3d> particles = places_of(world.snapshot({}));
    fallen.unevenness = unevenness(kTrough, particles, grains);
    fallen.hanging = share_hanging(kTrough, particles, grains);
  };
  const auto world = run_scene(scene, Precision::single, std::lround(kFalling * kFps), watch);
  if (!world) return world.errors();
  return fallen;
}

}  // namespace

std::vector<Check> validate_grains(const ValidateOptions& options) {
  std::vector<Check> checks;
  for (const GrainMethod method : {GrainMethod::even, GrainMethod::printed}) {
    const bool control = method == GrainMethod::printed;
    const auto judge = [&](const char* what, double measured, double limit) {
      const Check check = limit_check(kCase, what, measured, limit);
      checks.push_back(control ? must_fail(check) : check);
    };
    options.progress(control ? "as printed: at rest" : "at rest");
    const Result<Rest> rest = bed_at_rest(method, control ? 1 : kResting);
    if (!rest) return {failed_run(kCase, rest.errors())};
    judge("longest way of a grain at rest, spacings", rest->drift, 0.01);
    judge("grains a cell of a bed at rest, variance / mean", rest->unevenness, 2);
    options.progress(control ? "as printed: a column falls" : "a column falls");
    const Result<Fallen> fallen = collapse(method);
    if (!fallen) return {failed_run(kCase, fallen.errors())};
    judge("grains a cell after a collapse, variance / mean", fallen->unevenness, 2);
    judge("share of the grains in walls", fallen->in_walls, 1e-9);
    if (control)
      checks.push_back(report(kCase, "as printed: share left hanging", fallen->hanging));
    else
      judge("share left hanging", fallen->hanging, 1e-4);
  }
  return checks;
}

}  // namespace firn
