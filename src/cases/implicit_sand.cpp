// Wedges of sand in implicit steps: below the angle of friction they stand, above it they flow, and
// nowhere is there tension.
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_sand";
// As in repose.cpp: displacements of the surface over the length of the base.
constexpr double kSettles = 0.02, kCreeps = 0.001, kFlows = 0.04;
constexpr double kMargin = 4;   // degrees: the grid is coarser than that of repose.cpp
constexpr double kTension = 1;  // Pa: the lowest layer bears some thousands

SandWedge wedge_of(const ValidateOptions& options, double angle, double slope) {
  SandWedge wedge;
  wedge.friction_angle = angle;
  wedge.slope = slope;
  wedge.cells = options.fine ? 40 : 20;
  wedge.integrator.kind = IntegratorKind::newton;
  wedge.integrator.implicit_max_dt = 1.0 / 240;
  return wedge;
}

std::vector<Check> judge_standing(const SandWedge& wedge, const std::string& name) {
  const Result<WedgeMotion> motion = watch_wedge(wedge);
  if (!motion) return {failed_run(kCase, motion.errors())};
  return {limit_check(kCase, "stands: displacement in 5 s, " + name, motion->end, kSettles),
          limit_check(kCase, "stands: creep from 1 s to 5 s, " + name, motion->creep(), kCreeps),
          limit_check(kCase, "mean tension, Pa, " + name, motion->tension, kTension),
          limit_check(kCase, "steps that missed their tolerance, " + name, motion->missed, 0.5)};
}

}  // namespace

std::vector<Check> validate_implicit_sand(const ValidateOptions& options) {
  std::vector<Check> checks;
  for (const double angle : {25.0, 35.0}) {
    const std::string name = "friction " + short_number(angle) + ", slope ";
    for (Check& check : judge_standing(wedge_of(options, angle, angle - kMargin),
                                       name + short_number(angle - kMargin)))
      checks.push_back(std::move(check));
    options.progress(name + short_number(angle - kMargin));
    SandWedge steep = wedge_of(options, angle, angle + kMargin);
    steep.enough = 1.5 * kFlows;
    const Result<WedgeMotion> motion = watch_wedge(steep);
    if (!motion) {
      checks.push_back(failed_run(kCase, motion.errors()));
      continue;
    }
    checks.push_back(at_least_check(
        kCase, "flows: displacement within 5 s, " + name + short_number(angle + kMargin),
        motion->end, kFlows));
    checks.push_back(limit_check(kCase, "mean tension, Pa, " + name + short_number(angle + kMargin),
                                 motion->tension, kTension));
  }
  checks.push_back(
      must_fail(judge_standing(wedge_of(options, 24, 28), "friction 24, slope 28").front()));
  return checks;
}

}  // namespace firn
