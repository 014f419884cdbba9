// Meshed bodies that fly into each other, without anything else around: what they have together of
// momentum remains to the tolerance of steps.
#include <cmath>

#include "cases/fem_tools.h"
#include "geometry/stuffing_mesh.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_momentum";
constexpr double kRadius = 0.3, kSpeed = 4, kFrame = 1. / 24;
constexpr double kMet = 0.2;  // of one body's momentum, that the other takes

struct Collision {
  double change = 0;  // of momentum, over the sum of m |v| at the start
  double turn = 0;    // of angular momentum about the middle, over m |v| R
  double bounce = 0;  // of one body's momentum: they did meet
  double missed = 0;
};

Collision collide(double tolerance, double friction, double gravity) {
  FemSettings settings = fem_settings(tolerance);
  settings.self_collision = true;
  settings.self_friction = friction;
  std::vector<FemBody<3>> bodies;
  for (const double side : {-1.0, 1.0}) {
    Shape ball;
    ball.kind = ShapeKind::ball;
    ball.size = {{kRadius, 0, 0}};
    ball.center = {{side * 0.36, side * 0.1, 0}};
    FemBody<3> body = fem_body_of<3>(*stuffing_mesh<3>(ball, 0.12), 1);
    body.first_id = bodies.empty() ? 0 : bodies.front().rest.size();
    bodies.push_back(std::move(body));
  }
  FemRun<3> run(settings, std::move(bodies), elastic_material<FixedCorotated>(1e5, 0.3));
  run.start([&](std::size_t i) { return run.rest(i); },
            [&](std::size_t i) {
              return Vec3d{{run.rest(i)[0] < 0 ? kSpeed : -kSpeed / 2, 0, 0}};
            });
  run.gravity[1].value = gravity;
  const auto turning = [&] {
    Vec3d sum = Vec3d::zero();
    for (std::size_t i = 0; i < run.nodes(); ++i)
      sum += cross(run.place(i), run.velocity(i)) * run.mass(i);
    return sum;
  };
  const auto left = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < run.nodes(); ++i)
      if (run.rest(i)[0] < 0) sum += run.mass(i) * run.velocity(i)[0];
    return sum;
  };
  double scale = 0;
  for (std::size_t i = 0; i < run.nodes(); ++i) scale += run.mass(i) * std::abs(run.velocity(i)[0]);
  const Vec3d before = run.momentum(), spin = turning();
  const double own = left();
  Collision found;
  for (int k = 0; k < 24; ++k) found.missed += run.step(kFrame).solve.missed;
  const Vec3d off = run.momentum() - before, twist = turning() - spin;
  found.change = std::sqrt(dot(off, off)) / scale;
  found.turn = std::sqrt(dot(twist, twist)) / (scale * kRadius);
  found.bounce = std::abs(left() - own) / own;
  return found;
}

}  // namespace

std::vector<Check> validate_fem_momentum(const ValidateOptions&) {
  std::vector<Check> checks;
  for (const double friction : {0.0, 0.3})
    for (const double tolerance : {1e-3, 1e-6}) {
      const Collision found = collide(tolerance, friction, 0);
      const std::string at =
          ", friction " + short_number(friction) + ", tolerance " + short_number(tolerance);
      checks.push_back(
          limit_check(kCase, "change of momentum / sum of m v" + at, found.change, tolerance));
      checks.push_back(Check{kCase, "change of one body's momentum" + at, found.bounce, kMet,
                             found.bounce, kMet, found.bounce >= kMet});
      checks.push_back(limit_check(kCase, "steps that missed" + at, found.missed, 0.5));
      checks.push_back(report(kCase, "change of angular momentum / m v R" + at, found.turn));
    }
  checks.push_back(must_fail(limit_check(kCase, "change of momentum, gravity of 0.1 m/s^2",
                                         collide(1e-3, 0, -0.1).change, 1e-3)));
  return checks;
}

}  // namespace firn
