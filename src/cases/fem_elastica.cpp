// A cantilever twenty times as long as high, bent far by a force at its end that keeps its
// direction: the elastica.
#include <cmath>
#include <cstdio>

#include "cases/fem_tools.h"
#include "expr/parser.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_elastica";
constexpr double kModulus = 1e8, kLength = 20;  // heights
constexpr double kStep = 10;                    // s, of some ten periods
constexpr int kRamp = 8, kRest = 3;

struct TipWay {
  double down = 0, back = 0;  // over the length
  double load = 0;            // what the wall got over the force meant
  double missed = 0;
};

// The end face where it is: a force on its nodes is gravity that acts on them alone.
struct EndFace {
  explicit EndFace(const FemRun<2>& run) {
    for (std::size_t i = 0; i < run.nodes(); ++i) {
      if (run.rest(i)[0] < kLength - 1e-6) continue;
      if (run.rest(i)[1] > 1 - 1e-6) top = run.place(i);
      if (run.rest(i)[1] < 1e-6) bottom = run.place(i);
      mass += run.mass(i);
    }
    middle = (top + bottom) * 0.5;
  }
  // f where x is on the face, 0 elsewhere.
  VaryingValue gravity(double f, double behind) const {
    const Vec2d along = top - bottom;
    const double length = std::sqrt(dot(along, along));
    const Vec2d out{{along[1] / length, -along[0] / length}};
    char text[200];
    std::snprintf(text, sizeof text,
                  "(%.17g) * ((x - (%.17g)) * (%.17g) + (y - (%.17g)) * (%.17g) > %.17g)", f,
                  middle[0], out[0], middle[1], out[1], -behind);
    VaryingValue value;
    value.has_program = true;
    value.program = *parse_expression(text, {"x", "y", "z", "t"});
    return value;
  }
  Vec2d top = Vec2d::zero(), bottom = Vec2d::zero(), middle = Vec2d::zero();
  double mass = 0;
};

// Under P L^2 / (E I) = `load`.
TipWay elastica(double load, int cells, int order) {
  const double force = load * kModulus / 12 / (kLength * kLength);
  const Collider wall = fem_pin({{-1, -1, -1}}, {{1e-6, 2, 1}});
  Collider flat = wall;
  flat.shape.dimension = 2;
  FemRun<2> run(fem_settings(1e-7), {fem_block<2>({{kLength, 1}}, 1. / cells, order)},
                elastic_material<FixedCorotated>(kModulus, 0), ColliderSet({flat}));
  TipWay tip;
  const double full = load > 2 ? kRamp : kRamp / 2;
  for (int k = 1; k <= full + kRest; ++k) {
    const EndFace face(run);
    const double share = std::min(1.0, k / full);
    run.gravity[1] = face.gravity(-share * force / face.mass, 0.1 / cells);
    tip.missed += run.step(kStep).solve.missed;
  }
  const EndFace face(run);
  tip.down = (0.5 - face.middle[1]) / kLength;
  tip.back = (kLength - face.middle[0]) / kLength;
  tip.load = -run.force_on(0)[1] / force;
  return tip;
}

}  // namespace

std::vector<Check> validate_fem_elastica(const ValidateOptions& options) {
  constexpr double kTolerance = 0.01;
  struct Known {
    double load, down, back;
  };
  constexpr Known kKnown[] = {
      {1, 0.3017, 0.0564}, {2, 0.4935, 0.1606}, {5, 0.7138, 0.3876}, {10, 0.8106, 0.5550}};
  const int cells = options.fine ? 4 : 2;
  std::vector<Check> checks;
  double missed = 0, carried = 0;
  for (const Known& known : kKnown) {
    const TipWay tip = elastica(known.load, cells, 2);
    const std::string at = " / L, P L^2/(E I) = " + short_number(known.load);
    checks.push_back(relative_check(kCase, "tip down" + at, tip.down, known.down, kTolerance));
    checks.push_back(relative_check(kCase, "tip back" + at, tip.back, known.back, kTolerance));
    missed += tip.missed;
    carried = std::max(carried, std::abs(tip.load - 1));
  }
  checks.push_back(limit_check(kCase, "load of the wall, off by", carried, 1e-4));
  checks.push_back(limit_check(kCase, "steps that missed", missed, 0.5));
  const TipWay linear = elastica(2, cells, 1);
  checks.push_back(must_fail(
      relative_check(kCase, "tip down / L, 2, linear cells", linear.down, 0.4935, kTolerance)));
  // What small deflections would give.
  checks.push_back(must_fail(
      relative_check(kCase, "tip down / L, 1, straight beam", 1. / 3, 0.3017, kTolerance)));
  return checks;
}

}  // namespace firn
