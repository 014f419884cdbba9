// Von Mises: uniaxial yield and hardening, plane strain, the cylinder of admissible states.
#include "material/presets.h"
#include "material_common.h"

namespace firn {
namespace {

using namespace firn::testing;

template <int D>
using State = MaterialState<double, D, VonMises::kScalars>;

template <int D>
StressUpdate<double, D> update(const VonMises::Parameters& p, State<D>& state) {
  return VonMises::update<double, D>(VonMises::constants<double, D>(p, 1.0), state);
}

template <int D>
State<D> state_of(const Mat<double, D>& F) {
  State<D> state = initial_state<VonMises, D>();
  state.F = F;
  return state;
}

VonMises::Parameters metal(double modulus, double voce_stress) {
  VonMises::Parameters p;
  p.youngs_modulus = 1e11;
  p.poisson_ratio = 0.3;
  p.yield_stress = 2e8;
  p.hardening_modulus = modulus;
  p.voce_stress = voce_stress;
  p.voce_rate = 15;
  return p;
}

double yield_stress(const VonMises::Parameters& p, double q) {
  return p.yield_stress + p.hardening_modulus * q +
         p.voce_stress * (1 - std::exp(-p.voce_rate * q));
}

template <int D>
double equivalent_stress(const SymMat<double, D>& tau, double tau_across = 0) {
  const double mean = (trace(tau) + (D == 2 ? tau_across : 0)) / 3;
  double norm2 = D == 2 ? square(tau_across - mean) : 0;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) norm2 += square(tau(i, j) - (i == j ? mean : 0));
  return std::sqrt(1.5 * norm2);
}

// Pulls (or pushes) by `step` of logarithmic strain along x and finds the contraction across with
// which the sides are free of stress.
StressUpdate<double, 3> pull(const VonMises::Parameters& p, State<3>& state, double step) {
  double low = -std::abs(step), high = std::abs(step);
  StressUpdate<double, 3> r;
  State<3> next;
  for (int n = 0; n < 200; ++n) {
    const double across = (low + high) / 2;
    next = state;
    next.F =
        Mat<double, 3>::diagonal({{std::exp(step), std::exp(across), std::exp(across)}}) * state.F;
    r = update<3>(p, next);
    (r.tau(1, 1) > 0 ? high : low) = across;
  }
  state = next;
  return r;
}

// The strain is the elastic part tau / E and the plastic part q, and the stress is Y(q), whatever
// the steps that lead there.
TEST(VonMises, UniaxialTensionAndCompressionFollowTheHardeningCurve) {
  for (const auto& [modulus, voce] : {std::pair{0.0, 0.0}, {1e9, 0.0}, {0.0, 2e8}, {5e8, 1.5e8}})
    for (const double step : {2e-4, 5e-3, -5e-3}) {
      const VonMises::Parameters p = metal(modulus, voce);
      State<3> state = initial_state<VonMises, 3>();
      double strain = 0;
      while (std::abs(strain) < 0.2) {
        strain += step;
        const auto r = pull(p, state, step);
        const double stress = std::abs(r.tau(0, 0)), q = state.scalar[0];
        ASSERT_NEAR(stress / p.youngs_modulus + q, std::abs(strain), 1e-9);
        if (std::abs(strain) < p.yield_stress / p.youngs_modulus * (1 - 1e-9)) {
          ASSERT_EQ(q, 0);
        } else {
          ASSERT_NEAR(stress, yield_stress(p, q), 1e-7 * stress);
        }
      }
      EXPECT_GT(state.scalar[0], 0.19);
    }
}

// Unloading is elastic, and yield begins again at the stress that was reached.
TEST(VonMises, RemembersHowFarItHardened) {
  const VonMises::Parameters p = metal(1e9, 1e8);
  State<3> state = initial_state<VonMises, 3>();
  for (int n = 0; n < 50; ++n) pull(p, state, 1e-3);
  const double q = state.scalar[0], reached = yield_stress(p, q);
  const auto unloaded = pull(p, state, -0.5 * reached / p.youngs_modulus);
  EXPECT_EQ(unloaded.plastic, 0);
  EXPECT_NEAR(unloaded.tau(0, 0), 0.5 * reached, 1e-6 * reached);
  EXPECT_EQ(pull(p, state, 0.499 * reached / p.youngs_modulus).plastic, 0);
  EXPECT_EQ(pull(p, state, 0.01 * reached / p.youngs_modulus).plastic, 1);
  EXPECT_GT(state.scalar[0], q);
}

template <int D>
void admissible(const VonMises::Parameters& p) {
  Random random(1);
  int elastic = 0, plastic = 0;
  for (int n = 0; n < 500; ++n) {
    const double spread = std::pow(10, uniform(random, -3.5, -0.7));
    const Mat<double, D> F =
        with_stretches<D>(random, random_stretches<D>(random, 1 - spread, 1 + spread));
    State<D> state = state_of<D>(F);
    const double before = energy_at<VonMises>(p, F);
    const auto r = update<D>(p, state);
    const double volume = std::log(determinant(state.F)) + (D == 2 ? state.scalar[1] : 0);
    const double across = 2 * p.mu() * state.scalar[1] + p.lambda() * volume;
    const double limit = yield_stress(p, state.scalar[0]);
    const double equivalent = equivalent_stress<D>(r.tau, across);
    EXPECT_LE(equivalent, limit * (1 + 1e-9));
    EXPECT_NEAR(volume, std::log(determinant(F)), 1e-12);
    if (r.plastic == 0) {
      ++elastic;
      EXPECT_EQ(largest_entry(state.F - F), 0);
      EXPECT_EQ(state.scalar[0], 0);
    } else {
      ++plastic;
      EXPECT_NEAR(equivalent, limit, 1e-9 * limit);
      EXPECT_LT((VonMises::energy<double, D>(VonMises::constants<double, D>(p, 1.0), state)),
                before);
    }
    State<D> again = state;
    update<D>(p, again);
    EXPECT_LT(largest_entry(again.F - state.F), 1e-13);
    EXPECT_NEAR(again.scalar[0], state.scalar[0], 1e-13);
    const double seen = VonMises::yield_case<D>(VonMises::constants<double, D>(p, 1.0), state);
    if (r.plastic == 1 || equivalent < 0.99 * limit) {
      EXPECT_EQ(seen, r.plastic);
    }
  }
  EXPECT_GT(elastic, 20);
  EXPECT_GT(plastic, 20);
}

TEST(VonMises, ProjectedStatesAreAdmissibleAndKeepTheVolume) {
  for (const auto& preset : VonMises::presets()) {
    admissible<2>(preset.parameters);
    admissible<3>(preset.parameters);
  }
}

// 2D is 3D with no strain across the plane, over any history.
TEST(VonMises, PlaneStrainIsWhatThreeDimensionsGive) {
  Random random(3);
  const VonMises::Parameters p = metal(1e9, 1e8);
  for (int history = 0; history < 5; ++history) {
    State<2> flat = initial_state<VonMises, 2>();
    State<3> solid = initial_state<VonMises, 3>();
    for (int n = 0; n < 300; ++n) {
      const Mat<double, 2> move = Mat<double, 2>::identity() + random_matrix<2>(random, 2e-3);
      Mat<double, 3> same = Mat<double, 3>::identity();
      for (int i = 0; i < 4; ++i) same(i / 2, i % 2) = move(i / 2, i % 2);
      flat.F = move * flat.F;
      solid.F = same * solid.F;
      const auto a = update<2>(p, flat);
      const auto b = update<3>(p, solid);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) ASSERT_NEAR(a.tau(i, j), b.tau(i, j), 1e-7 * p.yield_stress);
      ASSERT_NEAR(flat.scalar[0], solid.scalar[0], 1e-10);
      ASSERT_NEAR(flat.scalar[1], std::log(solid.F(2, 2)), 1e-11);
    }
    EXPECT_GT(flat.scalar[0], 0.05);
    EXPECT_NE(flat.scalar[1], 0);
  }
}

// Steep saturation and huge steps: Newton's method still ends on the curve.
TEST(VonMises, FlowIsFoundForSteepHardeningAndLongSteps) {
  for (const double rate : {1.0, 100.0, 1e4})
    for (const double voce : {1e6, 1e9, 1e11}) {
      VonMises::Parameters p = metal(0, voce);
      p.voce_rate = rate;
      State<3> state = state_of<3>(Mat<double, 3>::diagonal({{3.0, 0.5, 0.7}}));
      const auto r = update<3>(p, state);
      EXPECT_NEAR(equivalent_stress<3>(r.tau), yield_stress(p, state.scalar[0]),
                  1e-9 * p.youngs_modulus);
    }
}

// The factor on a particle's stiffness leaves the yield stress alone.
TEST(VonMises, StiffnessFactorKeepsTheYieldStress) {
  const VonMises::Parameters p = metal(0, 0);
  const auto c = VonMises::constants<double, 3>(p, 1.0).stiffened(3.0);
  State<3> state = state_of<3>(Mat<double, 3>::diagonal({{1.1, 0.95, 0.95}}));
  const auto r = VonMises::update<double, 3>(c, state);
  EXPECT_NEAR(equivalent_stress<3>(r.tau), p.yield_stress, 1e-9 * p.yield_stress);
}

// A turned body yields in the same way.
TEST(VonMises, YieldIsFrameIndifferent) {
  Random random(8);
  const VonMises::Parameters p = metal(1e9, 1e8);
  for (int n = 0; n < 50; ++n) {
    const Mat<double, 3> F = with_stretches<3>(random, random_stretches<3>(random, 0.8, 1.2));
    const Mat<double, 3> Q = random_rotation<3>(random);
    State<3> here = state_of<3>(F), turned = state_of<3>(Q * F);
    const auto a = update<3>(p, here), b = update<3>(p, turned);
    EXPECT_LT(largest_entry(b.tau.full() - Q * a.tau.full() * transpose(Q)), 1e-7 * p.yield_stress);
    EXPECT_NEAR(here.scalar[0], turned.scalar[0], 1e-11);
  }
}

}  // namespace
}  // namespace firn
