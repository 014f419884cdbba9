// What explicit viscosity takes of a step, where particles have values of their own of it.
#include "mpm/viscous_limit.h"

#include <gtest/gtest.h>

#include "mpm/step_limits.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.1;

TEST(ViscousLimit, IsTheLargestProductOverTheRoom) {
  const ViscousSet sets[] = {{{2, 3}, 4}, {{10, 1.1}, 5}, {{7, 1}, 10}};
  EXPECT_DOUBLE_EQ(viscous_rate(sets, 1), 1.5);
  EXPECT_DOUBLE_EQ(viscous_rate(sets, 3), 2.2);
  EXPECT_EQ(viscous_rate(sets, 0), 0);
  EXPECT_EQ((ViscousSet{{1e9, 100}}).rate(), 0);  // no particle came yet
}

using Values = std::vector<std::vector<double>>;

// A set whose particles have these values of parameters, by parameter.
template <class Parameters>
MaterialSet<double, 2> set_of(const Parameters& same, const std::vector<const char*>& names,
                              const Values& values) {
  MaterialSet<double, 2> set;
  set.parameters = same;
  SetLayout layout;
  layout.declare(column::varied, static_cast<int>(names.size()));
  set.particles = ParticleSet<double, 2>(layout);
  set.particles.resize(values[0].size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    set.varied.emplace_back().name = names[k];
    std::copy(values[k].begin(), values[k].end(),
              set.particles[column::varied][static_cast<int>(k)]);
  }
  return set;
}

TEST(MostViscous, IsThatOfEachParameterByItself) {
  Fluid::Parameters fluid;
  fluid.viscosity = 5;
  fluid.det_max = 1.3;
  MostViscous most = most_viscous(set_of(fluid, {"viscosity"}, {{1, 9, 2}}));
  EXPECT_EQ(most.viscosity, 9);
  EXPECT_EQ(most.ratio, 1.3);
  most = most_viscous(set_of(fluid, {"gamma", "det_max"}, {{7, 8}, {1.7, 1.2}}));
  EXPECT_EQ(most.viscosity, 5);
  EXPECT_EQ(most.ratio, 1.7);
  most = most_viscous(set_of(fluid, {"det_max", "viscosity"}, {{1.7, 1.2}, {3, 4}}));
  EXPECT_EQ(most.viscosity, 4);
  EXPECT_EQ(most.ratio, 1.7);
}

TEST(MostViscous, IsNoneWithoutParticles) {
  EXPECT_EQ(most_viscous(set_of(Fluid::Parameters{}, {"viscosity"}, {{}})).viscosity, 0);
}

// Moduli that vary beside it make no difference.
TEST(MostViscous, OfAPasteCountsItsVolumeToALimit) {
  const auto set = set_of(Viscoelastic::Parameters{}, {"mu", "viscosity"}, {{1e3, 2e3}, {8, 6}});
  EXPECT_EQ(most_viscous(set).viscosity, 8);
  EXPECT_EQ(most_viscous(set).ratio, Viscoelastic::kMostViscousJ);
  EXPECT_EQ(viscous_places(set).viscosity, 1);
  EXPECT_EQ(viscous_places(set).ratio, -1);
}

// Snow has a det_max as well.
TEST(MostViscous, IsNoneOfModelsWithoutViscosity) {
  const auto set = set_of(Snow::Parameters{}, {"det_max"}, {{20, 30}});
  EXPECT_FALSE(viscous_places(set).any());
  EXPECT_EQ(most_viscous(set).viscosity, 0);
}

TEST(StepLimits, TheRuleIsThatOfTheValuesGiven) {
  MpmSettings settings;
  settings.spacing = kSpacing;
  Particles<double, 2> all;
  all.sets.push_back(set_of(Fluid::Parameters{}, {"viscosity"}, {{100, 300}}));
  all.sets.push_back(set_of(Sand::Parameters{}, {"cohesion"}, {{1e9}}));
  const std::vector<double> density{800, 1};
  const StepRule own = explicit_step_rule<double, 2>(settings, all, most_viscous(all), density);
  // rho h^2 / (q J eta), at the default cfl (docs/physics.md); q is 4.
  const double cells = kStepMargin * 0.5, borne = kStepMargin * kStepMargin / 4;
  EXPECT_NEAR(own.viscous, 300 * 1.1 / (borne * settings.cfl / cells * 800 * kSpacing * kSpacing),
              1e-9);
  EXPECT_DOUBLE_EQ(own.reach, settings.cfl * kSpacing);
  const StepRule told = explicit_step_rule<double, 2>(settings, all, {{600, 2.2}, {}}, density);
  EXPECT_DOUBLE_EQ(told.viscous, 4 * own.viscous);
  EXPECT_DOUBLE_EQ(told.reach, own.reach);
}

}  // namespace
}  // namespace firn
