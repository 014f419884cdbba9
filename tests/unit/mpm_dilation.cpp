// Loose particles bear no stress until they are closed up, and the volume correction of fluids
// takes nothing away.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mpm/volume_source.h"

namespace firn {
namespace {

template <class Model>
class Dilation : public ::testing::Test {};
using Models = ::testing::Types<Fluid, Snow, NeoHookean, FixedCorotated, Hencky>;
TYPED_TEST_SUITE(Dilation, Models);

template <class Model>
struct Loose {
  static constexpr double kDt = 1e-3;
  MaterialState<double, 2, Model::kScalars> state;
  double dilation = std::log(2.0);

  Loose() {
    state.F = Mat<double, 2>::identity();
    for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = Model::kScalarFields[k].initial;
  }
  // The largest entry of the stress after a step in which the volume grows at `rate`, 1/s.
  double step(double rate) {
    Mat<double, 2> gradient = Mat<double, 2>::diagonal({{0.3 * rate, 0.7 * rate}});
    double source = 0;
    use_dilation<Model, double, 2>(kDt, dilation, gradient, source, state);
    const auto constants = Model::template constants<double, 2>(typename Model::Parameters(), 1.0);
    const auto update = advance_material<Model, double, 2>(constants, kDt, gradient, source, state);
    double largest = 0;
    for (int k = 0; k < (Model::kIsotropicStress ? 1 : 3); ++k)
      largest = std::max(largest, std::abs(update.tau.e[k]));
    return largest;
  }
};

TYPED_TEST(Dilation, IsUsedUpBeforeThereIsStress) {
  Loose<TypeParam> loose;
  // ln 2 is 69.3 steps of 0.01, and of a fluid, which multiplies by 0.99, 68.97.
  const int steps = TypeParam::kHasF ? 69 : 68;
  for (int i = 0; i < steps; ++i) EXPECT_EQ(loose.step(-10), 0) << i;
  EXPECT_GT(loose.dilation, 0);
  EXPECT_GT(loose.step(-10), 0);
  EXPECT_EQ(loose.dilation, 0);
}

TYPED_TEST(Dilation, GrowsWithoutTension) {
  Loose<TypeParam> loose;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(loose.step(10), 0);
  const double growth = TypeParam::kHasF ? 0.01 : std::log(1.01);  // of q in a step
  EXPECT_NEAR(loose.dilation, std::log(2.0) + 20 * growth, 1e-12);
  for (int i = 0; i < 88; ++i) EXPECT_EQ(loose.step(-10), 0) << i;
}

// A poured fluid is never under tension, and comes back to the volume that it had.
TEST(PouredFluid, IsNotPulled) {
  Loose<Fluid> fluid;
  fluid.dilation = 0;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(fluid.step(10), 0);
  for (int i = 0; i < 49; ++i) EXPECT_EQ(fluid.step(-10), 0) << i;
  EXPECT_NEAR(fluid.dilation, 50 * std::log(1.01) + 49 * std::log(0.99), 1e-12);
}

// Whether a fluid has no dilation or a little of it by rounding makes no difference: a fluid that
// falls freely has either.
TEST(PouredFluid, ForgetsADilationOfRoundOff) {
  for (const double rate : {-40.0, -1.0, 1.0, 40.0}) {
    Loose<Fluid> none, some;
    none.dilation = 0;
    some.dilation = 1e-16;
    const double expected = none.step(rate), found = some.step(rate);
    EXPECT_NEAR(found, expected, 1e-9 * Fluid::Parameters().bulk_modulus) << rate;
    EXPECT_NEAR(some.dilation, none.dilation, 1e-14) << rate;
    EXPECT_NEAR(some.state.scalar[0], none.state.scalar[0], 1e-14) << rate;
    // Nor does the volume correction make one.
    const FoundVolume<double> surroundings{0.1, 2e3, 1.1, 0.9, 0.9};
    EXPECT_NEAR(fluid_source(0.99, 1e-16, 5e5, surroundings, 3.0, 50.0),
                fluid_source(0.99, 0.0, 5e5, surroundings, 3.0, 50.0), 1e-9);
    EXPECT_NEAR(laid_fluid(0.1, 0.99, 1e-16, 5e5, 20.0).weight,
                laid_fluid(0.1, 0.99, 0.0, 5e5, 20.0).weight, 1e-15);
  }
}

// J is drawn to the mean of its neighbours; the sum of the volumes stays, whatever the volumes,
// moduli and strain rates of the particles.
TEST(VolumeSource, SmoothingKeepsTheVolume) {
  constexpr int kParticles = 40, kNodes = 6;
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> unit(0, 1);
  double weight[kParticles][kNodes], volume[kParticles], J[kParticles], modulus[kParticles],
      strain[kParticles];
  const double max_rate = 50;
  LaidVolume<double> laid[kNodes] = {};
  for (int p = 0; p < kParticles; ++p) {
    double sum = 0;
    for (double& w : weight[p]) sum += w = unit(engine);
    for (double& w : weight[p]) w /= sum;
    volume[p] = 0.1 + unit(engine);
    J[p] = 0.95 + 0.1 * unit(engine);
    modulus[p] = 1e5 * (1 + 9 * unit(engine));
    strain[p] = 3 * unit(engine);
    const auto one =
        laid_fluid(volume[p], J[p], 0.0, modulus[p], smoothing_rate(strain[p], max_rate));
    for (int i = 0; i < kNodes; ++i) {
      laid[i].claimed += weight[p][i] * one.claimed;
      laid[i].weight += weight[p][i] * one.weight;
      laid[i].pressure += weight[p][i] * one.pressure;
    }
  }
  double change = 0, size = 0;
  for (int p = 0; p < kParticles; ++p) {
    FoundVolume<double> found{0, 0, 1, 1, 1};
    for (int i = 0; i < kNodes; ++i)
      found.pressure += weight[p][i] * node_volume(laid[i], 1.0).pressure;
    const double rate =
        volume[p] * J[p] * fluid_source(J[p], 0.0, modulus[p], found, strain[p], max_rate);
    change += rate;
    size += std::abs(rate);
  }
  EXPECT_GT(size, 1);
  EXPECT_LT(std::abs(change), 1e-12 * size);
}

}  // namespace
}  // namespace firn
