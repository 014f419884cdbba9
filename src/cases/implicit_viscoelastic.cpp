// Shear that starts at once (shear_start.h), in implicit steps of r relaxation times. With a step's
// shear g dt the strain that relaxes becomes b <- (F b F^T + r) / (1 + r): after n steps
// b_xy = g T (1 - (1 + r)^-n), and in the end b_xx - 1 = 2 (g T)^2 (1 + r / 2).
#include "cases/shear_start.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_viscoelastic";
constexpr double kTime = ShearedPaste::kTime, kRate = 0.5;  // s, 1/s
constexpr ShearedPaste kPaste{kRate};

ShearStress discrete_stress(double r, int steps) {
  const double shear = kRate * kTime * r;
  double xy = 0, xx = 1;
  for (int n = 0; n < steps; ++n) {
    xx = (xx + 2 * shear * xy + shear * shear + r) / (1 + r);
    xy = (xy + shear) / (1 + r);
  }
  return kPaste.stress_of(xy, xx);
}

using Means = std::vector<ShearStress>;  // after each step

Result<Means> sheared(double dt, double relaxation, int steps, bool fine) {
  ShearStart start{ShearedPaste::parameters(relaxation), kRate, fine ? 128 : 96, 1 / dt, steps, {}};
  start.integrator.kind = IntegratorKind::optimization;
  start.integrator.fixed_dt = dt;
  start.integrator.tolerance = 1e-6;
  return run_sheared(start);
}

}  // namespace

std::vector<Check> validate_implicit_viscoelastic(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto coarse = sheared(0.1 * kTime, kTime, 100, options.fine),
             fine = sheared(0.02 * kTime, kTime, 250, options.fine),
             slow = sheared(0.1 * kTime, 1.1 * kTime, 100, options.fine),
             quick = sheared(0.01, 1e-4, 50, options.fine);
  for (const auto* run : {&coarse, &fine, &slow, &quick})
    if (!*run) return {failed_run(kCase, run->errors())};
  const auto judge_shear = [&](const Means& found, int n, const std::string& name) {
    return relative_check(kCase, "shear stress after " + std::to_string(n) + " steps, Pa, " + name,
                          found[n - 1].shear, discrete_stress(0.1, n).shear, 0.01);
  };
  const auto judge_normal = [&](const Means& found, const std::string& name) {
    const ShearStress exact =
        kPaste.stress_of(kRate * kTime, 1 + 2 * kRate * kRate * kTime * kTime * 1.05);
    return relative_check(kCase, "steady first normal difference, Pa, " + name, found.back().normal,
                          exact.normal, 0.01);
  };
  for (const int n : {5, 10, 20, 40, 100}) checks.push_back(judge_shear(*coarse, n, "r 0.1"));
  checks.push_back(judge_normal(*coarse, "r 0.1"));
  for (const int n : {50, 100, 250}) {
    const ShearStress exact = kPaste.exact_stress(0.02 * n * kTime);
    const std::string at = ", Pa, r 0.02, t = " + short_number(0.02 * n) + " relaxation times";
    checks.push_back(
        relative_check(kCase, "shear stress" + at, fine->at(n - 1).shear, exact.shear, 0.02));
    checks.push_back(relative_check(kCase, "first normal difference" + at, fine->at(n - 1).normal,
                                    exact.normal, 0.02));
  }
  checks.push_back(relative_check(kCase, "shear stress, Pa, r 100", quick->back().shear,
                                  ShearedPaste::kMu * kRate * 1e-4 + ShearedPaste::kEta * kRate,
                                  0.01));
  checks.push_back(must_fail(judge_shear(*slow, 20, "r 0.1, relaxation time 10 % too long")));
  checks.push_back(must_fail(judge_normal(*slow, "r 0.1, relaxation time 10 % too long")));
  return checks;
}

}  // namespace firn
