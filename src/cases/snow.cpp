// Snow: packing hardens it, tension tears it, a ball sticks to a sticky wall and keeps its volume.
#include "cases/granular_tools.h"
#include "cases/snow_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "snow";

void judge_packing(const ValidateOptions& options, std::vector<Check>& checks) {
  constexpr double kHeight = 4;  // m: four times what the snow bears without packing
  const double spacing = options.fine ? 0.05 : 0.1;
  const auto judge = [&](const Snow::Parameters& snow, const char* name) {
    const Result<PackedColumn> column = pack_column(snow, {}, kHeight, spacing);
    if (!column) return failed_run(kCase, column.errors());
    options.progress(std::string(name) + ": compaction " + short_number(column->compaction));
    checks.push_back(report(kCase, std::string("largest hardening, ") + name, column->hardest));
    return relative_check(kCase, std::string("compaction 1 - J_P under the own weight, ") + name,
                          column->compaction, column->expected, 0.05);
  };
  Check packed = judge({}, "xi 10");
  checks.push_back(std::move(packed));
  Snow::Parameters weak;
  weak.hardening = 5;
  Check control = judge(weak, "xi 5 against the reference of xi 10");
  checks.push_back(must_fail(std::move(control)));
}

Check judge_tearing(const ValidateOptions& options, const Snow::Parameters& snow,
                    const char* name) {
  const Result<int> pieces = tear_bar(snow, options.fine ? 0.01 : 0.02);
  if (!pieces) return failed_run(kCase, pieces.errors());
  options.progress(std::string(name) + ": " + std::to_string(*pieces) + " pieces");
  return at_least_check(kCase, std::string("pieces of a bar pulled apart, ") + name, *pieces, 2);
}

void judge_sticking(const ValidateOptions& options, std::vector<Check>& checks) {
  constexpr double kMost = 0.5, kVolume = 1.1;
  const double spacing = options.fine ? 0.0075 : 0.01;
  const auto share = [&](const ThrownBall& ball, const char* wall) {
    return at_least_check(kCase, std::string("share of a ball that stays on a ") + wall + " wall",
                          ball.stuck, kMost);
  };
  const Result<ThrownBall> sticky = throw_ball({}, ContactKind::sticky, spacing);
  if (!sticky) return checks.push_back(failed_run(kCase, sticky.errors()));
  checks.push_back(share(*sticky, "sticky"));
  checks.push_back(
      limit_check(kCase, "area of what stays over its area in the ball", sticky->area, kVolume));
  options.progress("sticky wall: share " + short_number(sticky->stuck));
  const Result<ThrownBall> smooth = throw_ball({}, ContactKind::separate, spacing);
  if (!smooth) return checks.push_back(failed_run(kCase, smooth.errors()));
  checks.push_back(must_fail(share(*smooth, "smooth")));
}

}  // namespace

std::vector<Check> validate_snow(const ValidateOptions& options) {
  std::vector<Check> checks;
  judge_packing(options, checks);
  checks.push_back(judge_tearing(options, {}, "snow"));
  checks.push_back(must_fail(judge_tearing(options, Snow::unyielding(), "snow that never yields")));
  judge_sticking(options, checks);
  return checks;
}

}  // namespace firn
