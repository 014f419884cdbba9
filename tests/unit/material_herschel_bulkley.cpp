// Flow curves, rest below the yield stress, softening, and the equation of one step.
#include <cmath>

#include "material_common.h"
#include "mpm/advance_material.h"

namespace firn {
namespace {

using namespace firn::testing;

template <int D>
using State = MaterialState<double, D, HerschelBulkley::kScalars>;

HerschelBulkley::Parameters paste(double consistency, double exponent) {
  HerschelBulkley::Parameters p;
  p.given_mu = 1e4;
  p.given_lambda = 1e5;
  p.yield_stress = p.softened_stress = 20;
  p.consistency = consistency;
  p.exponent = exponent;
  return p;
}

// sigma_xy after a shear at a rate g.
template <int D>
double shear_stress(const HerschelBulkley::Parameters& p, double g, double strain, double dt,
                    State<D>& state) {
  Mat<double, D> L = Mat<double, D>::zero();
  L(0, 1) = g;
  StressUpdate<double, D> update{};
  const auto steps = static_cast<int>(std::lround(strain / (g * dt)));
  for (int n = 0; n < steps; ++n)
    update = advance_material<HerschelBulkley, double, D>(
        HerschelBulkley::constants<double, D>(p, 1.0), dt, L, 0.0, state);
  return update.tau(0, 1) / determinant(state.F);
}

template <int D>
void flow_curve() {
  for (const double exponent : {0.3, 1.0, 1.8})
    for (const double g : {0.1, 1.0, 10.0}) {
      const HerschelBulkley::Parameters p = paste(10, exponent);
      State<D> state = initial_state<HerschelBulkley, D>();
      const double expected = 20 + 10 * std::pow(g, exponent);
      const double found = shear_stress<D>(p, g, 0.5, 1e-3 / g, state);
      EXPECT_NEAR(found, expected, 2e-2 * expected) << exponent << " " << g;
      EXPECT_NEAR(determinant(state.F), 1, 1e-6);  // products of I + dt L alone are exactly 1
      EXPECT_GT(state.scalar[0], 0.4);
    }
}
TEST(HerschelBulkley, SteadyShearFollowsTheFlowCurve) {
  flow_curve<2>();
  flow_curve<3>();
}

TEST(HerschelBulkley, WithoutConsistencyTheYieldStressIsTheMost) {
  State<3> state = initial_state<HerschelBulkley, 3>();
  EXPECT_NEAR(shear_stress<3>(paste(0, 0.5), 1, 0.2, 1e-3, state), 20, 0.1);
}

TEST(HerschelBulkley, BelowTheYieldStressItIsElastic) {
  const HerschelBulkley::Parameters p = paste(10, 0.5);
  State<3> state = initial_state<HerschelBulkley, 3>();
  EXPECT_NEAR(shear_stress<3>(p, 1, 1.9e-3, 1e-5, state), 19, 0.01);
  EXPECT_EQ(state.scalar[0], 0);
}

TEST(HerschelBulkley, SoftensAsItIsSheared) {
  HerschelBulkley::Parameters p = paste(0, 1);
  p.softened_stress = 5;
  p.softening_rate = 10;
  State<3> state = initial_state<HerschelBulkley, 3>();
  const double early = shear_stress<3>(p, 1, 0.05, 1e-4, state);
  EXPECT_NEAR(early, 5 + 15 * std::exp(-10 * state.scalar[0]), 0.2);
  EXPECT_NEAR(shear_stress<3>(p, 1, 1, 1e-3, state), 5, 0.1);
}

// |dev e| - f = radius + K (sqrt(2) f / dt)^n / (sqrt(2) mu), at any size and step.
TEST(HerschelBulkley, TheFlowOfAStepSolvesItsEquation) {
  for (const double exponent : {0.05, 0.3, 1.0, 1.8, 5.0})
    for (const double consistency : {0.0, 1e-3, 10.0, 1e5})
      for (const double dt : {1e-6, 1e-3, 1.0})
        for (const double size : {1.5e-3, 0.1, 3.0}) {
          const auto c = HerschelBulkley::constants<double, 3>(paste(consistency, exponent), 1.0);
          const double f = HerschelBulkley::flow(c, size, 0.0, dt);
          const double radius = c.radius(0.0);
          const double viscous =
              consistency * std::pow(std::sqrt(2) * f / dt, exponent) / (std::sqrt(2) * 1e4);
          EXPECT_NEAR(size - f, radius + viscous, 1e-9 * size)
              << exponent << " " << consistency << " " << dt << " " << size;
          EXPECT_GE(f, 0);
          EXPECT_LE(f, size - radius);
        }
  const auto c = HerschelBulkley::constants<double, 3>(paste(10, 0.5), 1.0);
  EXPECT_EQ(HerschelBulkley::flow(c, 0.9 * c.radius(0.0), 0.0, 1e-3), 0);
}

TEST(HerschelBulkley, LanesAreTheScalars) {
  using S = Simd<float, 4>;
  const auto p = paste(10, 0.5);
  const auto lanes = HerschelBulkley::constants<S, 3>(p, S(1));
  const auto one = HerschelBulkley::constants<float, 3>(p, 1.0f);
  S size;
  const float sizes[] = {1e-4f, 2e-3f, 0.1f, 2.0f};
  for (int l = 0; l < 4; ++l) size.set(l, sizes[l]);
  const S f = HerschelBulkley::flow(lanes, size, S(0), S(1e-3f));
  for (int l = 0; l < 4; ++l)
    EXPECT_NEAR(f[l], HerschelBulkley::flow(one, sizes[l], 0.0f, 1e-3f), 2e-5f * sizes[l]);
}

}  // namespace
}  // namespace firn
