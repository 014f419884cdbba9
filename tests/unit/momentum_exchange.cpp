// What species at one node do to each other.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "mpm/momentum_exchange.h"

namespace firn {
namespace {

using V = Vec<double, 3>;

struct Mixture {
  PorousSettings porous;
  NodeMatter<double> at;
  double* const mass = at.mass;
  V velocity[kMostSpecies];

  Mixture(int species, DragForm form, unsigned seed) {
    int pairs = 0;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    porous.form = form;
    porous.species = species;
    for (int s = 0; s < species; ++s) {
      mass[s] = std::pow(10.0, 6 * unit(random) - 3);
      for (int a = 0; a < 3; ++a) velocity[s][a] = 2 * unit(random) - 1;
      for (int r = 0; r < s; ++r) {
        porous.pair_of[r][s] = porous.pair_of[s][r] = ++pairs;
        porous.pairs[pairs - 1].solid = r;
        porous.pairs[pairs - 1].fluid = s;
        set_drag(r, s, std::pow(10.0, 12 * unit(random) - 6));
      }
    }
  }
  void set_drag(int a, int b, double drag) {
    PairSettings& pair = porous.pairs[porous.pair_of[a][b] - 1];
    pair.law = DragLaw::coefficient;
    pair.value = drag;
  }
  double drag(int a, int b) const { return porous.pairs[porous.pair_of[a][b] - 1].value; }
  void step(double dt) { exchange_at_node<double, 3>(porous, dt, 1, at, velocity); }
  V momentum() const {
    V sum = V::zero();
    for (int s = 0; s < porous.species; ++s) sum += velocity[s] * mass[s];
    return sum;
  }
  double energy() const {
    double sum = 0;
    for (int s = 0; s < porous.species; ++s) sum += mass[s] * dot(velocity[s], velocity[s]) / 2;
    return sum;
  }
};

constexpr DragForm kForms[] = {DragForm::implicit, DragForm::explicit_};

TEST(MomentumExchange, KeepsMomentumAndNeverAddsEnergy) {
  for (const DragForm form : kForms)
    for (int species = 2; species <= kMostSpecies; ++species)
      for (unsigned seed = 0; seed < 50; ++seed) {
        Mixture m(species, form, seed);
        const V before = m.momentum();
        double scale = 0;
        for (int s = 0; s < species; ++s) scale += m.mass[s];
        for (const double dt : {1e-6, 1e-3, 1.0}) {
          const double energy = m.energy();
          m.step(dt);
          EXPECT_LE(m.energy(), energy * (1 + 1e-12));
          for (int a = 0; a < 3; ++a) EXPECT_NEAR(m.momentum()[a], before[a], 1e-12 * scale);
        }
      }
}

// The difference of two velocities falls by 1 / (1 + dt c (m_a + m_b)) a step.
TEST(MomentumExchange, ImplicitDragFallsAsItShould) {
  for (const double dt : {1e-5, 1e-2, 10.0}) {
    Mixture m(2, DragForm::implicit, 7);
    const V before = m.velocity[1] - m.velocity[0];
    m.step(dt);
    const double left = 1 / (1 + dt * m.drag(0, 1) * (m.mass[0] + m.mass[1]));
    const V after = m.velocity[1] - m.velocity[0];
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(after[a], left * before[a], 1e-14);
  }
}

// A device numbers the two as their pair does.
TEST(MomentumExchange, EitherOfTwoMayComeFirst) {
  for (const DragForm form : kForms)
    for (unsigned seed = 0; seed < 50; ++seed) {
      Mixture m(2, form, seed), turned = m;
      PairSettings& pair = turned.porous.pairs[0];
      std::swap(pair.solid, pair.fluid);
      std::swap(turned.at.mass[0], turned.at.mass[1]);
      m.step(1e-3);
      exchange_in_pair<double, 3>(turned.porous, pair, 1e-3, 1, turned.at, turned.at.mass[0],
                                  turned.velocity[1], turned.at.mass[1], turned.velocity[0]);
      for (int s = 0; s < 2; ++s)
        for (int a = 0; a < 3; ++a) EXPECT_NEAR(turned.velocity[s][a], m.velocity[s][a], 1e-15);
    }
}

TEST(MomentumExchange, SmallStepsTendToTheExponential) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Mixture m(2, DragForm::implicit, 3);
    m.set_drag(0, 1, 1 / (m.mass[0] + m.mass[1]));  // a second
    const double before = m.velocity[1][0] - m.velocity[0][0];
    const int steps = k == 0 ? 100 : 200;
    for (int i = 0; i < steps; ++i) m.step(1.0 / steps);
    error[k] = std::abs((m.velocity[1][0] - m.velocity[0][0]) / before - std::exp(-1));
  }
  EXPECT_LT(error[0], 2e-3);
  EXPECT_NEAR(error[0] / error[1], 2, 0.05);
}

// Several at once are the same equations as two where only two are coupled.
TEST(MomentumExchange, AmongManyIsAmongTwo) {
  Mixture many(3, DragForm::implicit, 5), two(2, DragForm::implicit, 5);
  for (int s = 0; s < 2; ++s) many.set_drag(2, s, 0);
  const V third = many.velocity[2];
  many.step(1e-2);
  two.step(1e-2);
  for (int a = 0; a < 3; ++a) {
    for (int s = 0; s < 2; ++s) EXPECT_NEAR(many.velocity[s][a], two.velocity[s][a], 1e-12);
    EXPECT_NEAR(many.velocity[2][a], third[a], 1e-15);
  }
}

TEST(MomentumExchange, ExplicitStopsAtItsShare) {
  for (const double share : {0.25, 1.0}) {
    Mixture m(2, DragForm::explicit_, 9);
    m.porous.share = share;
    m.set_drag(0, 1, 1e12);
    const V before = m.velocity[1] - m.velocity[0];
    m.step(1);
    const V after = m.velocity[1] - m.velocity[0];
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(after[a], (1 - share) * before[a], 1e-13);
  }
}

TEST(MomentumExchange, SpeciesThatAreNotThereDoNothing) {
  for (const DragForm form : kForms) {
    Mixture m(3, form, 11);
    m.mass[0] = m.mass[2] = 0;
    const V before[] = {m.velocity[0], m.velocity[1], m.velocity[2]};
    m.step(1);
    for (int s = 0; s < 3; ++s) EXPECT_EQ(m.velocity[s], before[s]);
  }
}

}  // namespace
}  // namespace firn
