// Snow within an implicit step: its stress against Snow::update, its derivatives against
// differences.
#include "material/snow_derivatives.h"

#include <gtest/gtest.h>

#include "derivatives_common.h"

namespace firn {
namespace {

using namespace firn::testing;

Snow::Parameters parameters() {
  Snow::Parameters p;
  p.hardening = 0;  // moduli of the start of the step are then those of its end
  return p;
}
template <int D>
Snow::Constants<double> constants() {
  return Snow::constants<double, D>(parameters(), 1.0);
}
template <int D>
SnowOfBounds<double> law(double held) {
  MaterialState<double, D, Snow::kScalars> state{};
  state.scalar[0] = 1;
  return SnowOfBounds<double>::of(constants<D>(), state, held);
}

// Each stretch within the box or beyond one of its ends, away from its corners.
template <int D>
Vec<double, D> stretches(Random& random) {
  const Snow::Constants<double> c = constants<D>();
  Vec<double, D> s;
  for (int i = 0; i < D; ++i) {
    const double share = uniform(random, 0.1, 0.9);
    const double inside = c.stretch_min + share * (c.stretch_max - c.stretch_min);
    const double beyond[] = {inside, c.stretch_min * (0.97 - 0.5 * share),
                             c.stretch_max * (1.03 + share)};
    s[i] = beyond[random() % 3];
  }
  return descending(s);
}

template <int D>
void is_the_update() {
  Random random(31);
  for (int n = 0; n < 300; ++n) {
    const Vec<double, D> s = stretches<D>(random);
    MaterialState<double, D, Snow::kScalars> state{};
    state.scalar[0] = 1;
    state.F = with_stretches<D>(random, s);
    const auto at = derivative_at(law<D>(law<D>(0).held_at(s)), state.F);
    const auto update = Snow::update<double, D>(constants<D>(), state);
    EXPECT_LT(largest_entry(at.tau().full() - update.tau.full()),
              1e-9 * parameters().youngs_modulus);
  }
}

TEST(SnowOfBounds, StressIsThatOfTheUpdate) {
  is_the_update<2>();
  is_the_update<3>();
}

// Another bound of the volume gives another stress: what is held matters.
TEST(SnowOfBounds, WhatIsHeldDecidesThePressure) {
  const Vec<double, 3> s{{1.2, 1, 1}};
  const double held = law<3>(0).held_at(s);
  EXPECT_NEAR(held, constants<3>().stretch_max, 1e-12);
  EXPECT_GT(law<3>(0).derivatives(s).first[1], 1.5 * law<3>(held).derivatives(s).first[1]);
  EXPECT_EQ(law<3>(0).held_at(Vec<double, 3>::fill(1)), 0);
  EXPECT_LT(law<3>(0).held_at(Vec<double, 3>{{1, 1, 0.5}}), 0);
}

template <int D>
void derivatives_are_slopes() {
  Random random(32);
  for (int n = 0; n < 300; ++n) {
    Vec<double, D> s = stretches<D>(random);
    if (n % 5 == 0) s[D - 1] = -uniform(random, 0.01, 0.2);  // inverted
    const double held = n % 3 == 0 ? 0 : (n % 3 == 1 ? 0.995 : -0.995);
    const auto of = law<D>(held);
    const Mat<double, D> F = with_stretches<D>(random, s);
    if (std::abs(product(s) - of.volume.low) < 0.01 || std::abs(product(s) - of.volume.high) < 0.01)
      continue;
    const auto at = derivative_at(of, F);
    const double scale = std::max(largest_stiffness(at), parameters().youngs_modulus);
    for (int k = 0; k < D * D; ++k) {
      const auto energy = [&](double h) { return energy_at(of, F + unit_matrix<D>(k) * h); };
      const auto stress = [&](double h) {
        return derivative_at(of, F + unit_matrix<D>(k) * h).P();
      };
      EXPECT_NEAR(at.P()(k / D, k % D), fourth_order_slope(energy, 1e-4), 1e-8 * scale) << n;
      const Mat<double, D> error =
          applied(at, unit_matrix<D>(k)) - fourth_order_slope(stress, 1e-4);
      EXPECT_LE(largest_entry(error), 1e-6 * scale) << n;
    }
  }
}

TEST(SnowOfBounds, DerivativesAreThoseOfItsEnergy) {
  derivatives_are_slopes<2>();
  derivatives_are_slopes<3>();
}

// Within the box it is the elastic law.
TEST(SnowOfBounds, IsElasticInTheBox) {
  const Snow::Constants<double> c = constants<3>();
  MaterialState<double, 3, Snow::kScalars> state{};
  state.scalar[0] = 1;
  const auto elastic = ElasticLaw<Snow, double>::of(c, state);
  const Vec<double, 3> s{{1.005, 0.99, 0.98}};
  EXPECT_NEAR(law<3>(0).energy(s), elastic.energy(s), 1e-9);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(law<3>(0).derivatives(s).first[i], elastic.derivatives(s).first[i], 1e-6);
}

}  // namespace
}  // namespace firn
