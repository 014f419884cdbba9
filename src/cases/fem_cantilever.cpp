// A cantilever eight times as long as high under its own weight, without lateral contraction: its
// end sinks by q L^4 / (8 E I) + 3 q L^2 / (5 G A). Linear cells lock; how much they lack on the
// lattice of five tetrahedra a cube is known.
#include <cmath>

#include "cases/fem_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_cantilever";
constexpr double kModulus = 1e7, kDensity = 1, kGravity = 10, kLength = 8;  // heights

double beam_theory(double shear_share) {
  const double q = kDensity * kGravity, area = 1, inertia = 1. / 12, shear = 0.5 * kModulus;
  return q * std::pow(kLength, 4) / (8 * kModulus * inertia) +
         shear_share * 3 * q * kLength * kLength / (5 * shear * area);
}

// Sinking of the end face over that of theory.
double fem_sinking(int cells, int order) {
  const Collider wall = fem_pin({{-1, -1, -1}}, {{1e-6, 2, 2}});
  FemRun<3> run(fem_settings(1e-4), {fem_block<3>({{kLength, 1, 1}}, 1. / cells, order, kDensity)},
                elastic_material<FixedCorotated>(kModulus, 0), ColliderSet({wall}));
  run.gravity[1].value = -kGravity;
  // Some of its longest periods: a step leaves a fifteenth of what is not at rest.
  constexpr double kStep = 0.3;
  for (int k = 0; k < 4; ++k)
    if (run.step(kStep).solve.missed) return std::nan("");
  return -run.mean_way([](const Vec3d& p) { return p[0] > kLength - 1e-6; })[1] / beam_theory(1);
}

}  // namespace

std::vector<Check> validate_fem_cantilever(const ValidateOptions& options) {
  constexpr double kKnown[4] = {0.642, 0.877, 0.966, 0.991};
  constexpr double kTolerance = 0.01, kOrder = 1.7, kLimit = 0.005;
  std::vector<Check> checks;
  std::vector<double> sinking;
  for (int k = 0; k < 4; ++k) {
    const int cells = 2 << k;
    sinking.push_back(fem_sinking(cells, 1));
    checks.push_back(
        relative_check(kCase, "sinking / theory, linear, cells a height: " + std::to_string(cells),
                       sinking.back(), kKnown[k], kTolerance));
  }
  const double fine = sinking.back(), coarse = sinking[sinking.size() - 2];
  const double order = std::log2((1 - coarse) / (1 - fine));
  checks.push_back({kCase, "order of convergence, the two finest", order, 2, 2 - order, 2 - kOrder,
                    order >= kOrder});
  checks.push_back(relative_check(kCase, "sinking / theory, extrapolated by order 2",
                                  fine + (fine - coarse) / 3, 1, kLimit));
  const double quadratic = fem_sinking(2, 2);
  checks.push_back(relative_check(kCase, "sinking / theory, quadratic, cells a height: 2",
                                  quadratic, 1, kTolerance));
  if (options.fine)
    checks.push_back(relative_check(kCase, "sinking / theory, quadratic, cells a height: 4",
                                    fem_sinking(4, 2), 1, kTolerance));
  checks.push_back(must_fail(
      relative_check(kCase, "the same for linear cells", sinking.front(), 1, kTolerance)));
  checks.push_back(
      must_fail(relative_check(kCase, "quadratic / theory without shear",
                               quadratic * beam_theory(1) / beam_theory(0), 1, kTolerance)));
  return checks;
}

}  // namespace firn
