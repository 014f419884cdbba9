// Snow: the box of admissible stretches, plastic volume and hardening.
#include <gtest/gtest.h>

#include "material_common.h"

namespace firn {
namespace {

using namespace firn::testing;

template <int D>
using State = MaterialState<double, D, Snow::kScalars>;

template <int D>
StressUpdate<double, D> update(const Snow::Parameters& p, State<D>& state) {
  return Snow::update<double, D>(Snow::constants<double, D>(p, 1.0), state);
}

template <int D>
State<D> state_of(const Mat<double, D>& F) {
  State<D> state = initial_state<Snow, D>();
  state.F = F;
  return state;
}

template <int D>
void stretches_are_clamped() {
  Random random(1);
  const Snow::Parameters p;
  const double low = 1 - p.critical_compression, high = 1 + p.critical_stretch;
  int yielded = 0;
  for (int n = 0; n < 500; ++n) {
    const Vec<double, D> trial = random_stretches<D>(random, 0.96, 1.02);
    const Mat<double, D> F = with_stretches<D>(random, trial);
    State<D> state = state_of<D>(F);
    const auto r = update<D>(p, state);
    double volume = 1;
    bool inside = true;
    for (int i = 0; i < D; ++i) {
      volume *= clamp(trial[i], low, high);
      inside = inside && trial[i] >= low && trial[i] <= high;
    }
    const Vec<double, D> kept = principal(times_own_transpose(state.F)).value;
    for (int i = 0; i < D; ++i) {
      EXPECT_GE(std::sqrt(kept[i]), low - 1e-12);
      EXPECT_LE(std::sqrt(kept[i]), high + 1e-12);
    }
    EXPECT_NEAR(determinant(state.F), volume, 1e-12);
    EXPECT_NEAR(determinant(state.F) * state.scalar[0], determinant(F), 1e-12);
    EXPECT_EQ(r.plastic, inside ? 0 : 1);
    if (inside) {
      EXPECT_EQ(largest_entry(state.F - F), 0);
    }
    yielded += !inside;
    // The stress is that of the projected state with hardened moduli.
    FixedCorotated::Parameters hard;
    hard.youngs_modulus = p.youngs_modulus * std::exp(p.hardening * (1 - state.scalar[0]));
    hard.poisson_ratio = p.poisson_ratio;
    EXPECT_LT(largest_entry(r.tau.full() - update_at<FixedCorotated>(hard, state.F).tau.full()),
              1e-10 * hard.youngs_modulus);
    State<D> again = state;
    update<D>(p, again);
    EXPECT_LT(largest_entry(again.F - state.F), 1e-13);
    EXPECT_NEAR(again.scalar[0], state.scalar[0], 1e-13);
  }
  EXPECT_GT(yielded, 50);
}

TEST(Snow, StretchesStayInTheirBoxAndVolumeIsKept) {
  stretches_are_clamped<2>();
  stretches_are_clamped<3>();
}

TEST(Snow, CompressionHardensAndExtensionWeakens) {
  const Snow::Parameters p;
  State<3> packed = state_of<3>(Mat<double, 3>::identity() * 0.9);
  State<3> loose = state_of<3>(Mat<double, 3>::identity() * 1.1);
  update<3>(p, packed);
  update<3>(p, loose);
  EXPECT_LT(packed.scalar[0], 1);
  EXPECT_GT(loose.scalar[0], 1);
  const auto c = Snow::constants<double, 3>(p, 1.0);
  EXPECT_GT(Snow::hardened(c, packed.scalar[0]).mu, 1.5 * p.mu());
  EXPECT_LT(Snow::hardened(c, loose.scalar[0]).mu, 0.5 * p.mu());
  EXPECT_NEAR(Snow::hardened(c, 2.0 / 3).mu, p.mu() * std::exp(10.0 / 3), 1e-9 * p.mu());
}

TEST(Snow, LimitsOfPlasticVolumeAndHardening) {
  Snow::Parameters p;
  p.max_hardening = 5;
  State<2> packed = state_of<2>(Mat<double, 2>::identity() * 0.3);
  update<2>(p, packed);
  EXPECT_EQ(packed.scalar[0], p.det_min);
  EXPECT_NEAR(Snow::hardened(Snow::constants<double, 2>(p, 1.0), packed.scalar[0]).lambda,
              5 * p.lambda(), 1e-9 * p.lambda());
  State<2> torn = state_of<2>(Mat<double, 2>::identity() * 30.0);
  update<2>(p, torn);
  EXPECT_EQ(torn.scalar[0], p.det_max);
}

// Turned over, and as hard as it was: an inversion is no compaction.
TEST(Snow, InvertedStateIsTurnedOver) {
  Random random(2);
  const Snow::Parameters p;
  for (int n = 0; n < 50; ++n)
    for (const double J_P : {0.8, 1.0, 12.0}) {
      State<3> state =
          state_of<3>(with_stretches<3>(random, {{1.0, 0.99, -uniform(random, 0.01, 0.5)}}));
      state.scalar[0] = J_P;
      const auto r = update<3>(p, state);
      EXPECT_GT(determinant(state.F), 0.9);
      EXPECT_EQ(state.scalar[0], J_P);
      EXPECT_EQ(r.plastic, 1);
    }
}

TEST(Snow, OptingOutOfPlasticityLeavesFixedCorotated) {
  Random random(3);
  const Snow::Parameters p = Snow::unyielding();
  FixedCorotated::Parameters elastic;
  elastic.youngs_modulus = p.youngs_modulus;
  elastic.poisson_ratio = p.poisson_ratio;
  const Mat<double, 3> F = with_stretches<3>(random, {{0.5, 1.7, 1.1}});
  EXPECT_LT(largest_entry(update_at<Snow>(p, F).tau.full() -
                          update_at<FixedCorotated>(elastic, F).tau.full()),
            1e-9 * p.youngs_modulus);
}

}  // namespace
}  // namespace firn
