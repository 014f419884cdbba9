// A vertical cut in cohesive sand stands up to H = 4 c / (rho g) tan(45 + phi / 2): one of a
// quarter of that stands, one of one and a half falls.
#include <cmath>

#include "cases/sph_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "sph_cut";
constexpr double kAngle = 30;                   // degrees
constexpr double kStands = 0.02, kFalls = 0.2;  // settlement of the crest over the height

// How far the crest of a cut sinks within two seconds, over its height, which is `share` of the
// largest one that can stand. The model's cohesion is |s| at p = 0, in plane strain
// sqrt(2) c cos(phi).
Result<double> settlement(double share, int cells) {
  constexpr double kHeight = 0.5, kFps = 20;
  const double h = kHeight / cells, width = 2 * kHeight;
  const double largest = kHeight / share;
  const double c =
      largest * kSphDensity * kSphGravity / (4 * std::tan((45 + kAngle / 2) * kDegree));
  SceneSettings scene = sph_scene(2, h, kFps, kAngle);
  std::get<Sand::Parameters>(scene.materials[0].parameters).cohesion =
      std::sqrt(2.0) * c * std::cos(kAngle * kDegree);
  add_box(scene, 0, kSphDensity, {{0, 0, 0}}, {{width, kHeight, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::slip);
  auto world = World::create(scene, Precision::double_);
  if (!world) return world.errors();
  const auto crest = [&, start = (*world)->snapshot({})] {
    const auto x0 = start.as_double("x"), y0 = start.as_double("y");
    const auto y = (*world)->snapshot({}).as_double("y");
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (x0[i] > width - 2 * h && y0[i] > kHeight - 2 * h) {
        sum += y0[i] - y[i];
        count += 1;
      }
    return sum / count / kHeight;
  };
  const Errors errors = run_frames(**world, std::lround(2 * kFps));
  if (!errors.empty()) return errors;
  return crest();
}

}  // namespace

std::vector<Check> validate_sph_cut(const ValidateOptions& options) {
  const int cells = options.fine ? 30 : 20;
  const Result<double> low = settlement(0.25, cells), high = settlement(1.5, cells);
  if (!low) return {failed_run(kCase, low.errors())};
  if (!high) return {failed_run(kCase, high.errors())};
  std::vector<Check> checks;
  for (const double share : {0.6, 1.0}) {
    const Result<double> between = settlement(share, cells);
    if (!between) return {failed_run(kCase, between.errors())};
    checks.push_back(
        report(kCase, "settlement of the crest / height, height / largest = " + short_number(share),
               *between));
  }
  const std::string crest = "settlement of the crest / height, height / largest = ";
  checks.push_back(limit_check(kCase, crest + "0.25: stands", *low, kStands));
  checks.push_back(at_least_check(kCase, crest + "1.5: falls", *high, kFalls));
  checks.push_back(must_fail(limit_check(kCase, crest + "1.5: stands", *high, kStands)));
  checks.push_back(must_fail(at_least_check(kCase, crest + "0.25: falls", *low, kFalls)));
  return checks;
}

}  // namespace firn
