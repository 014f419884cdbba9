// Coulomb incline: a stiff block slides down a plane of 24 degrees with friction tan(15 degrees).
// Once with the plane along the grid and gravity tilted, once with the plane itself tilted.
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "incline";
constexpr double kSlope = 24 * kDegree;
constexpr double kGravity = 9.81;
const double kFriction = std::tan(15 * kDegree);
constexpr double kSeconds = 1;
constexpr double kFps = 20;

struct Block {
  double width = 0.8, height = 0.2;  // m
  double modulus = 5e6;              // Pa
};

// The plane descends along +x. `turn` is the angle of the plane with the grid; gravity makes up the
// rest of the slope. The block's lowest particles start half their spacing above the plane.
SceneSettings incline_scene(double spacing, double turn, double friction, const Block& size) {
  SceneSettings scene = case_scene(2, spacing, kFps);
  const double rest = kSlope - turn;
  scene.gravity = {{kGravity * std::sin(rest), -kGravity * std::cos(rest), 0}};
  const int stiff = add_material(scene, elastic_material<NeoHookean>(size.modulus, 0));
  const Vec3d down{{std::cos(turn), -std::sin(turn), 0}},
      normal{{std::sin(turn), std::cos(turn), 0}};
  ObjectSettings& block = add_box(scene, stiff, 1000, {{0, 0, 0}}, {{size.width, size.height, 0}});
  block.shape.center = down * (0.5 * size.width) + normal * (0.5 * size.height);
  block.shape.rotation = {{0, 0, -turn / kDegree}};
  add_plane(scene, {{0, 0, 0}}, normal, ContactKind::separate, friction);
  return scene;
}

// Distance that the centre of mass travelled down the plane.
Result<double> slide(const SceneSettings& scene, double turn) {
  double start = 0, now = 0;
  const auto record = [&](const World& world) {
    const PointTable table = world.snapshot({});
    const auto x = table.as_double("x"), y = table.as_double("y");
    now = 0;
    for (std::size_t i = 0; i < table.count; ++i)
      now += (x[i] * std::cos(turn) - y[i] * std::sin(turn)) / static_cast<double>(table.count);
    if (world.frame() == 0) start = now;
  };
  const auto world = run_scene(scene, Precision::double_,
                               static_cast<std::int64_t>(std::lround(kSeconds * kFps)), record);
  if (!world) return world.errors();
  return now - start;
}

}  // namespace

std::vector<Check> validate_incline(const ValidateOptions& options) {
  const double spacing = options.fine ? 0.025 : 0.05;
  const double exact =
      0.5 * kGravity * kSeconds * kSeconds * (std::sin(kSlope) - kFriction * std::cos(kSlope));
  const auto judge = [&](double turn, double friction, const std::string& name,
                         const Block& block = {}) {
    const Result<double> distance = slide(incline_scene(spacing, turn, friction, block), turn);
    if (!distance) return failed_run(kCase, distance.errors());
    return relative_check(kCase, "distance after 1 s, m, " + name, *distance, exact, 0.02);
  };
  const Check control = judge(kSlope, std::tan(16 * kDegree), "friction of 16 degrees, tilted");
  // The reference is a rigid block. How far a softer, taller one is from that is not judged.
  const Check soft =
      judge(kSlope, kFriction, "softer block of 1 x 0.4, E 2e6, tilted", {1, 0.4, 2e6});
  return {judge(0, kFriction, "plane along the grid"),
          judge(kSlope, kFriction, "plane tilted by 24 degrees"),
          report(kCase, soft.quantity, soft.measured, soft.reference), must_fail(control)};
}

}  // namespace firn
