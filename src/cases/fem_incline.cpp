// A meshed block on a slope, an obstacle's or a meshed slab's, slides as Coulomb says or rests, at
// one step a frame; one that drops does not enter the floor.
#include <cmath>

#include "cases/fem_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_incline";
constexpr double kGravity = 9.81, kFrame = 1. / 24, kSide = 0.2, kSlabLength = 4;
const double kFriction = std::tan(15 * kDegree);

struct Slope {
  double degrees = 14;
  FrictionMethod method = FrictionMethod::inside;
  double friction = kFriction;
  int cells = 3;      // along a side of the block
  bool slab = false;  // a body of cells instead of an obstacle
};

// Long enough for a block that slides for two seconds.
FemBody<3> slab_of(double edge) {
  FemBody<3> slab = fem_block<3>({{kSlabLength, edge, kSide + 2 * edge}}, edge, 1);
  for (Vec3d& x : slab.rest) x += Vec3d{{-2 * edge, -edge, -edge}};
  return slab;
}

// Gravity stands askew instead of the floor. How far the block is at each frame, m.
std::vector<double> ways(const Slope& slope, int frames, double& missed) {
  const double edge = kSide / slope.cells;
  FemSettings settings = fem_settings(1e-3);
  settings.friction = slope.method;
  std::vector<FemBody<3>> bodies = {fem_block<3>({{kSide, kSide, kSide}}, edge, 1)};
  const std::size_t of_block = bodies[0].rest.size();
  ColliderSet obstacles({fem_floor(slope.friction)});
  if (slope.slab) {
    bodies.push_back(slab_of(edge));
    bodies.back().first_id = of_block;
    settings.self_collision = true;
    settings.self_friction = slope.friction;
    obstacles = ColliderSet({fem_pin({{-10, -10, -10}}, {{10, -0.9 * edge, 10}})});
  }
  FemRun<3> run(settings, std::move(bodies), elastic_material<FixedCorotated>(1e6, 0.3),
                std::move(obstacles));
  run.gravity[0].value = kGravity * std::sin(slope.degrees * kDegree);
  run.gravity[1].value = -kGravity * std::cos(slope.degrees * kDegree);
  const auto is_block = [](const Vec3d& rest) { return rest[1] > 1e-9; };
  std::vector<double> way = {0};
  for (int k = 0; k < frames; ++k) {
    missed += run.step(kFrame).solve.missed;
    way.push_back(run.mean_way(is_block)[0]);
  }
  return way;
}

// Of the second half of two seconds: how a block that is at one speed gains more.
double acceleration(const Slope& slope, double& missed) {
  const std::vector<double> x = ways(slope, 48, missed);
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
  Slope rest, steep;
  rest.cells = steep.cells = options.fine ? 6 : 3;
  steep.degrees = 24;
  const double exact = kGravity * (std::sin(24 * kDegree) - kFriction * std::cos(24 * kDegree));
  double missed = 0, other = 0;
  std::vector<Check> checks;
  const auto creep = [&](const Slope& slope, double& of) {
    return std::abs(ways(slope, kFiveSeconds, of).back());
  };
  for (const bool slab : {false, true}) {
    const std::string on = slab ? ", on a meshed slab" : "";
    rest.slab = steep.slab = slab;
    options.progress("slopes" + on);
    checks.push_back(relative_check(kCase, "acceleration on 24 degrees, m/s^2" + on,
                                    acceleration(steep, missed), exact, kTolerance));
    checks.push_back(
        limit_check(kCase, "way in 5 s on 14 degrees, m" + on, creep(rest, missed), kCreep));
    Slope rougher = steep, afterwards = rest;
    rougher.friction = std::tan(16 * kDegree);
    afterwards.method = FrictionMethod::afterwards;
    checks.push_back(must_fail(relative_check(kCase, "acceleration, friction of 16 degrees" + on,
                                              acceleration(rougher, other), exact, kTolerance)));
    checks.push_back(must_fail(limit_check(kCase, "way in 5 s, friction after the solve, m" + on,
                                           creep(afterwards, other), kCreep)));
  }
  for (const int order : {1, 2})
    checks.push_back(
        limit_check(kCase, "a drop, deepest below the floor, edges, order " + std::to_string(order),
                    deepest(ObstacleMethod::constraint, order, missed), kDeep));
  checks.push_back(limit_check(kCase, "steps that missed", missed, 0.5));
  checks.push_back(must_fail(limit_check(kCase, "a drop, by penalty, edges",
                                         deepest(ObstacleMethod::penalty, 1, other), kDeep)));
  return checks;
}

}  // namespace firn
