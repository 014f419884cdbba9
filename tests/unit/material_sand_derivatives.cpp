// Stress of sand after its projection, and its derivative: against Sand::update and its
// differences.
#include "material/sand_derivatives.h"

#include <gtest/gtest.h>

#include "derivatives_common.h"

namespace firn {
namespace {

using namespace firn::testing;

template <int D>
struct Trial {
  Sand::Parameters parameters;
  MaterialState<double, D, Sand::kScalars> state;  // at the start of the step, but for F
  double tip;

  Sand::Constants<double> constants() const { return Sand::constants<double, D>(parameters, 1.0); }
  ProjectedSand<double> law() const { return ProjectedSand<double>::of(constants(), state); }
  // tau F^-T of the model itself.
  Mat<double, D> stress(const Mat<double, D>& F) const {
    auto copy = state;
    copy.F = F;
    return Sand::update<double, D>(constants(), copy).tau * transpose(inverse(F));
  }
};

// With and without cohesion, hardening curve, volume correction and volume gained; either cone.
template <int D>
Trial<D> random_trial(Random& random, int n) {
  Trial<D> r{};
  r.parameters.cohesion = n % 2 ? 5e3 : 0;
  r.parameters.cone = n % 3 ? Cone::automatic : Cone::compression;
  r.parameters.volume_correction = n % 5 != 0;
  if (n % 7 < 3) r.parameters.friction_angle = -1;
  r.state.scalar[0] = uniform(random, 0, 0.5);
  r.state.scalar[1] = n % 4 == 1 ? uniform(random, 0, 0.03) : 0;
  const ProjectedSand<double> law = r.law();
  r.tip = law.cohesion_strain / law.alpha_k - law.volume_gained;
  return r;
}

enum Place { kInside, kTip, kOnCone };

// Stretches well within one of the cases. Some have axes that are equal but for `gap`.
template <int D>
Vec<double, D> stretches_at(Random& random, const Trial<D>& trial, Place place, double gap) {
  Vec<double, D> e = random_stretches<D>(random, -1, 1);
  if (gap >= 0) e[1] = e[0] + gap;
  const double mean = sum(e) / D;
  for (int i = 0; i < D; ++i) e[i] -= mean;
  const double t = trial.tip + (place == kTip ? 1 : -1) * uniform(random, 0.02, 0.2);
  const double radius = trial.law().alpha_k * std::abs(t - trial.tip);
  const double size =
      radius * (place == kInside ? uniform(random, 0.1, 0.8) : uniform(random, 1.3, 5));
  const double scale = gap >= 0 && D == 2 ? 1 : size / std::sqrt(dot(e, e));
  Vec<double, D> s;
  for (int i = 0; i < D; ++i) s[i] = std::exp(e[i] * scale + t / D);
  return descending(s);
}

template <int D, class Check>
void for_trials(const Check& check) {
  Random random(21);
  constexpr double kGaps[] = {-1, 1e-3, 1e-6, 1e-9, 0};
  for (int n = 0; n < 600; ++n) {
    const Trial<D> trial = random_trial<D>(random, n);
    const Place place = static_cast<Place>(n % 3);
    // In 2D axes that are nearly equal have no deviator to be on the cone with.
    const double gap = D == 2 && place == kOnCone ? -1 : kGaps[n % 5];
    check(trial, with_stretches<D>(random, stretches_at<D>(random, trial, place, gap)), place);
  }
}

template <int D>
void is_the_update() {
  for_trials<D>([](const Trial<D>& trial, const Mat<double, D>& F, Place place) {
    auto state = trial.state;
    state.F = F;
    const auto update = Sand::update<double, D>(trial.constants(), state);
    EXPECT_EQ(update.plastic, place == kInside ? 0 : 1);
    const auto at = derivative_at(trial.law(), F);
    const double scale = 1e-12 * trial.parameters.youngs_modulus;
    EXPECT_LT(largest_entry(at.tau().full() - update.tau.full()), scale) << place;
    EXPECT_LT(largest_entry(at.P() * transpose(F) - update.tau.full()), scale) << place;
  });
}

TEST(ProjectedSand, StressIsThatOfTheUpdate) {
  is_the_update<2>();
  is_the_update<3>();
}

template <int D>
void derivative_of_the_update() {
  for_trials<D>([](const Trial<D>& trial, const Mat<double, D>& F, Place place) {
    const auto at = derivative_at(trial.law(), F);
    const double scale = std::max(largest_stiffness(at), trial.parameters.youngs_modulus);
    for (int k = 0; k < D * D; ++k) {
      const auto stress = [&](double h) { return trial.stress(F + unit_matrix<D>(k) * h); };
      const Mat<double, D> error =
          applied(at, unit_matrix<D>(k)) - fourth_order_slope(stress, 1e-5);
      EXPECT_TRUE(largest_entry(error) <= 1e-8 * scale)
          << place << " " << largest_entry(error) / scale;
    }
  });
}

TEST(ProjectedSand, DerivativeIsThatOfTheUpdate) {
  derivative_of_the_update<2>();
  derivative_of_the_update<3>();
}

// Inside it is Hencky's law; at the tip without cohesion nothing is left.
template <int D>
void limits() {
  for_trials<D>([](const Trial<D>& trial, const Mat<double, D>& F, Place place) {
    const auto at = derivative_at(trial.law(), F);
    const bool elastic = place == kInside && trial.law().volume_gained == 0;
    if (elastic) {
      const auto law = ElasticLaw<Sand, double>::of(trial.constants(), trial.state);
      for (int k = 0; k < D * D; ++k)
        EXPECT_LT(largest_entry(applied(at, unit_matrix<D>(k)) -
                                applied(derivative_at(law, F), unit_matrix<D>(k))),
                  1e-12 * trial.parameters.youngs_modulus);
    }
    if (place == kTip && trial.parameters.cohesion == 0) {
      EXPECT_EQ(largest_stiffness(at), 0);
    }
  });
}

TEST(ProjectedSand, CasesHaveTheirLimits) {
  limits<2>();
  limits<3>();
}

template <int D>
void turns_and_clamps() {
  Random random(22);
  for_trials<D>([&](const Trial<D>& trial, const Mat<double, D>& F, Place) {
    const auto at = derivative_at(trial.law(), F), clamped = derivative_at(trial.law(), F, true);
    const double scale = 1e-12 * trial.parameters.youngs_modulus;
    const Mat<double, D> any = random_matrix<D>(random, 1), W = any - transpose(any);
    EXPECT_LT(largest_entry(applied(at, W * F) - W * at.P()), scale);
    EXPECT_LT(largest_entry(applied(at, F * W) - at.P() * W), scale);
    EXPECT_GE(contract(any, applied(clamped, any)), -scale);
  });
}

TEST(ProjectedSand, TurnsWithTheBodyAndClamps) {
  turns_and_clamps<2>();
  turns_and_clamps<3>();
}

TEST(ProjectedSand, PacksHoldOneCaseInEachLane) {
  Random random(23);
  using S = Simd<double, 4>;
  for (int n = 0; n < 100; ++n) {
    const Trial<3> trial = random_trial<3>(random, n);
    const ProjectedSand<double> law = trial.law();
    const ProjectedSand<S> laws = {{S(law.lame.mu), S(law.lame.lambda)},
                                   S(law.alpha_k),
                                   S(law.cohesion_strain),
                                   S(law.volume_gained)};
    Vec<double, 3> one[4];
    Vec<S, 3> s;
    for (int l = 0; l < 4; ++l) {
      one[l] = stretches_at<3>(random, trial, static_cast<Place>(l % 3), -1);
      for (int i = 0; i < 3; ++i) s[i].set(l, one[l][i]);
    }
    const auto found = laws.derivatives(s);
    for (int l = 0; l < 4; ++l) {
      const auto exact = law.derivatives(one[l]);
      const double tolerance = 1e-12 * trial.parameters.youngs_modulus;
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(found.first[i][l], exact.first[i], tolerance);
        EXPECT_NEAR(found.difference[i][l], exact.difference[i], tolerance);
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(found.second(i, j)[l], exact.second(i, j), tolerance);
      }
    }
  }
}

}  // namespace
}  // namespace firn
