// Wedges of sand two degrees below their angle of friction lie still, for ten seconds or a minute;
// two degrees above they flow.
#include <algorithm>
#include <cmath>

#include "cases/sph_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "sph_repose";
constexpr double kMargin = 2;    // degrees
constexpr double kStill = 1e-3;  // m/s, any particle, from 2 s on
constexpr double kSinks = 0.01;  // of the summit's height, from 2 s on

SandWedge wedge_of(const ValidateOptions& options, int dimension, double angle, double slope) {
  SandWedge wedge;
  wedge.solver = SolverKind::sph;
  wedge.dimension = dimension;
  wedge.friction_angle = angle;
  wedge.slope = slope;
  wedge.cells = options.fine ? 40 : 25;
  wedge.slab = 4;
  return wedge;
}

double summit(const World& world, double spacing) {
  const PointTable table = world.snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y");
  double top = 0;
  for (std::size_t i = 0; i < table.count; ++i)
    if (x[i] < 2 * spacing) top = std::max(top, y[i]);
  return top;
}

std::vector<Check> judge_standing(const ValidateOptions& options, const SandWedge& wedge,
                                  int seconds) {
  auto world = wedge_world(wedge);
  if (!world) return {failed_run(kCase, world.errors())};
  double fastest = 0, mean = 0, early = 0, late = 0;
  for (int second = 1; second <= seconds; ++second) {
    const Errors errors = run_frames(**world, kWedgeFps, [&](const World& now) {
      const FrameStats stats = now.statistics();
      if (second <= 2) return;
      fastest = std::max(fastest, stats.max_speed);
      mean = std::max(mean, std::sqrt(2 * stats.kinetic / stats.mass));
    });
    if (!errors.empty()) return {failed_run(kCase, errors)};
    late = summit(**world, 1.0 / wedge.cells);
    if (second == 2) early = late;
  }
  options.progress(name_of(wedge) + ": fastest " + short_number(fastest) + " m/s, summit sinks " +
                   short_number(1 - late / early));
  const std::string of = " from 2 to " + std::to_string(seconds) + " s, " + name_of(wedge);
  return {
      limit_check(kCase, "stands: fastest particle, m/s," + of, fastest, kStill),
      report(kCase, "stands: rms speed, m/s," + of, mean),
      limit_check(kCase, "stands: change of the summit" + of, std::abs(1 - late / early), kSinks)};
}

}  // namespace

std::vector<Check> validate_sph_repose(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto judge = [&](int dimension, double angle, int seconds) {
    const SandWedge low = wedge_of(options, dimension, angle, angle - kMargin);
    for (Check& check : judge_standing(options, low, seconds)) checks.push_back(std::move(check));
    checks.push_back(
        judge_flowing_wedge(kCase, options, wedge_of(options, dimension, angle, angle + kMargin)));
  };
  judge(2, 20, 10);
  judge(2, 30, 60);
  judge(2, 40, 10);
  judge(3, 30, 10);
  checks.push_back(must_fail(judge_standing(options, wedge_of(options, 2, 5, 28), 4).front()));
  checks.push_back(must_fail(judge_flowing_wedge(kCase, options, wedge_of(options, 2, 40, 32))));
  return checks;
}

}  // namespace firn
