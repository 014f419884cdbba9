// Purely cohesive ground, friction angle 0, in plane strain. A strip footing sinks in at
// (2 + pi) c (Prandtl), whatever the weight of the ground; a vertical cut stands up to a height of
// 3.77 to 3.83 c / (rho g).
#include <algorithm>
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "footing";
constexpr double kGravity = 9.81, kDensity = 1600;
constexpr double kCohesion = 1000;  // Pa, Coulomb's

// The model's cohesion is |dev tau| at yield, which in plane strain is sqrt(2) times the shear.
Sand::Parameters clay(double cohesion, double youngs_modulus) {
  Sand::Parameters p;
  p.friction_angle = 0;
  p.cohesion = std::sqrt(2.0) * cohesion;
  p.youngs_modulus = youngs_modulus;
  return p;
}

struct Footing {
  int cells = 20;  // in its width
  double cohesion = kCohesion;
  double seconds = 3;
  double sinks = 0.06;  // over its width
};

// Half of it, beside a plane of symmetry. The slip lines of the solution end 1.5 widths from the
// middle, and reach 0.71 widths down. Weightless: weight has no part in it.
SceneSettings footing_scene(const Footing& footing) {
  constexpr double kWidth = 1, kSide = 2.25 * kWidth, kDepth = 1.25 * kWidth, kFps = 50;
  const double h = kWidth / footing.cells;
  SceneSettings scene = case_scene(2, h, kFps);
  add_box(scene, add_material(scene, clay(footing.cohesion, 400 * kCohesion)), kDensity,
          {{0, -kDepth, 0}}, {{kSide, 0, 0}});
  add_plane(scene, {{0, -kDepth, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::slip);
  add_plane(scene, {{kSide, 0, 0}}, {{-1, 0, 0}}, ContactKind::slip);
  ColliderSettings& block = scene.colliders.emplace_back();
  block.name = "footing";
  block.contact = ContactKind::separate;
  block.shape.kind = ShapeType::box;
  block.shape.size = {{kWidth, 0.5 * kWidth, 1}};
  block.shape.center = {{0, 0.25 * kWidth, 0}};
  block.motion.emplace();
  block.motion->translation[1] = {0,
                                  short_number(-footing.sinks * kWidth / footing.seconds) + " * t"};
  return scene;
}

// Pressure under it over the cohesion of the reference: mean over the last fifth.
Result<double> bearing(const Footing& footing) {
  const SceneSettings scene = footing_scene(footing);
  const auto frames = static_cast<std::int64_t>(std::lround(footing.seconds * scene.fps));
  double sum = 0, count = 0;
  const auto record = [&](const World& world) {
    const FrameStats stats = world.statistics();
    if (stats.colliders.size() < 4) return;
    if (5 * world.frame() <= 4 * frames) return;
    sum += stats.colliders[3].force[1] / (0.5 * kCohesion);
    count += 1;
  };
  const auto world = run_scene(scene, Precision::double_, frames, record);
  if (!world) return world.errors();
  return sum / count;
}

// A cut of height H in ground of cohesion rho g H / number; how far its crest sinks, over H.
Result<double> cut_settlement(double number, int cells) {
  constexpr double kHeight = 0.5, kOnset = 1, kSeconds = 2, kFps = 20;
  const double h = kHeight / cells, width = 2 * kHeight;
  SceneSettings scene = case_scene(2, h, kFps);
  scene.gravity = {{0, -kGravity, 0}};
  const double weight = kDensity * kGravity * kHeight;
  add_box(scene, add_material(scene, clay(weight / number, 100 * weight)), kDensity, {{0, 0, 0}},
          {{width, kHeight, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::slip);
  auto world = World::create(scene, Precision::double_);
  if (!world) return world.errors();
  (*world)->set_body_force([](const Vec3d&, double t) {
    return Vec3d{{0, std::max(kGravity * (1 - t / kOnset), 0.0), 0}};
  });
  const PointTable start = (*world)->snapshot({});
  const auto x0 = start.as_double("x"), y0 = start.as_double("y");
  double settled = 0;
  const auto measure = [&](const World& now) {
    const auto y = now.snapshot({}).as_double("y");
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (x0[i] > width - 2 * h && y0[i] > kHeight - 2 * h) {
        sum += y0[i] - y[i];
        count += 1;
      }
    settled = sum / count / kHeight;
  };
  Errors errors = run_frames(**world, std::lround(kSeconds * kFps), measure);
  if (!errors.empty()) return errors;
  return settled;
}

}  // namespace

std::vector<Check> validate_footing(const ValidateOptions& options) {
  const auto judge_footing = [&](double cohesion, const std::string& name) {
    Footing footing;
    footing.cells = options.fine ? 40 : 20;
    footing.cohesion = cohesion;
    const Result<double> pressure = bearing(footing);
    if (!pressure) return failed_run(kCase, pressure.errors());
    return relative_check(kCase, "pressure / cohesion" + name, *pressure, 2 + kPi, 0.1);
  };
  // Elastically the crest sinks by 0.007 of the height. What falls comes to rest once it is as low
  // as the ground can bear: at 4.2 it sinks by 1 - 3.83 / 4.2 = 0.088, and must by half of that.
  constexpr double kStands = 0.015, kCritical = 3.83, kFalls = 0.5 * (1 - kCritical / 4.2);
  const int cells = options.fine ? 50 : 30;
  const std::string crest = "settlement of the crest / height, rho g H / c = ";
  const Result<double> low = cut_settlement(3.5, cells), high = cut_settlement(4.2, cells);
  if (!low) return {failed_run(kCase, low.errors())};
  if (!high) return {failed_run(kCase, high.errors())};
  std::vector<Check> checks = {
      judge_footing(kCohesion, ""), limit_check(kCase, crest + "3.5: stands", *low, kStands),
      at_least_check(kCase, crest + "4.2: falls", *high, kFalls),
      must_fail(limit_check(kCase, crest + "4.2: stands", *high, kStands)),
      must_fail(at_least_check(kCase, crest + "3.5: falls", *low, kFalls))};
  const Check control = judge_footing(1.25 * kCohesion, ", ground a quarter stronger");
  checks.push_back(control.tolerance > 0 ? must_fail(control) : control);
  return checks;
}

}  // namespace firn
