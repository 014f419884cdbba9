// Hertz: a ball pressed on a smooth plane, F = 4 E* a^3 / (3 R) for a contact of radius a. A
// quarter of the ball around the contact, its cells fine there and coarser with the distance, on
// planes of symmetry, pressed down by the core, which is held.
#include <cmath>

#include "cases/fem_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_hertz";
constexpr double kModulus = 1e6, kPoissonRatio = 0.3, kRadius = 1, kContact = 0.1;
// Of the least motion that counts, a thousandth of an edge: a three thousandth of the force.
constexpr double kTolerance = 0.3;
constexpr double kGrowth = 1.25;  // from one cell to the next

// 0, then `even` cells of `edge`, then ever larger ones up to `end`.
std::vector<double> graded(double edge, int even, double end) {
  std::vector<double> at = {0};
  double size = edge;
  while (at.back() < end) {
    if (static_cast<int>(at.size()) > even) size *= kGrowth;
    at.push_back(at.back() + size);
  }
  return at;
}

struct BallContact {
  double radius = 0;  // m, of the circle of the same area
  double force = 0;   // N, of the whole ball
  double approach = 0, missed = 0;
};

// `across`: edges that the contact radius is meant to have.
BallContact press(double approach, double across) {
  const double edge = kContact / across;
  const auto side = graded(edge, int(1.2 * across), 0.5),
             deep = graded(edge, int(0.6 * across), 0.55);
  FemBody<3> body = fem_block<3>(
      {{double(side.size() - 1), double(deep.size() - 1), double(side.size() - 1)}}, 1, 1);
  const double core = kRadius - deep.back();
  std::vector<std::array<std::size_t, 3>> number;
  for (Vec3d& p : body.rest) {
    std::array<std::size_t, 3> at;
    for (std::size_t a = 0; a < 3; ++a) at[a] = static_cast<std::size_t>(std::lround(p[int(a)]));
    number.push_back(at);
    const Vec3d out{{side[at[0]], -1, side[at[2]]}};
    p = Vec3d{{0, kRadius, 0}} + out * ((kRadius - deep[at[1]]) / std::sqrt(dot(out, out)));
  }

  constexpr double kStep = 0.2;  // s, of some periods
  Collider held;
  held.contact = ContactKind::pin;
  held.shape.kind = ShapeKind::ball;
  held.shape.center = {{0, kRadius, 0}};
  held.shape.size = {{core * (1 + 1e-6), 0, 0}};
  held.owner = 1;
  held.moves = true;
  KeyPose down;
  down.time = 2 * kStep;
  down.translation = {{0, -approach, 0}};
  ColliderSet around({fem_floor(0, 0)});
  around.add(held, fem_motion({}, down), nullptr);
  for (const int axis : {0, 2}) {
    Collider mirror = fem_floor(0, 2);
    mirror.contact = ContactKind::slip;
    mirror.shape.rotation =
        rotation_from_degrees(axis == 0 ? Vec3d{{0, 0, -90}} : Vec3d{{90, 0, 0}});
    around.add(mirror, nullptr, nullptr);
  }
  FemRun<3> run(fem_settings(kTolerance), {body},
                elastic_material<FixedCorotated>(kModulus, kPoissonRatio), std::move(around));
  BallContact found;
  for (int k = 0; k < 4; ++k) found.missed += run.step(kStep).solve.missed;

  double area = 0;
  for (std::size_t i = 0; i < run.nodes(); ++i) {
    const std::array<std::size_t, 3>& at = number[run.solver.model().id[i]];
    if (at[1] > 0 || run.place(i)[1] > 1e-9) continue;
    const auto width = [&](std::size_t k) {
      return 0.5 * (side[k + 1] - (k > 0 ? side[k - 1] : 0)) * kRadius;
    };
    area += width(at[0]) * width(at[2]);
  }
  found.radius = std::sqrt(4 * area / kPi);
  found.force = -4 * run.force_on(0)[1];
  found.approach = approach;
  return found;
}

double hertz_force(double modulus, double radius) {
  return 4. / 3 * modulus / (1 - kPoissonRatio * kPoissonRatio) * std::pow(radius, 3) / kRadius;
}

}  // namespace

std::vector<Check> validate_fem_hertz(const ValidateOptions& options) {
  constexpr double kOff = 0.1;
  const double across = options.fine ? 16 : 12;
  std::vector<Check> checks;
  double missed = 0;
  BallContact last;
  for (const double share : {0.8, 1.0}) {
    last = press(share * share * kContact * kContact / kRadius, across);
    missed += last.missed;
    const std::string at = ", approach " + short_number(last.approach) + " m";
    const double edges = last.radius * across / kContact;
    checks.push_back(Check{kCase, "radius of contact, edges" + at, edges, 8, edges, 8, edges >= 8});
    checks.push_back(relative_check(kCase, "force, N" + at, last.force,
                                    hertz_force(kModulus, last.radius), kOff));
    checks.push_back(report(kCase, "approach R / a^2" + at,
                            last.approach * kRadius / (last.radius * last.radius), 1));
  }
  checks.push_back(limit_check(kCase, "steps that missed", missed, 0.5));
  checks.push_back(must_fail(relative_check(kCase, "force, by a modulus of 1.25 E", last.force,
                                            hertz_force(1.25 * kModulus, last.radius), kOff)));
  return checks;
}

}  // namespace firn
