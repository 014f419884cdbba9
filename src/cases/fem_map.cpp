// OPT figure 2.1: one step of a square of 36 unknowns from a start by two numbers, a place of the
// picture, at rest at (3/5, 1/2). Where Newton's method alone converges, and where descent does.
// OPT does not say how places make starts; here every other vertex is moved by what the place is
// off (3/5, 1/2), the others by the opposite.
#include <algorithm>
#include <cmath>

#include "cases/fem_tools.h"
#include "exec/parallel.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_map";
constexpr int kColumns = 5, kRows = 2;
constexpr int kMostNewton = 500;
constexpr Vec2d kRest{{0.6, 0.5}};
constexpr double kFrame = 1. / 24;
// As in the figure, from left to right.
constexpr double kSteps[] = {kFrame / 170, kFrame / 40, kFrame / 20, kFrame / 10, kFrame, 1};

FemBody<2> square() {
  FemBody<2> body = fem_block<2>({{kColumns, kRows}}, 1, 1);
  for (Vec2d& x : body.rest) x = {{x[0] / kColumns, x[1] / kRows}};
  return body;
}

// Newton steps by place of the vertex, row after row from below; -1: not within kMostNewton.
struct ConvergenceMap {
  int size = 0;
  std::vector<int> steps;
  std::vector<char> tangled;  // it converged with cells turned inside out

  double share_missed() const {
    return double(std::count(steps.begin(), steps.end(), -1)) / double(steps.size());
  }
  double share_tangled() const {
    return double(std::count(tangled.begin(), tangled.end(), 1)) / double(tangled.size());
  }
  int most() const { return *std::max_element(steps.begin(), steps.end()); }
};

int steps_from(FemRun<2>& run, const Vec2d& place, double dt) {
  run.start(
      [&](std::size_t i) {
        const Vec2d rest = run.rest(i);
        const long number = std::lround(rest[0] * kColumns) + std::lround(rest[1] * kRows);
        return rest + (place - kRest) * (number % 2 == 0 ? 1.0 : -1.0);
      },
      [](std::size_t) { return Vec2d::zero(); });
  const SolveReport solve = run.step(dt).solve;
  return solve.missed ? -1 : solve.newton_iterations;
}

ConvergenceMap map_of(double dt, MinimizerKind minimizer, int size) {
  FemSettings settings = fem_settings(1e-3);
  settings.minimizer = minimizer;
  settings.max_newton = kMostNewton;
  const std::size_t count = std::size_t(size) * std::size_t(size);
  ConvergenceMap map{size, std::vector<int>(count), std::vector<char>(count)};
  parallel_for("rows of a map", size, 1, [&](std::int64_t row, std::int64_t end) {
    const OwnThreadScope own;
    FemRun<2> run(settings, {square()}, elastic_material<FixedCorotated>(1e7, 0.45));
    for (; row < end; ++row)
      for (int column = 0; column < size; ++column) {
        const std::size_t k = std::size_t(row) * std::size_t(size) + std::size_t(column);
        const Vec2d place{{(column + 0.5) / size, (double(row) + 0.5) / size}};
        map.steps[k] = steps_from(run, place, dt);
        map.tangled[k] = map.steps[k] >= 0 && run.inverted() > 0;
      }
  });
  return map;
}

// As OPT colours it: 0 steps black, 15 blue, 30 and more cyan, none of 500 red.
void paint(const ConvergenceMap& map, int left, int top, Image& picture) {
  for (int row = 0; row < map.size; ++row)
    for (int column = 0; column < map.size; ++column) {
      const int steps = map.steps[std::size_t(row) * std::size_t(map.size) + std::size_t(column)];
      const double share = std::min(steps, 30) / 15.0;
      std::uint8_t* to = picture.pixel(left + column, top + map.size - 1 - row);
      to[0] = steps < 0 ? 255 : 0;
      to[1] = steps < 0 ? 0 : static_cast<std::uint8_t>(255 * std::max(0.0, share - 1));
      to[2] = steps < 0 ? 0 : static_cast<std::uint8_t>(255 * std::min(1.0, share));
    }
}

std::string step_name(double dt) {
  return dt < 1 ? short_number(kFrame / dt) + " steps a frame" : "a step of 1 s";
}

}  // namespace

std::vector<Check> validate_fem_map(const ValidateOptions& options) {
  constexpr double kNone = 1e-9;
  constexpr int kGap = 4, kMaps = static_cast<int>(std::size(kSteps));
  const int size = options.fine ? 150 : 30;
  Image picture((size + kGap) * kMaps - kGap, 2 * size + kGap);
  std::fill(picture.rgb.begin(), picture.rgb.end(), std::uint8_t(255));
  std::vector<Check> checks;
  for (int k = 0; k < kMaps; ++k) {
    const std::string when = step_name(kSteps[k]) + ": ", alone = ", Newton's method alone";
    options.progress(when);
    const ConvergenceMap newton = map_of(kSteps[k], MinimizerKind::plain_newton, size);
    const ConvergenceMap ours = map_of(kSteps[k], MinimizerKind::robust, size);
    paint(newton, k * (size + kGap), 0, picture);
    paint(ours, k * (size + kGap), size + kGap, picture);
    const auto judge = [&](const char* what, bool judged, double robust, double plain) {
      const Check limit = limit_check(kCase, when + what + alone, plain, kNone);
      checks.push_back(judged ? limit_check(kCase, when + what, robust, kNone)
                              : report(kCase, when + what, robust));
      checks.push_back(k + 1 == kMaps ? must_fail(limit) : report(kCase, limit.quantity, plain));
    };
    judge("share that missed", true, ours.share_missed(), newton.share_missed());
    // In shorter steps cells have no time to turn round.
    judge("share left inside out", kSteps[k] >= kFrame, ours.share_tangled(),
          newton.share_tangled());
    checks.push_back(report(kCase, when + "most Newton steps", ours.most()));
    checks.push_back(report(kCase, when + "most Newton steps" + alone, newton.most()));
  }
  options.picture(kCase, picture);
  return checks;
}

}  // namespace firn
