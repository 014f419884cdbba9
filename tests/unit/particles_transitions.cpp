// Particles that change sets: who goes where, and the state of one model under the stress of
// another.
#include "particles/transitions.h"

#include <gtest/gtest.h>

#include "expr/parser.h"
#include "particles/matter.h"
#include "particles_common.h"

namespace firn {
namespace {

constexpr int D = 3;
using Set = MaterialSet<double, D>;

Set set_of(const std::string& model, bool loose = false) {
  Set set;
  set.parameters = default_parameters(model_index_by_name(model));
  visit_model(static_cast<int>(set.parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    SetLayout layout;
    layout.declare(column::gradient, Model::kHasF ? D * D : 0)
        .declare(column::scalar, Model::kScalars)
        .declare(column::stress, Model::kIsotropicStress ? 1 : 6)
        .declare(column::stiffness, 1)
        .declare(column::user, 1)
        .declare(column::dilation, loose ? 1 : 0);
    set.particles = ParticleSet<double, D>(layout);
  });
  return set;
}

// One particle without stress, of a tenth of a litre and a density of 1000.
void add_fresh(Set& set) {
  const std::size_t p = set.particles.size();
  set.particles.resize(p + 1);
  set.particles.for_each_field([&](const char*, auto& columns) {
    for (int c = 0; c < columns.components(); ++c) columns[c][p] = {};
  });
  set.particles.mass[0][p] = 0.1;
  set.particles.volume[0][p] = 1e-4;
  set.particles[column::stiffness][0][p] = 1;
  visit_model(static_cast<int>(set.parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    store_state<Model>(stressed_state<Model, double, D>(set, p, nullptr), set.particles, p);
  });
}

SymMat<double, D> stress_of(double pressure, double shear) {
  SymMat<double, D> stress = SymMat<double, D>::isotropic(-pressure);
  stress(0, 1) = shear;
  stress(1, 2) = -0.4 * shear;
  stress(0, 0) += 0.3 * shear;
  return stress;
}

void expect_same(const SymMat<double, D>& a, const SymMat<double, D>& b, double tolerance) {
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(a.e[k], b.e[k], tolerance) << k;
}

TEST(Matter, EveryModelTakesOverAModestStressAndTheVolume) {
  for (int model = 0; model < model_count; ++model) {
    SCOPED_TRACE(model_name(model));
    Set set = set_of(model_name(model));
    add_fresh(set);
    const std::string name = model_name(model);
    const double shear = name == "fluid"              ? 0
                         : name == "herschel_bulkley" ? 30
                                                      : 150;  // mud: below 50
    const Matter<D> given{stress_of(800, shear), 1.3e-4, 0};
    settle_matter(set, 0, given, 0);
    const Matter<D> found = matter_of(set, 0);
    expect_same(found.cauchy, given.cauchy, 1e-6);
    EXPECT_NEAR(found.volume, given.volume, 1e-12);
  }
}

TEST(Matter, AFluidTakesTheMeanStressAndNoMoreTensionThanItBears) {
  Set set = set_of("fluid");
  add_fresh(set);
  settle_matter<double, D>(set, 0, {stress_of(2000, 500), 1e-4, 0}, 0);
  EXPECT_NEAR(trace(matter_of(set, 0).cauchy) / D, -2000 + 0.1 * 500, 1e-6);
  EXPECT_EQ(matter_of(set, 0).cauchy(0, 1), 0);
  settle_matter<double, D>(set, 0, {stress_of(-1e9, 0), 1e-4, 0}, 0);
  const double J = set.particles[column::scalar][0][0], most = 1.1;
  EXPECT_LE(J, most);
  EXPECT_GT(J, 1.09);
  EXPECT_NEAR(matter_of(set, 0).volume, 1e-4, 1e-12);
}

TEST(Matter, SandBearsNoTensionAndNoMoreShearThanItsCone) {
  Set set = set_of("sand");
  add_fresh(set);
  settle_matter<double, D>(set, 0, {stress_of(-500, 0), 1e-4, 0}, 0);
  for (const double entry : matter_of(set, 0).cauchy.e) EXPECT_NEAR(entry, 0, 1e-6);
  settle_matter<double, D>(set, 0, {stress_of(1000, 3000), 1e-4, 0}, 0);
  const SymMat<double, D> found = matter_of(set, 0).cauchy;
  EXPECT_NEAR(trace(found) / D, -1000 + 0.1 * 3000, 1e-5);
  EXPECT_GT(found(0, 1), 50);
  EXPECT_LT(found(0, 1), 1000);
}

TEST(Matter, PackedSnowTakesLessVolumeAndLooseSnowHasRoom) {
  Set set = set_of("snow");
  add_fresh(set);
  set.particles[column::scalar][0][0] = 0.8;
  EXPECT_NEAR(matter_of(set, 0).volume, 0.8e-4, 1e-15);
  EXPECT_EQ(matter_of(set, 0).dilation, 0);
  set.particles[column::scalar][0][0] = 1.5;
  EXPECT_NEAR(matter_of(set, 0).volume, 1e-4, 1e-15);
  EXPECT_NEAR(matter_of(set, 0).dilation, std::log(1.5), 1e-12);
}

TEST(Matter, ADensityMakesItLooseOrKeepsItsStress) {
  for (const char* model : {"fluid", "neo_hookean"}) {
    Set set = set_of(model, true);
    add_fresh(set);
    settle_matter<double, D>(set, 0, {stress_of(1000, 0), 2e-4, 0}, 1000);
    EXPECT_NEAR(set.particles.volume[0][0], 1e-4, 1e-18);
    EXPECT_NEAR(set.particles[column::dilation][0][0], std::log(2.0), 1e-12);
    EXPECT_NEAR(matter_of(set, 0).cauchy(0, 0), 0, 1e-9);
    settle_matter<double, D>(set, 0, {stress_of(1000, 0), 2e-4, 0}, 400);
    EXPECT_NEAR(set.particles.volume[0][0], 2.5e-4, 1e-18);
    EXPECT_EQ(set.particles[column::dilation][0][0], 0);
    EXPECT_NEAR(matter_of(set, 0).cauchy(0, 0), -1000, 1e-6);
  }
}

// Three sets, with transitions 0 -> 1, 1 -> 2 and 0 -> 2 by a scalar of the scene.
TEST(Changeover, MovesThoseThatAConditionHoldsForWithinTheirBlocks) {
  Particles<double, D> all;
  all.spacing = kCell;
  all.shift = 0.5;
  all.user_fields = {"u"};
  for (const char* model : {"snow", "fluid", "sand"}) all.sets.push_back(set_of(model));
  for (int s = 0; s < 3; ++s) all.sets[s].material = s;
  std::vector<std::vector<Vec3d>> world;
  std::uint64_t id = 0;
  for (unsigned s = 0; s < 3; ++s) {
    world.push_back(random_places<D>(200 - 90 * s, 20, s));
    for (std::size_t p = 0; p < world[s].size(); ++p, ++id) {
      add_fresh(all.sets[s]);
      all.sets[s].particles.id[0][p] = id;
      all.sets[s].particles[column::user][0][p] = double(id % 4);
    }
  }
  ASSERT_TRUE(sort_from_world(all, world));
  const auto before = places_of(all);
  const std::vector<std::string> names{"phi", "x", "y", "z", "t", "speed", "pressure", "u", "own"};
  Transitions transitions;
  for (const auto& [from, to, when] : {std::tuple{0, 1, "u == 1"}, std::tuple{1, 2, "own*(u - 2)"},
                                       std::tuple{0, 2, "u <= 2 && speed == 0 && t > 1"}})
    transitions.push_back(
        {static_cast<int>(transitions.size()), from, to, 0, *parse_expression(when, names)});
  Changeover<double, D> changes(all, transitions, 2.0);
  ASSERT_TRUE(changes.any());
  EXPECT_FALSE(changes.append_changed().found());
  changes.append_moved();
  std::vector<std::uint64_t> counts(3, 0);
  changes.count(counts);
  changes.regroup();
  // Of the 200 snow particles a quarter has each u, of the 110 of fluid 27 or 28.
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{50, 27, 100}));
  EXPECT_TRUE(places_of(all) == before);
  for (int s = 0; s < 3; ++s)
    for (std::size_t p = 0; p < all.sets[s].particles.size(); ++p) {
      const auto& particles = all.sets[s].particles;
      const std::uint64_t own = particles.id[0][p];
      const int first = own < 200 ? 0 : own < 310 ? 1 : 2, u = static_cast<int>(own % 4);
      const int expected = first == 0            ? (u == 1   ? 1
                                                    : u <= 2 ? 2
                                                             : 0)
                           : first == 1 && u > 2 ? 2
                                                 : first;
      EXPECT_EQ(s, expected) << own;
      EXPECT_EQ(particles[column::user][0][p], u);
      EXPECT_NEAR(particles.volume[0][p], 1e-4, 1e-18);
      EXPECT_EQ(particles[column::stiffness][0][p], 1);
    }
  EXPECT_FALSE((Changeover<double, D>(all, {transitions[0]}, 2.0).any()));
}

}  // namespace
}  // namespace firn
