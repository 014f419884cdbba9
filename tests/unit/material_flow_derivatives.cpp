// Metals and pastes within an implicit step: stress against their own updates, derivatives against
// differences.
#include "material/flow_derivatives.h"

#include <gtest/gtest.h>

#include "derivatives_common.h"

namespace firn {
namespace {

using namespace firn::testing;

constexpr double kDt = 0.01;

VonMises::Parameters metal(int n) {
  VonMises::Parameters p;
  p.voce_stress = n % 2 ? 3e4 : 0;
  p.hardening_modulus = n % 3 ? 5e4 : 0;
  return p;
}
HerschelBulkley::Parameters paste(int n) {
  HerschelBulkley::Parameters p;
  p.exponent = n % 3 == 0 ? 1 : (n % 3 == 1 ? 0.5 : 1.6);
  p.consistency = n % 5 ? 0.01 * p.yield_stress : 0;
  return p;
}
template <int D>
SymMat<double, D> updated_stress(const VonMises::Constants<double>& c,
                                 MaterialState<double, D, VonMises::kScalars> state) {
  return VonMises::update<double, D>(c, state).tau;
}
template <int D>
SymMat<double, D> updated_stress(const HerschelBulkley::Constants<double>& c,
                                 MaterialState<double, D, HerschelBulkley::kScalars> state) {
  HerschelBulkley::relax<double, D>(c, kDt, state);
  return HerschelBulkley::update<double, D>(c, state).tau;
}

// f(constants, state with a trial F, Young's modulus), inside and beyond what it bears.
template <class Model, int D, class F>
void for_trials(const std::function<typename Model::Parameters(int)>& parameters, const F& f) {
  Random random(41);
  for (int n = 0; n < 200; ++n) {
    const auto p = parameters(n);
    const auto c = Model::template constants<double, D>(p, 1.0);
    MaterialState<double, D, Model::kScalars> state{};
    state.scalar[0] = uniform(random, 0, 0.3);
    state.scalar[1] = D == 2 ? uniform(random, -0.01, 0.01) : 0;
    const double size = n % 4 ? uniform(random, 0.05, 0.6) : 1e-4;
    state.F =
        with_stretches<D>(random, descending(random_stretches<D>(random, 1 - size, 1 + size)));
    f(c, state, p.youngs_modulus);
  }
}

template <class Model, int D>
void is_the_update(const std::function<typename Model::Parameters(int)>& parameters) {
  int flowing = 0;
  for_trials<Model, D>(parameters, [&](const auto& c, const auto& state, double modulus) {
    const auto at = derivative_at(flowing_law<double, D>(c, state, kDt), state.F);
    const auto wanted = updated_stress<D>(c, state).full();
    EXPECT_LT(largest_entry(at.tau().full() - wanted), 1e-9 * modulus);
    const auto elastic = ElasticLaw<Model, double>::of(c, state);
    flowing +=
        largest_entry(derivative_at(elastic, state.F).tau().full() - wanted) > 1e-3 * modulus;
  });
  EXPECT_GT(flowing, 100);
}

TEST(FlowingLaw, StressIsThatOfTheUpdate) {
  is_the_update<VonMises, 2>(metal);
  is_the_update<VonMises, 3>(metal);
  is_the_update<HerschelBulkley, 2>(paste);
  is_the_update<HerschelBulkley, 3>(paste);
}

template <class Model, int D>
void derivatives_are_slopes(const std::function<typename Model::Parameters(int)>& parameters) {
  for_trials<Model, D>(parameters, [&](const auto& c, const auto& state, double modulus) {
    const auto law = flowing_law<double, D>(c, state, kDt);
    const auto at = derivative_at(law, state.F);
    const double scale = std::max(largest_stiffness(at), modulus);
    for (int k = 0; k < D * D; ++k) {
      const auto energy = [&](double h) { return energy_at(law, state.F + unit_matrix<D>(k) * h); };
      const auto stress = [&](double h) {
        return derivative_at(law, state.F + unit_matrix<D>(k) * h).P();
      };
      EXPECT_NEAR(at.P()(k / D, k % D), fourth_order_slope(energy, 2e-5), 1e-8 * scale);
      const Mat<double, D> error =
          applied(at, unit_matrix<D>(k)) - fourth_order_slope(stress, 2e-5);
      EXPECT_LE(largest_entry(error), 1e-6 * scale);
    }
  });
}

TEST(FlowingLaw, DerivativesAreThoseOfItsEnergy) {
  derivatives_are_slopes<VonMises, 2>(metal);
  derivatives_are_slopes<VonMises, 3>(metal);
  derivatives_are_slopes<HerschelBulkley, 2>(paste);
  derivatives_are_slopes<HerschelBulkley, 3>(paste);
}

}  // namespace
}  // namespace firn
