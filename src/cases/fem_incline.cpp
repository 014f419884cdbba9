// A meshed block on a slope slides as Coulomb says or rests, at one step a frame; one that drops
// does not enter the floor.
#include <cmath>

#include "cases/fem_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_incline";
constexpr double kGravity = 9.81, kFrame = 1. / 24, kSide = 0.2;
const double kFriction = std::tan(15 * kDegree);

// Gravity stands askew instead of the floor. How far the block is at each frame, m.
std::vector<double> ways(double degrees, FrictionMethod method, double friction, int frames,
                         int cells, double& missed) {
  FemSettings settings = fem_settings(1e-3);
  settings.friction = method;
  FemRun<3> run(settings, {fem_block<3>({{kSide, kSide, kSide}}, kSide / cells, 1)},
                elastic_material<FixedCorotated>(1e6, 0.3), ColliderSet({fem_floor(friction)}));
  run.gravity[0].value = kGravity * std::sin(degrees * kDegree);
  run.gravity[1].value = -kGravity * std::cos(degrees * kDegree);
  std::vector<double> way = {0};
  for (int k = 0; k < frames; ++k) {
    missed += run.step(kFrame).solve.missed;
    way.push_back(run.mean_way([](const Vec3d&) { return true; })[0]);
  }
  return way;
}

// Of the second half of two seconds: how a block that is at one speed gains more.
double acceleration(double friction, int cells, double& missed) {
  const std::vector<double> x = ways(24, FrictionMethod::inside, friction, 48, cells, missed);
  const double early = (x[25] - x[23]) / (2 * kFrame), late = (x[48] - x[46]) / (2 * kFrame);
  return (late - early) / (23 * kFrame);
}

// Deepest that a vertex gets below the floor in a drop, edges.
double deepest(ObstacleMethod method, int order, double& missed) {
  FemSettings settings = fem_settings(1e-3);
  settings.methods = {method};
  constexpr double kEdge = 0.1;
  FemRun<3> run(settings, {fem_block<3>({{0.4, 0.4, 0.4}}, kEdge, order)},
                elastic_material<FixedCorotated>(1e5, 0.3), ColliderSet({fem_floor(0.3)}));
  run.start(
      [&](std::size_t i) {
        const Vec3d p = run.rest(i);  // on an edge
        const double c = std::sqrt(0.5);
        return Vec3d{{c * (p[0] - p[1]), c * (p[0] + p[1]) + 0.5, p[2]}};
      },
      [](std::size_t) { return Vec3d::zero(); });
  run.gravity[1].value = -kGravity;
  double least = 0;
  for (int k = 0; k < 48; ++k) {
    missed += run.step(kFrame).solve.missed;
    for (std::size_t i = 0; i < run.nodes(); ++i) least = std::min(least, run.place(i)[1]);
  }
  return std::abs(least) / kEdge;
}

}  // namespace

std::vector<Check> validate_fem_incline(const ValidateOptions& options) {
  constexpr double kTolerance = 0.02, kCreep = 1e-3, kDeep = 1e-6;
  constexpr int kFiveSeconds = 120;
  const int cells = options.fine ? 6 : 3;
  const double slope = 24 * kDegree;
  const double exact = kGravity * (std::sin(slope) - kFriction * std::cos(slope));
  double missed = 0, other = 0;
  std::vector<Check> checks;
  checks.push_back(relative_check(kCase, "acceleration on 24 degrees, m/s^2",
                                  acceleration(kFriction, cells, missed), exact, kTolerance));
  const auto creep = [&](FrictionMethod method, double& of) {
    return std::abs(ways(14, method, kFriction, kFiveSeconds, cells, of).back());
  };
  checks.push_back(limit_check(kCase, "way in 5 s on 14 degrees, m",
                               creep(FrictionMethod::inside, missed), kCreep));
  for (const int order : {1, 2})
    checks.push_back(
        limit_check(kCase, "a drop, deepest below the floor, edges, order " + std::to_string(order),
                    deepest(ObstacleMethod::constraint, order, missed), kDeep));
  checks.push_back(limit_check(kCase, "steps that missed", missed, 0.5));
  checks.push_back(must_fail(relative_check(kCase, "acceleration, friction of 16 degrees",
                                            acceleration(std::tan(16 * kDegree), cells, other),
                                            exact, kTolerance)));
  checks.push_back(must_fail(limit_check(kCase, "way in 5 s, friction after the solve, m",
                                         creep(FrictionMethod::afterwards, other), kCreep)));
  checks.push_back(must_fail(limit_check(kCase, "a drop, by penalty, edges",
                                         deepest(ObstacleMethod::penalty, 1, other), kDeep)));
  return checks;
}

}  // namespace firn
