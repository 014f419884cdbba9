// A cube of 1 m whose vertices start at random places of its box, or all in its middle, in steps of
// 1/24 s: every step converges and its cells turn the right way round again.
#include <cmath>

#include "base/random.h"
#include "cases/fem_tools.h"
#include "solvers/minimize.h"
#include "solvers/plain_newton.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_torture";
constexpr double kFrame = 1. / 24, kPoissonRatio = 0.3;
constexpr int kNever = 1000;

Vec3d tangled_place(bool point, std::size_t node) {
  RandomStream random(11, node);
  Vec3d p;
  for (int a = 0; a < 3; ++a) p[a] = point ? 0.5 : random.next_double();
  return p;
}

struct Untangling {
  int frames = kNever;  // until no cell is turned inside out or flat
  int missed = 0, newton = 0;
};

Untangling untangle(double modulus, bool point, int cells, int most_frames,
                    MinimizerKind minimizer) {
  FemSettings settings = fem_settings(1e-3);
  settings.minimizer = minimizer;
  settings.max_newton = 2000;
  if (minimizer == MinimizerKind::plain_newton) settings.max_newton = 50;
  FemRun<3> run(settings, {fem_block<3>({{1, 1, 1}}, 1. / cells, 1)},
                elastic_material<FixedCorotated>(modulus, kPoissonRatio));
  run.start([&](std::size_t i) { return tangled_place(point, i); },
            [](std::size_t) { return Vec3d::zero(); });
  Untangling found;
  // Some more frames, in which it must remain so.
  constexpr int kAfter = 5;
  for (int k = 1; k <= std::min(most_frames, found.frames + kAfter); ++k) {
    const StepReport report = run.step(kFrame);
    found.missed += report.solve.missed;
    found.newton += report.solve.newton_iterations;
    if (report.solve.missed && minimizer == MinimizerKind::plain_newton) break;
    if (run.inverted() > 0)
      found.frames = kNever;
    else if (found.frames == kNever)
      found.frames = k;
  }
  return found;
}

// Largest rise of the objective in a Newton step of the first step of a tangled cube, over its
// value; in `plain` steps of Newton's method alone.
double largest_rise(double modulus, bool plain) {
  const FemModel<3> model({fem_block<3>({{1, 1, 1}}, 0.25, 1)},
                          {elastic_material<FixedCorotated>(modulus, kPoissonRatio)});
  const ArraySpace<double> space(model.mass, 3);
  FemObjective<3> step(space, model);
  Buffer<double> x = space.make();
  for (std::size_t i = 0; i < model.nodes(); ++i) {
    const Vec3d p = tangled_place(false, i);
    for (std::size_t a = 0; a < 3; ++a) x[i * 3 + a] = p[int(a)];
  }
  step.begin_step(StepCoefficients::of(TimeScheme::backward_euler, kFrame, 0), x, x, x, 0);
  double before = step.objective(x), rise = -1;
  const auto see = [&](double now) {
    rise = std::max(rise, (now - before) / before);
    before = now;
  };
  if (plain) {
    PlainNewtonSettings settings;
    settings.most_steps = 1;
    settings.loosest_linear = 0.5;
    for (int k = 0; k < 10; ++k) {
      plain_newton(space, step, x, settings);
      see(step.objective(x));
    }
    return rise;
  }
  MinimizeSettings settings;
  settings.tolerance = 1e-4;
  settings.most_steps = 2000;
  settings.watch = [&](const NewtonStep& taken) { see(taken.objective); };
  minimize(space, step, x, settings);
  return rise;
}

}  // namespace

std::vector<Check> validate_fem_torture(const ValidateOptions& options) {
  constexpr double kRise = 1e-12;
  const int cells = 8;
  struct Bar {
    double modulus;
    int frames;
  };
  constexpr Bar kBars[] = {{1e7, 1}, {1e5, 40}, {1e3, 240}};
  std::vector<Check> checks;
  for (const Bar& bar : kBars)
    for (const bool point : {false, true}) {
      const std::string start = std::string(point ? "in a point" : "random") +
                                ", E = " + short_number(bar.modulus) + ": ";
      options.progress(start);
      const Untangling found =
          untangle(bar.modulus, point, cells, bar.frames, MinimizerKind::robust);
      checks.push_back(limit_check(kCase, start + "frames until all cells are upright",
                                   found.frames, bar.frames + 0.5));
      checks.push_back(limit_check(kCase, start + "steps that missed", found.missed, 0.5));
      checks.push_back(report(kCase, start + "Newton steps", found.newton));
    }
  for (const Bar& bar : kBars)
    checks.push_back(limit_check(
        kCase, "random, E = " + short_number(bar.modulus) + ": rise of the objective / objective",
        largest_rise(bar.modulus, false), kRise));
  const Untangling plain = untangle(1e7, false, cells, 1, MinimizerKind::plain_newton);
  checks.push_back(must_fail(
      limit_check(kCase, "Newton's method alone, E = 1e7: steps that missed", plain.missed, 0.5)));
  checks.push_back(must_fail(limit_check(kCase, "Newton's method alone: rise of the objective",
                                         largest_rise(1e7, true), kRise)));
  return checks;
}

}  // namespace firn
