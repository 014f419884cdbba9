// First and second derivatives of the elastic energies against differences, and what must hold of
// them: symmetry, isotropy, rotations, positive blocks.
#include <gtest/gtest.h>

#include "derivatives_common.h"

namespace firn {
namespace {

using namespace firn::testing;

template <class Model>
class Derivatives : public ::testing::Test {};
TYPED_TEST_SUITE(Derivatives, AllModels);

// Calls a template of <Model, dimension> for both dimensions.
#define FIRN_BOTH_DIMENSIONS(check) \
  check<TypeParam, 2>();            \
  check<TypeParam, 3>()

template <class Model, int D>
double modulus() {
  const auto rest = law_of<Model, D>().derivatives(Vec<double, D>::fill(1));
  return rest.second(0, 0);
}

// Energy and stress of the model itself.
template <class Model, int D>
void agrees_with_the_model() {
  const auto c = Model::template constants<double, D>(parameters_for_derivatives<Model>(), 1.0);
  int compared = 0;
  for_admissible_states<Model, D>(20, [&](const auto& law, const Mat<double, D>& F, double, int) {
    const auto found = derivative_at(law, F);
    if (found.F.s[D - 1] < 0.05 * found.F.s[0]) return;  // digits that F F^T has lost
    auto state = state_for_derivatives<Model, D>();
    if constexpr (Model::kHasF)
      state.F = F;
    else
      state.scalar[0] = determinant(F);
    if constexpr (!Model::kHasF)
      if (state.scalar[0] < c.det_min) return;  // where the model holds J
    const double energy = Model::template energy<double, D>(c, state);
    const auto update = Model::template update<double, D>(c, state);
    if (update.plastic > 0) return;
    const SymMat<double, D> tau =
        Model::kIsotropicStress ? SymMat<double, D>::isotropic(update.tau.e[0]) : update.tau;
    const double scale = std::max(largest_entry(tau.full()), modulus<Model, D>());
    EXPECT_LT(largest_entry(found.tau().full() - tau.full()), 1e-12 * scale);
    EXPECT_LT(largest_entry(found.P() * transpose(F) - tau.full()), 1e-12 * scale);
    EXPECT_NEAR(law.energy(found.F.s), energy, 1e-12 * std::max(energy, modulus<Model, D>()));
    ++compared;
  });
  EXPECT_GT(compared, 100);
}

TYPED_TEST(Derivatives, EnergyAndStressAreThoseOfTheModel) {
  FIRN_BOTH_DIMENSIONS(agrees_with_the_model);
}

template <class Model, int D>
void stress_by_energy() {
  for_admissible_states<Model, D>(
      20, [](const auto& law, const Mat<double, D>& F, double step, int kind) {
        const Mat<double, D> P = derivative_at(law, F).P();
        const double scale = std::max(largest_entry(P), modulus<Model, D>());
        for (int k = 0; k < D * D; ++k) {
          const auto energy = [&](double h) { return energy_at(law, F + unit_matrix<D>(k) * h); };
          EXPECT_NEAR(P(k / D, k % D), fourth_order_slope(energy, step), 1e-8 * scale)
              << Model::kName << " " << D << "D, kind " << kind;
        }
      });
}

TYPED_TEST(Derivatives, StressIsTheDerivativeOfTheEnergy) {
  FIRN_BOTH_DIMENSIONS(stress_by_energy);
}

template <class Model, int D>
void second_by_first() {
  for_admissible_states<Model, D>(20, [](const auto& law, const Mat<double, D>& F, double step,
                                         int kind) {
    const auto at = derivative_at(law, F);
    const double scale = largest_stiffness(at);
    for (int k = 0; k < D * D; ++k) {
      const auto stress = [&](double h) {
        return derivative_at(law, F + unit_matrix<D>(k) * h).P();
      };
      const Mat<double, D> error =
          applied(at, unit_matrix<D>(k)) - fourth_order_slope(stress, step);
      EXPECT_TRUE(largest_entry(error) <= 1e-8 * scale)
          << Model::kName << " " << D << "D, kind " << kind << ": " << largest_entry(error) / scale;
    }
  });
}

TYPED_TEST(Derivatives, SecondDerivativeIsThatOfTheStress) {
  FIRN_BOTH_DIMENSIONS(second_by_first);
}

template <class Model, int D>
void is_symmetric() {
  Random random(8);
  for_admissible_states<Model, D>(20, [&](const auto& law, const Mat<double, D>& F, double, int) {
    const auto at = derivative_at(law, F);
    const Mat<double, D> a = random_matrix<D>(random, 1), b = random_matrix<D>(random, 1);
    EXPECT_NEAR(contract(a, applied(at, b)), contract(b, applied(at, a)),
                1e-12 * largest_stiffness(at));
  });
}

TYPED_TEST(Derivatives, SecondDerivativeIsSymmetric) {
  FIRN_BOTH_DIMENSIONS(is_symmetric);
}

// A turn Q from the left and R from the right: P turns along, and for small turns W that is
// dP(W F) = W P, dP(F W) = P W.
template <class Model, int D>
void turns() {
  Random random(9);
  for_admissible_states<Model, D>(20, [&](const auto& law, const Mat<double, D>& F, double, int) {
    const auto at = derivative_at(law, F);
    const Mat<double, D> P = at.P(), Q = random_rotation<D>(random), R = random_rotation<D>(random);
    const double scale = largest_stiffness(at) * std::max(1.0, largest_entry(F));
    EXPECT_LT(largest_entry(derivative_at(law, Q * F * R).P() - Q * P * R), 1e-13 * scale);
    const Mat<double, D> any = random_matrix<D>(random, 1), W = any - transpose(any);
    EXPECT_LT(largest_entry(applied(at, W * F) - W * P), 1e-12 * scale);
    EXPECT_LT(largest_entry(applied(at, F * W) - P * W), 1e-12 * scale);
  });
}

TYPED_TEST(Derivatives, StressTurnsWithTheBody) {
  FIRN_BOTH_DIMENSIONS(turns);
}

// Hooke's law: turns alone cost nothing, and at rest a small turn meets no resistance.
template <class Model, int D>
void rests() {
  if (std::is_same_v<Model, VonMises> && D == 2) return;  // strained across the plane
  Random random(10);
  const auto law = law_of<Model, D>();
  const double stiffness = modulus<Model, D>();
  for (int n = 0; n < 50; ++n) {
    const Mat<double, D> R = random_rotation<D>(random), any = random_matrix<D>(random, 1);
    const auto at = derivative_at(law, R);
    EXPECT_NEAR(law.energy(at.F.s), 0, 1e-15 * stiffness);
    EXPECT_LT(largest_entry(at.P()), 1e-13 * stiffness);
    EXPECT_LT(largest_entry(applied(at, (any - transpose(any)) * R)), 1e-13 * stiffness);
    const auto rest = law.derivatives(Vec<double, D>::fill(1));
    EXPECT_NEAR(rest.difference[0], rest.second(0, 0) - rest.second(0, 1), 1e-13 * stiffness);
    EXPECT_NEAR(rest.sum[0], 0, 1e-13 * stiffness);
  }
}

TYPED_TEST(Derivatives, TurnsCostNothing) {
  FIRN_BOTH_DIMENSIONS(rests);
}

template <class Model, int D>
void clamps() {
  Random random(11);
  int positive = 0, others = 0;
  for_admissible_states<Model, D>(40, [&](const auto& law, const Mat<double, D>& F, double, int) {
    const auto exact = derivative_at(law, F), clamped = derivative_at(law, F, true);
    const double scale = largest_stiffness(exact);
    EXPECT_TRUE(blocks_positive<D>(clamped.by_stretch, 1e-14 * scale));
    EXPECT_EQ(largest_entry(clamped.P() - exact.P()), 0);
    const bool same = blocks_positive<D>(exact.by_stretch, -1e-12 * scale);
    (same ? positive : others) += 1;
    for (int n = 0; n < 5; ++n) {
      const Mat<double, D> dF = random_matrix<D>(random, 1);
      const Mat<double, D> with = applied(clamped, dF), without = applied(exact, dF);
      EXPECT_GE(contract(dF, with), -1e-13 * scale);
      EXPECT_GE(contract(dF, with - without), -1e-13 * scale);  // nothing is taken away
    }
    if (same) {
      const StretchDerivatives<double, D> kept = positive_part(exact.by_stretch);
      EXPECT_EQ(largest_entry(kept.second - exact.by_stretch.second), 0);
      EXPECT_EQ(kept.difference, exact.by_stretch.difference);
      EXPECT_EQ(kept.sum, exact.by_stretch.sum);
    }
    // Once is enough.
    const auto twice = positive_part(clamped.by_stretch);
    EXPECT_LT(largest_entry(twice.second - clamped.by_stretch.second), 1e-13 * scale);
  });
  EXPECT_GT(others, 20);
  if (Model::kHasF) {
    EXPECT_GT(positive, 20);
  }
}

TYPED_TEST(Derivatives, ClampedBlocksArePositive) {
  FIRN_BOTH_DIMENSIONS(clamps);
}

// States that a line search may try.
template <class Model, int D>
void every_state_is_finite() {
  Random random(12);
  const auto law = law_of<Model, D>();
  int refused = 0;
  for (const double smallest : {0.0, 1e-300, -1e-300, 1e-9, -1e-9, -0.3, -1.0}) {
    for (const double other : {0.0, 1e-9, 0.3, 1.0}) {
      Vec<double, D> s = Vec<double, D>::fill(1);
      s[0] = smallest;
      s[1] = other;
      const Mat<double, D> F = with_stretches<D>(random, descending(s));
      const auto at = derivative_at(law, F), clamped = derivative_at(law, F, true);
      const double energy = law.energy(at.F.s);
      EXPECT_TRUE(std::isfinite(energy));
      EXPECT_TRUE(std::isfinite(contract(at.P(), at.P())));
      EXPECT_TRUE(std::isfinite(contract(applied(at, F), applied(clamped, F))));
      EXPECT_EQ(energy >= kInadmissibleEnergy, !law.admissible(at.F.s));
      refused += energy >= kInadmissibleEnergy;
    }
  }
  constexpr bool kAll =
      std::is_same_v<Model, StVenantKirchhoff> || std::is_same_v<Model, StableNeoHookean> ||
      std::is_base_of_v<ElasticLaw<FixedCorotated, double>, ElasticLaw<Model, double>>;
  EXPECT_EQ(refused == 0, kAll);
  EXPECT_FALSE(law.admissible(Vec<double, D>::fill(std::nan(""))));
}

TYPED_TEST(Derivatives, EveryStateHasANumber) {
  FIRN_BOTH_DIMENSIONS(every_state_is_finite);
}

// Floats, and lanes of them, against double at the same F.
template <class Model, int D, class S>
void smaller_types_agree() {
  using T = ScalarOf<S>;
  const double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-12;
  const auto law = law_of<Model, D, S>();
  for_admissible_states<Model, D>(
      10, [&](const auto& exact_law, const Mat<double, D>& F, double step, int kind) {
        if (kind == 7 || step < 4e-5) return;  // far from 1 floats have lost too much
        const Mat<double, D> rounded = F.template cast<T>().template cast<double>();
        const Mat<double, D> dF = unit_matrix<D>(kind % (D * D));
        const double noise = tolerance * largest_stiffness(derivative_at(exact_law, rounded));
        for (const bool clamped : {false, true}) {
          const auto exact = derivative_at(exact_law, rounded, clamped);
          const auto found = derivative_at(law, rounded.template cast<S>(), clamped);
          const Mat<double, D> P = exact.P(), dP = applied(exact, dF);
          const Mat<S, D> found_P = found.P(), found_dP = applied(found, dF.template cast<S>());
          for (int k = 0; k < D * D; ++k) {
            const int i = k / D, j = k % D;
            EXPECT_NEAR(last_lane(found_P(i, j)), P(i, j), noise) << Model::kName << kind;
            EXPECT_NEAR(last_lane(found_dP(i, j)), dP(i, j), noise) << Model::kName << kind;
          }
        }
      });
}

TYPED_TEST(Derivatives, FloatsAndPacksAgreeWithDouble) {
  smaller_types_agree<TypeParam, 3, float>();
  smaller_types_agree<TypeParam, 2, Simd<float, 8>>();
  smaller_types_agree<TypeParam, 3, Simd<double, 4>>();
}

TEST(LogQuotient, IsExactNearAndFar) {
  Random random(13);
  for (int n = 0; n < 20000; ++n) {
    const double y = std::pow(10.0, uniform(random, -3, 3));
    const double x = y * (1 + std::pow(10.0, uniform(random, -17, 1)) * (n % 2 ? 1 : -0.09));
    const long double w = (static_cast<long double>(x) - y) / y;
    const long double exact = (w == 0 ? 1 : std::log1p(w) / w) / y;
    EXPECT_NEAR(log_quotient(x, y), static_cast<double>(exact), 4e-15 * static_cast<double>(exact));
    const float xf = static_cast<float>(x), yf = static_cast<float>(y);
    const double exact_f = log_quotient(double(xf), double(yf));
    EXPECT_NEAR(log_quotient(xf, yf), exact_f, 2e-6 * exact_f);
  }
}

// Of second order near rest, in float too: a line search compares such energies.
TEST(NeoHookeanLaw, EnergyNearRestKeepsItsDigits) {
  Random random(17);
  for (int n = 0; n < 20000; ++n) {
    const double x = std::pow(10.0, uniform(random, -4, 1.5)) * (n % 2 ? 1 : -0.03);
    const float s = static_cast<float>(1 + x);
    const long double w = static_cast<long double>(s) - 1;
    const auto exact = static_cast<double>(w + w * w / 2 - std::log1p(w));
    EXPECT_NEAR((ElasticLaw<NeoHookean, float>::shear(s)), exact, 2e-6 * exact) << s;
    EXPECT_NEAR((ElasticLaw<NeoHookean, double>::shear(s)), exact, 1e-13 * exact) << s;
  }
}

// Either equation of state, as functions of J.
TEST(FluidLaw, SlopeAndCurvatureAreThoseOfTheEnergy) {
  for (const StateEquation equation : {StateEquation::linear, StateEquation::tait})
    for (const double gamma : {3.0, 7.0}) {
      Fluid::Parameters p;
      p.equation = equation;
      p.gamma = gamma;
      const auto law = law_of<Fluid, 3>(p);
      for (const double J : {0.3, 0.8, 1.0, 1.05, 1.5}) {
        const auto energy = [&](double h) { return law.energy_of_J(J + h); };
        const auto slope = [&](double h) { return law.slope(J + h); };
        const double stiffness = law.curvature(J), step = 4e-4 * J;
        EXPECT_NEAR(law.slope(J), fourth_order_slope(energy, step), 1e-8 * stiffness);
        EXPECT_NEAR(stiffness, fourth_order_slope(slope, step), 1e-8 * stiffness);
      }
      EXPECT_NEAR(law.curvature(1), p.bulk_modulus, 1e-9 * p.bulk_modulus);
      EXPECT_EQ(law.energy_of_J(0.4 * p.det_min), kInadmissibleEnergy);
    }
}

}  // namespace
}  // namespace firn
