// Parameters that particles have their own values of: constants from lanes are those from numbers,
// for every model and each of its parameters; Lame's constants in place of the usual moduli.
#include <gtest/gtest.h>

#include <cmath>

#include "material/parameter_numbers.h"
#include "material_common.h"

namespace firn {
namespace {

using namespace firn::testing;

using Lanes = Simd<double, 4>;

// A value of the parameter in lane l, near its own: moduli and angles apart by some percent.
double value_in_lane(const ParameterNumber& number, int lane) {
  const double own = number.info.contains(number.value) ? number.value : 4e4;
  const double value = own != 0 ? own * (1 + 0.02 * lane) : 0.01 * lane;
  return number.info.contains(value) ? value : own;
}

template <class Model, int D>
MaterialState<double, D, Model::kScalars> strained(Random& random) {
  MaterialState<double, D, Model::kScalars> state{};
  state.F = with_stretches<D>(random, random_stretches<D>(random, 0.9, 1.1));
  for (int k = 0; k < Model::kScalars; ++k)
    state.scalar[k] = Model::kScalarFields[k].initial + 0.01 * k;
  return state;
}

template <class Model, int D, class S>
StressUpdate<S, D> updated(const typename Model::template ParametersOf<S>& p,
                           const MaterialState<double, D, Model::kScalars>& at) {
  MaterialState<S, D, Model::kScalars> state;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) state.F(i, j) = S(at.F(i, j));
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = S(at.scalar[k]);
  return Model::template update<S, D>(Model::template constants<S, D>(p, S(1)), state);
}

template <class Model, int D>
void expect_lanes_like_numbers() {
  const auto numbers = parameter_numbers(typename Model::Parameters());
  Random random(7);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    typename Model::Parameters same;
    auto lanes = spread_parameters<Model, Lanes>(same);
    Lanes* lane_at[kMostNumbers];
    double* number_at[kMostNumbers];
    find_numbers(lanes, lane_at);
    find_numbers(same, number_at);
    for (int l = 0; l < 4; ++l) lane_at[k]->set(l, value_in_lane(numbers[k], l));
    const auto state = strained<Model, D>(random);
    const auto in_lanes = updated<Model, D, Lanes>(lanes, state);
    for (int l = 0; l < 4; ++l) {
      *number_at[k] = value_in_lane(numbers[k], l);
      const auto alone = updated<Model, D, double>(same, state);
      const double size = alone.wave_modulus;
      EXPECT_NEAR(in_lanes.wave_modulus[l], alone.wave_modulus, 1e-10 * size)
          << Model::kName << " " << numbers[k].name;
      const int entries = Model::kIsotropicStress ? 1 : SymMat<double, D>::kSize;
      for (int e = 0; e < entries; ++e)
        EXPECT_NEAR(in_lanes.tau.e[e][l], alone.tau.e[e], 1e-10 * size)
            << Model::kName << " " << numbers[k].name;
    }
  }
}

TEST(VariedParameters, LanesAreLikeNumbersForEveryModelAndParameter) {
  for (int model = 0; model < model_count; ++model)
    visit_model(model, [](auto tag) {
      expect_lanes_like_numbers<typename decltype(tag)::type, 2>();
      expect_lanes_like_numbers<typename decltype(tag)::type, 3>();
    });
}

// With the curve the friction angle is a word for it, and h0 to h3 are what varies.
TEST(VariedParameters, HardeningOfSandVaries) {
  Sand::Parameters p;
  p.friction_angle = -1;
  auto lanes = spread_parameters<Sand, Lanes>(p);
  for (int l = 0; l < 4; ++l) lanes.h0.set(l, 30 + l);
  const auto c = Sand::constants<Lanes, 3>(lanes, Lanes(1));
  EXPECT_TRUE(c.hardens);
  for (int l = 0; l < 4; ++l) {
    p.h0 = 30 + l;
    const double alone = Sand::friction(Sand::constants<double, 3>(p, 1.0), 0.5);
    EXPECT_NEAR(Sand::friction(c, Lanes(0.5))[l], alone, 1e-12);
  }
}

TEST(LameConstants, ReplaceTheOtherModuli) {
  NeoHookean::Parameters usual, lame;
  lame.given_mu = usual.mu();
  lame.given_lambda = usual.lambda();
  lame.youngs_modulus = 1;
  EXPECT_EQ(lame.mu(), usual.mu());
  EXPECT_EQ(lame.lambda(), usual.lambda());
  EXPECT_EQ(NeoHookean::check(lame), "");
}

TEST(LameConstants, WithoutShearThereIsPressureAlone) {
  Random random(3);
  const auto expect_pressure = [&](auto model) {
    using Model = decltype(model);
    typename Model::Parameters p;
    p.given_mu = 0;
    p.given_lambda = 1e5;
    EXPECT_EQ(Model::check(p), "");
    const auto r = updated<Model, 3, double>(p, strained<Model, 3>(random));
    for (int k = 3; k < 6; ++k) EXPECT_NEAR(r.tau.e[k], 0, 1e-6) << Model::kName;
    EXPECT_TRUE(std::isfinite(r.wave_modulus) && r.wave_modulus > 0) << Model::kName;
  };
  expect_pressure(NeoHookean());
  expect_pressure(FixedCorotated());
  expect_pressure(Hencky());
  expect_pressure(Snow());
}

TEST(LameConstants, NegativeBulkModulusAndOneOfTwoAreRefused) {
  Snow::Parameters p;
  p.given_mu = 1e5;
  EXPECT_NE(Snow::check(p), "");
  p.given_lambda = -0.7e5;
  EXPECT_NE(Snow::check(p), "");
  p.given_lambda = -0.6e5;
  EXPECT_EQ(Snow::check(p), "");
}

}  // namespace
}  // namespace firn
