// Elasticity of every model: stress against the energy, rotations, Hooke's limit.
#include <gtest/gtest.h>

#include "material_common.h"

namespace firn {
namespace {

using namespace firn::testing;

template <class Model>
class Elasticity : public ::testing::Test {};
TYPED_TEST_SUITE(Elasticity, Solids);

template <class Model, int D>
void stress_is_the_derivative(const Mat<double, D>& F) {
  const auto p = unyielding_parameters<Model>();
  const StressUpdate<double, D> update = update_at<Model>(p, F);
  EXPECT_EQ(update.plastic, 0);
  const Mat<double, D> difference = update.tau.full() - stress_by_differences<Model>(p, F);
  EXPECT_LT(largest_entry(difference), 2e-8 * (p.mu() + p.lambda()) * std::max(1.0, contract(F, F)))
      << Model::kName << " " << D << "D";
}

template <class Model, int D>
void stress_of_many_states() {
  Random random(1);
  for (int n = 0; n < 100; ++n) {
    stress_is_the_derivative<Model, D>(
        with_stretches<D>(random, random_stretches<D>(random, 0.6, 1.6)));
    Vec<double, D> near_equal = random_stretches<D>(random, 0.8, 1.3);
    near_equal[1] = near_equal[0] * (1 + std::pow(10.0, uniform(random, -10, -2)));
    stress_is_the_derivative<Model, D>(with_stretches<D>(random, near_equal));
    stress_is_the_derivative<Model, D>(random_rotation<D>(random) * uniform(random, 0.8, 1.2));
  }
}

TYPED_TEST(Elasticity, StressIsTheDerivativeOfTheEnergy) {
  stress_of_many_states<TypeParam, 2>();
  stress_of_many_states<TypeParam, 3>();
}

template <class Model, int D>
void inverted_states() {
  Random random(2);
  for (int n = 0; n < 200; ++n) {
    Vec<double, D> s = random_stretches<D>(random, 0.5, 1.5);
    s[n % D] = -uniform(random, 0.02, 0.4);
    stress_is_the_derivative<Model, D>(with_stretches<D>(random, s));
  }
}

TYPED_TEST(Elasticity, InvertedStatesOfInvertibleModelsAreNoExceptionToThat) {
  if constexpr (smoothly_invertible<TypeParam>()) {
    inverted_states<TypeParam, 2>();
    inverted_states<TypeParam, 3>();
  }
}

TEST(FixedCorotated, InvertedStateIsPushedBackThroughTheFlatOne) {
  const Mat<double, 3> F = Mat<double, 3>::diagonal({{1, 1, -0.1}});
  const auto tau = update_at<FixedCorotated>(FixedCorotated::Parameters{}, F).tau;
  // tau = P F^T: with F_zz < 0 a positive tau_zz is a negative P_zz, which raises F_zz.
  EXPECT_GT(tau(2, 2), 0);
}

template <class Model, int D>
void rotations() {
  Random random(3);
  const auto p = unyielding_parameters<Model>();
  for (int n = 0; n < 100; ++n) {
    const Mat<double, D> F = with_stretches<D>(random, random_stretches<D>(random, 0.7, 1.4));
    const Mat<double, D> Q = random_rotation<D>(random);
    const double energy = energy_at<Model>(p, F);
    EXPECT_NEAR(energy_at<Model>(p, Q * F), energy, 1e-11 * p.youngs_modulus);
    EXPECT_NEAR(energy_at<Model>(p, F * Q), energy, 1e-11 * p.youngs_modulus);
    const Mat<double, D> tau = update_at<Model>(p, F).tau.full();
    EXPECT_LT(largest_entry(update_at<Model>(p, Q * F).tau.full() - Q * tau * transpose(Q)),
              1e-11 * p.youngs_modulus);
    EXPECT_LT(largest_entry(update_at<Model>(p, F * Q).tau.full() - tau), 1e-11 * p.youngs_modulus);
  }
}

TYPED_TEST(Elasticity, FrameIndifferenceAndIsotropy) {
  rotations<TypeParam, 2>();
  rotations<TypeParam, 3>();
}

template <class Model, int D>
void hooke() {
  Random random(4);
  const auto p = unyielding_parameters<Model>();
  const double size = 1e-6;
  for (int n = 0; n < 20; ++n) {
    const Mat<double, D> gradient = random_matrix<D>(random, size);
    const Mat<double, D> strain = (gradient + transpose(gradient)) * 0.5;
    const Mat<double, D> hooke =
        strain * (2 * p.mu()) + Mat<double, D>::identity() * (p.lambda() * trace(strain));
    const Mat<double, D> F = Mat<double, D>::identity() + gradient;
    const double scale = p.youngs_modulus * size;
    EXPECT_LT(largest_entry(update_at<Model>(p, F).tau.full() - hooke), 2e-5 * scale);
    EXPECT_NEAR(energy_at<Model>(p, F), 0.5 * contract(hooke, strain), 1e-3 * scale * size);
  }
  const auto rest = update_at<Model>(p, Mat<double, D>::identity());
  EXPECT_LT(largest_entry(rest.tau.full()), 1e-9 * p.youngs_modulus);
  EXPECT_NEAR(rest.wave_modulus, 2 * p.mu() + p.lambda(), 1e-9 * p.youngs_modulus);
}

TYPED_TEST(Elasticity, SmallStrainsFollowHooke) {
  hooke<TypeParam, 2>();
  hooke<TypeParam, 3>();
}

TYPED_TEST(Elasticity, StiffnessScalesTheStress) {
  using Model = TypeParam;
  const auto p = unyielding_parameters<Model>();
  auto state = initial_state<Model, 3>();
  state.F = Mat<double, 3>{{{1.1, 0.02, 0}, {0, 0.95, 0.05}, {0.01, 0, 1.02}}};
  auto same = state;
  const auto one = Model::template constants<double, 3>(p, 1.0);
  const auto r1 = Model::template update<double, 3>(one, state);
  const auto r3 = Model::template update<double, 3>(one.stiffened(3.0), same);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(r3.tau.e[i], 3 * r1.tau.e[i], 1e-9 * p.youngs_modulus);
  EXPECT_NEAR(r3.wave_modulus, 3 * r1.wave_modulus, 1e-9 * r1.wave_modulus);
}

// States that no energy describes well must not break a run.
TYPED_TEST(Elasticity, FlatAndInvertedStatesStayFinite) {
  using Model = TypeParam;
  const auto p = unyielding_parameters<Model>();
  for (const double z : {0.0, 1e-12, -1e-12, 1e-3, -0.5, -3.0}) {
    const Mat<double, 3> F = Mat<double, 3>::diagonal({{1.5, 0.7, z}});
    const auto update = update_at<Model>(p, F);
    EXPECT_TRUE(std::isfinite(energy_at<Model>(p, F)));
    EXPECT_TRUE(std::isfinite(update.wave_modulus));
    EXPECT_LT(largest_entry(update.tau.full()), 1e3 * p.youngs_modulus);
  }
  EXPECT_TRUE(std::isfinite(update_at<Model>(p, Mat<double, 3>::zero()).tau.e[0]));
}

template <StateEquation equation>
void fluid_pressure() {
  Fluid::Parameters p;
  p.equation = equation;
  p.det_max = 2;
  const auto c = Fluid::constants<double, 3>(p, 1.0);
  const auto at = [&](double J) {
    MaterialState<double, 3, 1> state{};
    state.scalar[0] = J;
    return Fluid::update<double, 3>(c, state);
  };
  const auto energy = [&](double J) {
    MaterialState<double, 3, 1> state{};
    state.scalar[0] = J;
    return Fluid::energy<double, 3>(c, state);
  };
  for (const double J : {0.8, 0.95, 1.0, 1.05, 1.5}) {
    const double step = 1e-4 * J;
    const double slope = (energy(J + step) - energy(J - step)) / (2 * step);
    EXPECT_NEAR(at(J).tau.e[0], J * slope, 1e-5 * p.bulk_modulus);
    const double curvature = (energy(J + step) - 2 * energy(J) + energy(J - step)) / (step * step);
    EXPECT_GE(at(J).wave_modulus, J * J * curvature * (1 - 1e-5));
    EXPECT_GE(at(J).wave_modulus,
              (at(J + step).tau.e[0] - at(J - step).tau.e[0]) / 2e-4 * (1 - 1e-5));
  }
  EXPECT_EQ(at(1).tau.e[0], 0);
  EXPECT_NEAR((at(1 + 1e-6).tau.e[0]) / 1e-6, p.bulk_modulus, 1e-4 * p.bulk_modulus);
  EXPECT_NEAR(at(1).wave_modulus, p.bulk_modulus, 1e-12 * p.bulk_modulus);
}

TEST(Fluid, BothEquationsHaveTheGivenBulkModulus) {
  fluid_pressure<StateEquation::linear>();
  fluid_pressure<StateEquation::tait>();
}

TEST(Fluid, KeepsJWithinItsLimits) {
  const Fluid::Parameters p;
  const auto c = Fluid::constants<float, 2>(p, 1.0f);
  for (const auto& [given, kept] :
       {std::pair{-1.0, p.det_min}, {0.0, p.det_min}, {9.0, p.det_max}, {1.02, 1.02}}) {
    MaterialState<float, 2, 1> state{};
    state.scalar[0] = static_cast<float>(given);
    const float tau = Fluid::update<float, 2>(c, state).tau.e[0];
    EXPECT_FLOAT_EQ(state.scalar[0], static_cast<float>(kept));
    EXPECT_TRUE(std::isfinite(tau));
  }
}

}  // namespace
}  // namespace firn
