// Relaxation against the solutions of its own recursion and of Oldroyd's equation.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "material_common.h"
#include "mpm/advance_material.h"

namespace firn {
namespace {

using namespace firn::testing;

template <int D>
using State = MaterialState<double, D, Viscoelastic::kScalars>;

Viscoelastic::Parameters soft(double relaxation_time) {
  Viscoelastic::Parameters p;
  p.given_mu = 1000;
  p.given_lambda = 5000;
  p.relaxation_time = relaxation_time;
  return p;
}

template <int D>
StressUpdate<double, D> advance(const Viscoelastic::Parameters& p, double dt,
                                const Mat<double, D>& rate, State<D>& state) {
  return advance_material<Viscoelastic, double, D>(Viscoelastic::constants<double, D>(p, 1.0), dt,
                                                   rate, 0.0, state);
}

template <int D>
Mat<double, D> shear(double rate) {
  Mat<double, D> L = Mat<double, D>::zero();
  L(0, 1) = rate;
  return L;
}

// The strain that relaxes, in shear at a rate g from rest, after n steps of r = dt / T.
struct ShearedStrain {
  double xy = 0, xx = 1;
  void advance(double a, double r) {
    xx = (xx + 2 * a * xy + a * a + r) / (1 + r);
    xy = (xy + a) / (1 + r);
  }
  double scale(int d) const { return std::pow(xx - xy * xy, -1.0 / d); }
};

template <int D>
void start_up() {
  const double g = 2, T = 0.05, r = 0.1, dt = r * T;
  const Viscoelastic::Parameters p = soft(T);
  State<D> state = initial_state<Viscoelastic, D>();
  ShearedStrain strain;
  for (int n = 1; n <= 250; ++n) {
    const StressUpdate<double, D> update = advance<D>(p, dt, shear<D>(g), state);
    strain.advance(g * dt, r);
    ASSERT_NEAR(strain.xy, g * T * (1 - std::pow(1 + r, -n)), 1e-12);
    const double mu = 1000 * strain.scale(D);
    ASSERT_NEAR(update.tau(0, 1), mu * strain.xy, 1e-9) << n;
    ASSERT_NEAR(update.tau(0, 0) - update.tau(1, 1), mu * (strain.xx - 1), 1e-9) << n;
    ASSERT_NEAR(determinant(state.F), 1, 1e-12);
  }
  // In the end: Oldroyd's shear stress, and a normal one that long steps make larger.
  EXPECT_NEAR(strain.xy, g * T, 1e-4 * g * T);
  EXPECT_NEAR(strain.xx - 1, 2 * g * T * g * T * (1 + r / 2), 1e-5);
}
TEST(Viscoelastic, ShearStartsUpAsTheRecursionSays) {
  start_up<2>();
  start_up<3>();
}

// Against the equation itself, and closer the shorter the steps are.
TEST(Viscoelastic, ShortStepsComeToOldroydsEquation) {
  const double g = 1, T = 0.1, mu = 1000, end = 0.2;
  const double exact = mu * T * g * (1 - std::exp(-end / T));
  const double exact_normal = 2 * mu * T * g * T * g * (1 - std::exp(-end / T) * (1 + end / T));
  double error = exact;
  for (const double r : {0.02, 0.002}) {
    State<3> state = initial_state<Viscoelastic, 3>();
    StressUpdate<double, 3> update;
    const int steps = static_cast<int>(std::lround(end / (r * T)));
    for (int n = 0; n < steps; ++n) update = advance<3>(soft(T), r * T, shear<3>(g), state);
    // The factor that keeps the volume, which Oldroyd has not.
    const double scale = square(state.scalar[0]);
    const double found = update.tau(0, 1) / scale;
    const double normal = (update.tau(0, 0) - update.tau(1, 1)) / scale;
    EXPECT_NEAR(found, exact, 0.5 * r * exact);
    EXPECT_NEAR(normal, exact_normal, r * exact_normal);
    EXPECT_LT(std::abs(found - exact), 0.2 * error);
    error = std::abs(found - exact);
  }
}

TEST(Viscoelastic, AStrainThatIsHeldDecays) {
  for (const double r : {0.01, 1.0, 100.0}) {
    State<3> state = initial_state<Viscoelastic, 3>();
    state.F = Mat<double, 3>::diagonal({{2, 0.8, 0.625}});
    const Viscoelastic::Parameters p = soft(1);
    for (int n = 1; n <= 5; ++n) {
      advance<3>(p, r, Mat<double, 3>::zero(), state);
      const SymMat<double, 3> b = times_own_transpose(state.F);
      const double left = std::pow(1 + r, -n), scale = square(state.scalar[0]);
      const double start[3] = {3, 0.64 - 1, 0.625 * 0.625 - 1};
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(b.e[a] / scale - 1, start[a] * left, 1e-12);
      EXPECT_NEAR(determinant(state.F), 1, 1e-12);
    }
  }
}

// Whatever the step: finite, not turned inside out, and of the volume of the motion.
template <int D>
void stays_definite() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (const double r : {0.1, 1.0, 100.0}) {
    const double size = r < 1 ? 0.1 : 0.6;  // strains that it relaxes
    State<D> state = initial_state<Viscoelastic, D>();
    double volume = 1;
    for (int n = 0; n < 2000; ++n) {
      Mat<double, D> A;
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) A(i, j) = size * entry(random);
      const double grows = determinant(Mat<double, D>::identity() + A);
      if (grows * volume < 0.05 || grows * volume > 20) continue;
      volume *= grows;
      const StressUpdate<double, D> update = advance<D>(soft(1 / r), 1, A, state);
      ASSERT_NEAR(determinant(state.F), volume, 1e-9 * volume);
      for (const double entry_of_stress : update.tau.e) ASSERT_TRUE(std::isfinite(entry_of_stress));
      const SymMat<double, D> b = times_own_transpose(state.F);
      ASSERT_GT(b.e[0], 0);
      ASSERT_GT(b(0, 0) * b(1, 1) - b(0, 1) * b(0, 1), 0);
    }
  }
}
TEST(Viscoelastic, StrainsStayPositiveDefiniteInStepsOfAnyLength) {
  stays_definite<2>();
  stays_definite<3>();
}

TEST(Viscoelastic, WithoutRelaxationItIsNeoHookean) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> entry(-0.05, 0.05);
  State<3> state = initial_state<Viscoelastic, 3>();
  MaterialState<double, 3, 0> elastic = initial_state<NeoHookean, 3>();
  NeoHookean::Parameters p;
  p.given_mu = 1000;
  p.given_lambda = 5000;
  for (int n = 0; n < 50; ++n) {
    Mat<double, 3> A;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A(i, j) = entry(random);
    const auto relaxing = advance<3>(soft(1e30), 1, A, state);
    const auto kept = advance_material<NeoHookean, double, 3>(
        NeoHookean::constants<double, 3>(p, 1.0), 1.0, A, 0.0, elastic);
    for (int k = 0; k < 6; ++k) ASSERT_NEAR(relaxing.tau.e[k], kept.tau.e[k], 1e-9);
  }
}

TEST(Viscoelastic, AnInvertedStateBecomesAFlatOne) {
  State<3> state = initial_state<Viscoelastic, 3>();
  state.F = Mat<double, 3>::diagonal({{1, 1, -0.5}});
  const auto update = advance<3>(soft(1), 0.01, Mat<double, 3>::zero(), state);
  EXPECT_NEAR(determinant(state.F), NeoHookean::kSmallestJ, 1e-12);
  EXPECT_LT(trace(update.tau), 0);
}

// sigma = 2 eta times the rate of strain, whatever the step is.
TEST(Viscoelastic, ViscosityAddsItsStress) {
  Mat<double, 3> L = Mat<double, 3>::zero();
  L(0, 1) = 3;
  L(2, 2) = -1;
  const State<3> state = initial_state<Viscoelastic, 3>();
  const auto whole =
      whole_stress<Viscoelastic, double, 3>(SymMat<double, 3>::isotropic(-7), 2.0, L, state);
  EXPECT_DOUBLE_EQ(whole(0, 1), 2.0 * 3);
  EXPECT_DOUBLE_EQ(whole(2, 2), -7 + 2 * 2.0 * -1);
  EXPECT_DOUBLE_EQ(whole(0, 0), -7);
}

}  // namespace
}  // namespace firn
