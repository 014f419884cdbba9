// Shear that starts at once (shear_start.h). Herschel and Bulkley: soon the stress is that of the
// flow curve, Y + K g^n.
#include <cmath>

#include "cases/shear_start.h"

namespace firn {
namespace {

constexpr const char* kCase = "viscoelastic";
constexpr const char* kFlowCurve = "herschel_bulkley";
constexpr double kTime = ShearedPaste::kTime, kRate = 1, kFps = 10;  // s, 1/s
constexpr ShearedPaste kPaste{kRate};

Result<std::vector<ShearStress>> sheared(const ModelParameters& material, double rate, bool fine) {
  ShearStart start{material, rate, fine ? 64 : 32, kFps, 5, {}};
  start.integrator.explicit_max_dt = kTime / 200;
  return run_sheared(start);
}

}  // namespace

std::vector<Check> validate_viscoelastic(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto found = sheared(ShearedPaste::parameters(kTime), kRate, options.fine);
  if (!found) return {failed_run(kCase, found.errors())};
  for (std::size_t n = 0; n < found->size(); ++n) {
    const double t = double(n + 1) / kFps;
    const ShearStress exact = kPaste.exact_stress(t);
    const std::string when = ", t = " + short_number(t / kTime) + " relaxation times";
    checks.push_back(
        relative_check(kCase, "shear stress, Pa" + when, (*found)[n].shear, exact.shear, 0.02));
    checks.push_back(relative_check(kCase, "first normal difference, Pa" + when, (*found)[n].normal,
                                    exact.normal, 0.02));
  }
  const auto slow = sheared(ShearedPaste::parameters(1.1 * kTime), kRate, options.fine);
  checks.push_back(slow ? must_fail(relative_check(
                              kCase, "shear stress, Pa, relaxation time 10 % too long",
                              slow->back().shear, kPaste.exact_stress(5 / kFps).shear, 0.02))
                        : failed_run(kCase, slow.errors()));
  return checks;
}

std::vector<Check> validate_herschel_bulkley(const ValidateOptions& options) {
  std::vector<Check> checks;
  HerschelBulkley::Parameters mud;
  mud.given_mu = 1e4;
  mud.given_lambda = 1e5;
  mud.yield_stress = mud.softened_stress = 20;
  mud.consistency = 10;
  const auto judge = [&](double exponent, double rate, const std::string& what) {
    mud.exponent = exponent;
    const auto found = sheared(mud, rate, options.fine);
    if (!found) return failed_run(kFlowCurve, found.errors());
    return relative_check(kFlowCurve, "shear stress, Pa, " + what, found->back().shear,
                          20 + 10 * std::pow(rate, exponent), 0.03);
  };
  for (const double rate : {0.5, 4.0}) {
    const std::string at = ", at " + short_number(rate) + "/s";
    checks.push_back(judge(0.5, rate, "thins" + at));
    checks.push_back(judge(1, rate, "Bingham" + at));
    checks.push_back(judge(1.5, rate, "thickens" + at));
  }
  mud.yield_stress = mud.softened_stress = 22;
  checks.push_back(must_fail(judge(0.5, 0.5, "yield stress 10 % too high")));
  return checks;
}

}  // namespace firn
