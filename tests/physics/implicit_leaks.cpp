// Nothing passes a wall in implicit steps either, of less than a cell or of several: snow shot
// about inside closed vessels, one grid cell thick, at rest and tumbling.
#include <cmath>

#include "cases/implicit_tools.h"
#include "world_run.h"

namespace firn {
namespace {

constexpr double kCell = 0.02, kSpeed = 20, kTurn = 400;  // m, m/s, degrees/s
constexpr double kApart = 0.4;                            // m, from vessel to vessel
constexpr int kSteps = 6;

// A solid, and its hollow a cell smaller all around.
struct Vessel {
  ShapeSettings solid, hollow;
  double (*beyond)(const Vec3d& x);  // m that a point is outside of the hollow
};

ShapeSettings box(double half) {
  ShapeSettings shape;
  shape.kind = ShapeType::box;
  shape.size = {{2 * half, 2 * half, 2 * half}};
  return shape;
}
ShapeSettings ball(double radius) {
  ShapeSettings shape;
  shape.kind = ShapeType::ball;
  shape.radius = radius;
  return shape;
}
ShapeSettings cylinder(double radius) {
  ShapeSettings shape;
  shape.kind = ShapeType::cylinder;
  shape.radius = radius;
  shape.height = 2 * radius;
  return shape;
}

constexpr double kRoom = 0.09;  // m, half the width of hollows

std::vector<Vessel> vessels(int dimension) {
  const auto beyond_box = [](const Vec3d& x) {
    return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}) - kRoom;
  };
  const auto beyond_ball = [](const Vec3d& x) { return std::sqrt(dot(x, x)) - kRoom; };
  const auto beyond_cylinder = [](const Vec3d& x) {
    return std::max(std::hypot(x[0], x[2]) - kRoom, std::abs(x[1]) - kRoom);
  };
  std::vector<Vessel> all = {{box(kRoom + kCell), box(kRoom), beyond_box},
                             {ball(kRoom + kCell), ball(kRoom), beyond_ball}};
  if (dimension == 3) all.push_back({cylinder(kRoom + kCell), cylinder(kRoom), beyond_cylinder});
  return all;
}

struct Leak {
  IntegratorKind kind = IntegratorKind::optimization;
  double cfl = 0.6;
  bool tumbling = false;
  int dimension = 2;
};

SceneSettings leak_scene(const Leak& leak) {
  SceneSettings scene = case_scene(leak.dimension, kCell, 100);
  scene.integrator.kind = leak.kind;
  scene.integrator.implicit_cfl = leak.cfl;
  Snow::Parameters snow;
  snow.youngs_modulus = 5e3;
  const int material = add_material(scene, snow);
  int number = 0;
  for (const Vessel& vessel : vessels(leak.dimension)) {
    const Vec3d center{{kApart * number++, 0, 0}};
    ObjectSettings& inside = scene.objects.emplace_back();
    inside.material = material;
    inside.density = 400;
    inside.shape = vessel.hollow;
    inside.shape.center = center;
    const auto flies = [](const char* noise) {
      return NumberOrExpression(0, short_number(kSpeed) + noise);
    };
    inside.velocity = {
        {flies("*noise(9*x,9*y,9*z)"), flies("*noise(9*y,9*z,9*x+5)"),
         leak.dimension == 3 ? flies("*noise(9*z,9*x+7,9*y)") : NumberOrExpression(0)}};
    ColliderSettings& wall = scene.colliders.emplace_back();
    wall.friction.value = 0.2;
    wall.shape.kind = ShapeType::difference;
    for (ShapeSettings part : {vessel.solid, vessel.hollow}) {
      part.center = center;
      wall.shape.parts.emplace_back(part);
    }
    if (!leak.tumbling) continue;
    wall.motion.emplace();
    wall.motion->pivot = center;
    wall.motion->rotation[2] = {0, short_number(kTurn) + "*t"};
  }
  return scene;
}

// Particles beyond the hollow of their vessel after some steps.
void expect_no_leak(const Leak& leak) {
  SCOPED_TRACE("integrator " + std::to_string(int(leak.kind)) + ", cfl " + short_number(leak.cfl) +
               (leak.tumbling ? ", tumbling" : "") + ", " + std::to_string(leak.dimension) + "D");
  auto made = World::create(leak_scene(leak), Precision::single);
  ASSERT_TRUE(made.ok()) << made.errors().front();
  World& world = **made;
  double farthest = 0;
  for (int step = 0; step < kSteps; ++step) {
    const auto dt = world.advance_step();
    ASSERT_TRUE(dt.ok()) << dt.errors().front();
    farthest = std::max(farthest, *dt * world.statistics().max_speed / kCell);
  }
  EXPECT_GT(farthest, 0.5 * leak.cfl);
  const double angle = leak.tumbling ? kTurn * world.time() * kPi / 180 : 0;
  const double c = std::cos(angle), s = std::sin(angle);
  const PointTable table = world.snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  const std::vector<Vessel> all = vessels(leak.dimension);
  int escaped = 0;
  double worst = -1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto k = std::clamp(std::lround(x[i] / kApart), 0l, long(all.size()) - 1);
    const double dx = x[i] - kApart * double(k);
    const double out = all[k].beyond({{c * dx + s * y[i], c * y[i] - s * dx, z[i]}});
    worst = std::max(worst, out / kCell);
    escaped += !(out < 0.02 * kCell);
  }
  EXPECT_EQ(escaped, 0) << "of " << x.size() << ", the farthest by " << worst << " cells";
  EXPECT_GT(worst, -0.1);  // some are at the walls
}

void expect_no_leaks(IntegratorKind kind) {
  for (const bool tumbling : {false, true}) {
    expect_no_leak({kind, 0.6, tumbling, 2});
    expect_no_leak({kind, 4, tumbling, 2});
    expect_no_leak({kind, 0.6, tumbling, 3});
  }
}

TEST(ImplicitLeaks, Optimization) {
  expect_no_leaks(IntegratorKind::optimization);
  expect_no_leak({IntegratorKind::optimization, 2, true, 3});
}
TEST(ImplicitLeaks, SemiImplicit) {
  expect_no_leaks(IntegratorKind::semi_implicit);
}

}  // namespace
}  // namespace firn
