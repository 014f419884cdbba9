// Sand: the yield cone, its tip, hardening and the volume correction.
#include <gtest/gtest.h>

#include "material_common.h"

namespace firn {
namespace {

using namespace firn::testing;

template <int D>
using State = MaterialState<double, D, Sand::kScalars>;

template <int D>
StressUpdate<double, D> update(const Sand::Parameters& p, State<D>& state) {
  return Sand::update<double, D>(Sand::constants<double, D>(p, 1.0), state);
}

template <int D>
State<D> state_of(const Mat<double, D>& F) {
  State<D> state = initial_state<Sand, D>();
  state.F = F;
  return state;
}

// F whose logarithmic strain has this trace and deviators of this size.
template <int D>
Mat<double, D> strained(Random& random, double trace, double size) {
  Vec<double, D> e;
  double mean = 0, norm2 = 0;
  for (int i = 0; i < D; ++i) mean += (e[i] = uniform(random, -1, 1)) / D;
  for (int i = 0; i < D; ++i) norm2 += square(e[i] - mean);
  for (int i = 0; i < D; ++i) e[i] = std::exp((e[i] - mean) * size / std::sqrt(norm2) + trace / D);
  return with_stretches<D>(random, e);
}

template <int D>
double log_volume(const Mat<double, D>& F) {
  return std::log(determinant(F));
}

// alpha tr(tau) + |dev tau| - c, the yield function.
template <int D>
double yield(const Sand::Parameters& p, const SymMat<double, D>& tau) {
  const double alpha = Sand::alpha_of(std::sin(p.friction_angle * kDegree), p.cone, D);
  const Mat<double, D> deviator = tau.full() - Mat<double, D>::identity() * (trace(tau) / D);
  return alpha * trace(tau) + std::sqrt(contract(deviator, deviator)) - p.cohesion;
}

template <int D>
void projection(const Sand::Parameters& p) {
  Random random(1);
  int elastic = 0, sheared = 0, at_tip = 0;
  for (int n = 0; n < 500; ++n) {
    const double t = uniform(random, -0.1, 0.05);
    const Mat<double, D> F = strained<D>(random, t, uniform(random, 0, 0.15));
    State<D> state = state_of<D>(F);
    const double energy_before = energy_at<Sand>(p, F);
    const auto r = update<D>(p, state);
    const double scale = p.youngs_modulus * 0.1;
    EXPECT_LT(yield<D>(p, r.tau), 1e-10 * scale);
    // Plastic flow takes energy away.
    EXPECT_LE(energy_at<Sand>(p, state.F), energy_before * (1 + 1e-12));
    // The stress belongs to the projected state.
    EXPECT_LT(largest_entry(update_at<Sand>(Sand::unyielding(), state.F).tau.full() - r.tau.full()),
              1e-10 * scale);
    if (r.plastic == 0) {
      ++elastic;
      EXPECT_EQ(largest_entry(state.F - F), 0);
      EXPECT_EQ(state.scalar[0], 0);
    } else {
      EXPECT_GT(state.scalar[0], 0);
      const bool tip = state.scalar[1] > 0;
      ++(tip ? at_tip : sheared);
      if (!tip) {
        EXPECT_NEAR(log_volume(state.F), t, 1e-13);
        EXPECT_NEAR(yield<D>(p, r.tau), 0, 1e-10 * scale);
      }
    }
    // Projecting again changes nothing.
    State<D> again = state_of<D>(state.F);
    update<D>(p, again);
    EXPECT_LT(largest_entry(again.F - state.F), 1e-13);
  }
  EXPECT_GT(elastic, 20);
  EXPECT_GT(sheared, 20);
  EXPECT_GT(at_tip, 20);
}

TEST(Sand, ProjectedStatesAreAdmissible) {
  for (const double angle : {10.0, 30.0, 45.0})
    for (const Cone cone : {Cone::compression, Cone::plane_strain}) {
      Sand::Parameters p;
      p.friction_angle = angle;
      p.cone = cone;
      projection<2>(p);
      projection<3>(p);
      p.cohesion = 2000;
      projection<2>(p);
      projection<3>(p);
    }
}

TEST(Sand, WithoutFrictionItIsAFluid) {
  Random random(2);
  Sand::Parameters p;
  p.friction_angle = 0;
  State<3> state = state_of<3>(strained<3>(random, -0.05, 0.1));
  const auto r = update<3>(p, state);
  EXPECT_NEAR(r.tau(0, 0), r.tau(1, 1), 1e-8 * p.youngs_modulus);
  EXPECT_NEAR(r.tau(0, 1), 0, 1e-8 * p.youngs_modulus);
  EXPECT_NEAR(r.tau(0, 0), -0.05 * (p.lambda() + p.mu() * 2 / 3), 1e-8 * p.youngs_modulus);
}

// Coulomb's law: on the worst plane shear / normal stress is tan(phi).
double largest_obliquity(double low, double high) {
  return std::asin((high - low) / -(high + low)) / kDegree;
}

TEST(Sand, ConeMatchesCoulombInPlaneStress2D) {
  Random random(3);
  Sand::Parameters p;
  p.friction_angle = 30;
  State<2> state = state_of<2>(Mat<double, 2>::diagonal({{0.9, 1.05}}));
  const auto tau = update<2>(p, state).tau;
  EXPECT_NEAR(largest_obliquity(tau(0, 0), tau(1, 1)), 30, 1e-9);
}

TEST(Sand, CompressionConeMatchesCoulombInTriaxialCompression) {
  Sand::Parameters p;
  p.friction_angle = 30;
  p.cone = Cone::compression;
  State<3> state = state_of<3>(Mat<double, 3>::diagonal({{0.85, 1.02, 1.02}}));
  const auto tau = update<3>(p, state).tau;
  EXPECT_NEAR(largest_obliquity(tau(0, 0), tau(1, 1)), 30, 1e-9);
}

// Flow in plane strain leaves the deviator along (1, -1, 0).
TEST(Sand, PlaneStrainConeMatchesCoulombInPlaneStrainFlow) {
  Sand::Parameters p;
  p.friction_angle = 30;
  p.cone = Cone::plane_strain;
  State<3> state = state_of<3>(Mat<double, 3>::identity() * 0.98);
  const Mat<double, 3> rate = Mat<double, 3>::diagonal({{-1, 1, 0}});
  SymMat<double, 3> tau;
  for (int n = 0; n < 4000; ++n) {
    state.F = state.F + rate * state.F * 1e-3;
    state.F = state.F * std::exp((3 * std::log(0.98) - log_volume(state.F)) / 3);
    tau = update<3>(p, state).tau;
  }
  EXPECT_NEAR(tau(2, 2), (tau(0, 0) + tau(1, 1)) / 2, 1e-3 * std::abs(tau(2, 2)));
  EXPECT_NEAR(largest_obliquity(tau(0, 0), tau(1, 1)), 30, 0.01);
}

template <int D>
void cohesion_tip() {
  Sand::Parameters p;
  p.cohesion = 3000;
  const double alpha = Sand::alpha_of(std::sin(p.friction_angle * kDegree), p.cone, D);
  const double tip = p.cohesion / (alpha * (D * p.lambda() + 2 * p.mu()));
  State<D> inside = state_of<D>(Mat<double, D>::identity() * std::exp(0.9 * tip / D));
  EXPECT_EQ(update<D>(p, inside).plastic, 0);
  State<D> beyond = state_of<D>(Mat<double, D>::identity() * std::exp(1.5 * tip / D));
  const auto r = update<D>(p, beyond);
  EXPECT_EQ(r.plastic, 1);
  EXPECT_NEAR(log_volume(beyond.F), tip, 1e-12);
  EXPECT_NEAR(alpha * trace(r.tau), p.cohesion, 1e-9 * p.cohesion);
  EXPECT_NEAR(beyond.scalar[1], 0.5 * tip, 1e-12);
}

TEST(Sand, CohesionMovesTheTip) {
  cohesion_tip<2>();
  cohesion_tip<3>();
}

// The most that Coulomb's law with cohesion c lets a state bear, minus what it bears: 0 at the
// limit.
double coulomb_reserve(double c, double degrees, double low, double high) {
  const double phi = degrees * kDegree;
  return c * std::cos(phi) - (high + low) / 2 * std::sin(phi) - (high - low) / 2;
}

// Each cone meets Coulomb's law with cohesion in the states where it meets it without.
TEST(Sand, CohesionOfCoulombMeetsTheSameLimit) {
  constexpr double kCohesion = 2000;
  for (const double degrees : {0.0, 20.0, 30.0, 40.0}) {
    Sand::Parameters p;
    p.friction_angle = degrees;
    const auto judge = [&](const auto& r) {
      EXPECT_EQ(r.plastic, 1);
      EXPECT_NEAR(coulomb_reserve(kCohesion, degrees, r.tau(0, 0), r.tau(1, 1)), 0,
                  1e-6 * kCohesion);
    };
    p.cohesion = Sand::cohesion_from_coulomb(kCohesion, degrees, p.cone, 2);
    for (const double e : {0.05, 0.1}) {
      State<2> plane = state_of<2>(Mat<double, 2>::diagonal({{std::exp(-e), std::exp(0.9 * e)}}));
      judge(update<2>(p, plane));
    }
    // The default cone: the stress of flow in plane strain, deviator along (-1, 1, 0).
    p.cohesion = Sand::cohesion_from_coulomb(kCohesion, degrees, p.cone, 3);
    State<3> slab = state_of<3>(
        Mat<double, 3>::diagonal({{std::exp(-0.06), std::exp(0.05), std::exp(-0.005)}}));
    judge(update<3>(p, slab));
    // Triaxial compression.
    p.cone = Cone::compression;
    p.cohesion = Sand::cohesion_from_coulomb(kCohesion, degrees, p.cone, 3);
    State<3> sample =
        state_of<3>(Mat<double, 3>::diagonal({{std::exp(-0.08), std::exp(0.03), std::exp(0.03)}}));
    judge(update<3>(p, sample));
  }
}

TEST(Sand, YieldCaseTellsWhereTheStateIs) {
  Sand::Parameters p;
  p.cohesion = 500;
  const auto c = Sand::constants<double, 3>(p, 1.0);
  const auto seen = [&](const Mat<double, 3>& F) {
    State<3> state = state_of<3>(F);
    update<3>(p, state);
    for (int i = 0; i < 9; ++i) state.F(i / 3, i % 3) = static_cast<float>(state.F(i / 3, i % 3));
    return Sand::yield_case<3>(c, state);
  };
  EXPECT_EQ(seen(Mat<double, 3>::identity()), 0);
  EXPECT_EQ(seen(Mat<double, 3>::diagonal({{0.98, 0.975, 0.98}})), 0);
  EXPECT_EQ(seen(Mat<double, 3>::diagonal({{0.9, 1.02, 1.0}})), 1);
  EXPECT_EQ(seen(Mat<double, 3>::diagonal({{1.02, 1.01, 1.01}})), 2);
  // Back from the tip, and unloaded from the cone: elastic again.
  State<3> state = state_of<3>(Mat<double, 3>::diagonal({{0.9, 1.02, 1.0}}));
  update<3>(p, state);
  state.F = Mat<double, 3>::diagonal({{1.01, 0.99, 0.995}}) * state.F;
  EXPECT_EQ(update<3>(p, state).plastic, 0);
  EXPECT_EQ((Sand::yield_case<3>(c, state)), 0);
}

// Pulled apart by 20 % and pushed together again: no stress until the old volume is reached, then
// pressure as in sand that was never pulled apart.
TEST(Sand, VolumeIsPaidBackBeforePressureBuildsUp) {
  const Sand::Parameters p;
  State<3> state = initial_state<Sand, 3>();
  const int steps = 100;
  const double step = 0.2 / steps;
  const auto stretch = [&](double e) {
    state.F = state.F * std::exp(e / 3);
    return update<3>(p, state).tau.e[0];
  };
  for (int n = 0; n < steps; ++n) EXPECT_NEAR(stretch(step), 0, 1e-9);
  EXPECT_NEAR(state.scalar[1], 0.2, 1e-12);
  for (int n = 0; n < steps - 1; ++n) EXPECT_NEAR(stretch(-step), 0, 1e-9);
  EXPECT_NEAR(state.scalar[1], step, 1e-12);
  // One long step through the old volume: the stress is that of the part beyond it.
  const double tau = stretch(-step - 0.01);
  EXPECT_NEAR(tau, -0.01 * (p.lambda() + p.mu() * 2 / 3), 1e-6 * p.youngs_modulus);
  EXPECT_EQ(state.scalar[1], 0);
  EXPECT_NEAR(log_volume(state.F), -0.01, 1e-12);
}

TEST(Sand, WithoutVolumeCorrectionPressureBuildsUpAtOnce) {
  Sand::Parameters p;
  p.volume_correction = false;
  State<2> state = state_of<2>(Mat<double, 2>::identity() * 1.1);
  update<2>(p, state);
  EXPECT_EQ(state.scalar[1], 0);
  state.F = state.F * 0.99;
  EXPECT_LT(update<2>(p, state).tau.e[0], -0.01 * p.youngs_modulus);
}

// The sum of elastic and plastic volume is that of the motion, and v is never negative.
TEST(Sand, VolumeIsKeptOverARandomHistory) {
  Random random(4);
  const Sand::Parameters p;
  State<3> state = initial_state<Sand, 3>();
  double whole = 0, q = 0;
  for (int n = 0; n < 2000; ++n) {
    const Mat<double, 3> move = Mat<double, 3>::identity() + random_matrix<3>(random, 0.01);
    whole += log_volume(move);
    state.F = move * state.F;
    update<3>(p, state);
    EXPECT_NEAR(log_volume(state.F) + state.scalar[1], whole, 1e-9);
    EXPECT_GE(state.scalar[1], 0);
    EXPECT_GE(state.scalar[0], q);
    q = state.scalar[0];
  }
}

TEST(Sand, HardeningWidensTheConeFromH0MinusH3ToH0) {
  Sand::Parameters p;
  p.friction_angle = -1;
  const auto c = Sand::constants<double, 3>(p, 1.0);
  const auto alpha = [](double degrees) {
    return Sand::alpha_of(std::sin(degrees * kDegree), Cone::automatic, 3);
  };
  EXPECT_NEAR(Sand::friction(c, 0.0), alpha(25), 1e-12);
  EXPECT_NEAR(Sand::friction(c, 1e3), alpha(35), 1e-12);
  double last = 0;
  for (double q = 0; q < 20; q += 0.5) {
    EXPECT_GT(Sand::friction(c, q), last);
    last = Sand::friction(c, q);
  }
  // With h1 > 0 the angle rises above h0 and comes back to it.
  p.h1 = 9;
  p.h2 = 0.3;
  const auto peak = Sand::constants<double, 3>(p, 1.0);
  EXPECT_GT(Sand::friction(peak, 4.0), alpha(40));
  EXPECT_NEAR(Sand::friction(peak, 1e3), alpha(35), 1e-12);
}

TEST(Sand, HardeningCountsThePlasticStrain) {
  Sand::Parameters p;
  State<2> state = state_of<2>(Mat<double, 2>::diagonal({{std::exp(0.03), std::exp(0.04)}}));
  update<2>(p, state);
  EXPECT_NEAR(state.scalar[0], 0.05, 1e-12);  // all of it, at the tip
  p.friction_angle = 0;
  state = state_of<2>(Mat<double, 2>::diagonal({{std::exp(-0.06), std::exp(0.02)}}));
  update<2>(p, state);
  EXPECT_NEAR(state.scalar[0], 0.04 * std::sqrt(2.0), 1e-12);  // the deviator
}

TEST(Sand, ParametersThatContradictAreNamed) {
  Sand::Parameters p;
  p.h3 = 40;
  EXPECT_EQ(Sand::check(p), "");  // the curve is not used
  p.friction_angle = -1;
  EXPECT_NE(Sand::check(p).find("h0"), std::string::npos);
  p.h3 = 10;
  EXPECT_EQ(Sand::check(p), "");
  p.h1 = 9;
  p.h2 = 0;
  EXPECT_NE(Sand::check(p).find("h2"), std::string::npos);
  p.h2 = 0.01;
  EXPECT_NE(Sand::check(p).find("90"), std::string::npos);
}

}  // namespace
}  // namespace firn
