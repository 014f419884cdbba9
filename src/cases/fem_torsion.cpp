// A square bar twisted by its ends: the torque a twist per length needs is 0.1406 G a^4, measured
// between two sections that the held ends do not reach.
#include <cmath>

#include "cases/fem_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_torsion";
constexpr double kModulus = 1e6, kPoisson = 0.3, kSide = 1, kLength = 6, kTwist = 0.6,  // degrees
    kStep = 2;  // s, of two periods
constexpr double kConstant = 0.1406;

// How far a section has turned about the bar's axis, which is x.
double turned(const FemRun<3>& run, double at) {
  double turn = 0, weight = 0;
  for (std::size_t i = 0; i < run.nodes(); ++i) {
    const Vec3d p = run.rest(i);
    if (std::abs(p[0] - at) > 1e-6) continue;
    const Vec3d u = run.place(i) - p;
    const double y = p[1] - 0.5 * kSide, z = p[2] - 0.5 * kSide;
    turn += y * u[2] - z * u[1];
    weight += y * y + z * z;
  }
  return turn / weight;
}

// Torque over G a^4 and the twist per length.
double torsion_constant(int cells, int order, double& missed) {
  Collider left = fem_pin({{-1, 0, 0}}, {{1e-6, kSide, kSide}}, 0);
  Collider right = fem_pin({{kLength - 1e-6, 0, 0}}, {{kLength + 1, kSide, kSide}}, 1);
  for (Collider* pin : {&left, &right})
    for (int a = 1; a < 3; ++a) pin->shape.size[a] += 0.1;
  KeyPose turn;
  turn.time = kStep;
  turn.rotation = {{kTwist, 0, 0}};
  auto motion = std::make_shared<BodyMotion>(*fem_motion({}, turn));
  motion->pivot = {{0, 0.5 * kSide, 0.5 * kSide}};
  ColliderSet pins;
  pins.add(left, nullptr, nullptr);
  right.moves = true;
  pins.add(right, motion, nullptr);
  FemRun<3> run(fem_settings(1e-3), {fem_block<3>({{kLength, kSide, kSide}}, kSide / cells, order)},
                elastic_material<FixedCorotated>(kModulus, kPoisson), std::move(pins));
  for (int k = 0; k < 4; ++k) missed += run.step(kStep).solve.missed;
  const double rate = (turned(run, 4) - turned(run, 2)) / 2;
  const double shear = kModulus / (2 * (1 + kPoisson));
  return std::abs(run.torque_on(0)[0]) / (shear * std::pow(kSide, 4) * rate);
}

}  // namespace

std::vector<Check> validate_fem_torsion(const ValidateOptions& options) {
  constexpr double kTolerance = 0.02;
  double missed = 0;
  const int cells = options.fine ? 8 : 4;
  const std::string quantity = "torque / (G a^4 twist per length), quadratic, cells a side: ";
  std::vector<Check> checks;
  checks.push_back(relative_check(kCase, quantity + std::to_string(cells),
                                  torsion_constant(cells, 2, missed), kConstant, kTolerance));
  const double linear = torsion_constant(4, 1, missed);
  checks.push_back(limit_check(kCase, "steps that missed", missed, 0.5));
  checks.push_back(must_fail(relative_check(kCase, "torque / (G a^4 twist per length), linear",
                                            linear, kConstant, kTolerance)));
  return checks;
}

}  // namespace firn
