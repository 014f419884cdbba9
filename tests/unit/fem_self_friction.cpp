// Friction between deformable bodies: after the solve, and as a potential inside of it.
#include "fem/self_friction.h"

#include <gtest/gtest.h>

#include <limits>

#include "exec/parallel.h"
#include "fem_self_common.h"

namespace firn {
namespace {

template <class Dimension>
class SelfFrictionOf : public testing::Test {};
template <int D>
using FrictionSize = std::integral_constant<int, D>;
using FrictionSizes = testing::Types<FrictionSize<2>, FrictionSize<3>>;
TYPED_TEST_SUITE(SelfFrictionOf, FrictionSizes);

template <int D>
struct Rubbing {
  std::size_t vertices;
  std::vector<SelfPair<D>> pairs;
  std::vector<double> mass, v;

  explicit Rubbing(int trial) {
    const Overlap<D> scene(trial);
    SelfContact<D> contact = scene.blocks.contact(1e3);
    contact.detect(scene.x.data());
    pairs = contact.pairs();
    vertices = scene.blocks.vertices();
    RandomStream random(21, trial);
    for (std::size_t i = 0; i < vertices; ++i) mass.push_back(0.5 + random.next_double());
    v = random_field(random, vertices * D, 1);
  }
  double kinetic() const {
    double energy = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (std::isfinite(mass[i / D])) energy += mass[i / D] * v[i] * v[i] / 2;
    return energy;
  }
  Vec<double, D> momentum() const {
    Vec<double, D> total = Vec<double, D>::zero();
    for (std::size_t i = 0; i < v.size(); ++i) total[i % D] += mass[i / D] * v[i];
    return total;
  }
  Vec<double, D> relative(const SelfPair<D>& pair) const {
    Vec<double, D> apart = Vec<double, D>::zero();
    for (int slot = 0; slot <= pair.corners; ++slot)
      apart += pair.share(slot) * place_in<D>(v, pair.place(slot));
    return apart;
  }
  Vec<double, D> sliding(const SelfPair<D>& pair) const {
    const Vec<double, D> apart = relative(pair);
    return apart - dot(apart, pair.normal) * pair.normal;
  }
};

TYPED_TEST(SelfFrictionOf, TakesEnergyAndKeepsMomentum) {
  constexpr int D = TypeParam::value;
  for (int trial = 0; trial < 20; ++trial)
    for (double mu : {0.0, 0.1, 0.5, 1e9}) {
      Rubbing<D> rubbing(trial);
      ASSERT_GT(rubbing.pairs.size(), 0u);
      const double before = rubbing.kinetic();
      const Vec<double, D> momentum = rubbing.momentum();
      apply_pair_friction<D>(rubbing.pairs, mu, 1e-4, rubbing.mass.data(), rubbing.v.data());
      if (mu == 0) {
        EXPECT_EQ(rubbing.kinetic(), before);
      } else {
        EXPECT_LT(rubbing.kinetic(), before);
      }
      const Vec<double, D> change = rubbing.momentum() - momentum;
      EXPECT_NEAR(dot(change, change), 0, 1e-24);
    }
}

// Alone, a pair sticks if friction may, takes mu dt f if it may not, and leaves what is along its
// normal; a vertex that is held stays.
TYPED_TEST(SelfFrictionOf, SticksOrTakesWhatItMay) {
  constexpr int D = TypeParam::value;
  Rubbing<D> scene(3);
  for (const SelfPair<D>& pair : scene.pairs)
    for (bool held : {false, true})
      for (double mu : {1e-3, 1e12}) {
        constexpr double kDt = 1e-2;
        Rubbing<D> after = scene;
        if (held) after.mass[pair.vertex] = std::numeric_limits<double>::infinity();
        apply_pair_friction<D>({pair}, mu, kDt, after.mass.data(), after.v.data());
        const double along = dot(scene.relative(pair), pair.normal);
        EXPECT_NEAR(dot(after.relative(pair), pair.normal), along, 1e-13);
        const Vec<double, D> slid = after.sliding(pair), was = scene.sliding(pair);
        if (mu > 1) {
          EXPECT_NEAR(dot(slid, slid), 0, 1e-26);
        }
        if (held) {
          EXPECT_TRUE(place_in<D>(after.v, pair.vertex) == place_in<D>(scene.v, pair.vertex));
        }
        const std::uint32_t corner = pair.corner[0];
        const Vec<double, D> change = place_in<D>(after.v, corner) - place_in<D>(scene.v, corner);
        const double impulse = after.mass[corner] * std::sqrt(dot(change, change)) / pair.weight[0];
        if (mu < 1 && dot(slid, slid) > 1e-20) {
          EXPECT_NEAR(impulse, mu * kDt * pair.force, 1e-12);
          EXPECT_GT(dot(slid, was), 0);
        }
      }
}

TYPED_TEST(SelfFrictionOf, DerivativesOfThePotential) {
  constexpr int D = TypeParam::value;
  constexpr double kStep = 1e-6;
  for (int trial = 0; trial < 6; ++trial) {
    const Rubbing<D> rubbing(trial);
    RandomStream random(22, trial);
    std::vector<Vec<double, D>> slips;
    if (trial % 2 == 0)
      for (std::size_t p = 0; p < rubbing.pairs.size(); ++p)
        slips.push_back(place_in<D>(random_field(random, D, 1), 0));
    // Of slips around 1.
    PairFriction<D> friction(rubbing.pairs, rubbing.vertices, 0.4, 0.5, slips);
    const std::size_t n = rubbing.v.size();
    const auto d = random_field(random, n, 1), e = random_field(random, n, 1);
    friction.set_displacements(rubbing.v.data());
    std::vector<double> g(n, 0), product(n, 0), product_e(n, 0), blocks(n * D, 0);
    friction.add_gradient(g.data());
    friction.add_product(d.data(), product.data(), 3);
    friction.add_product(e.data(), product_e.data(), 3);
    friction.add_diagonal_blocks(3, blocks.data());
    const double size = std::sqrt(inner(product, product));
    EXPECT_NEAR(inner(product, e), inner(product_e, d), 1e-12 * size);
    EXPECT_GE(inner(product, d), 0);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> unit(n, 0), column(n, 0);
      unit[i] = 1;
      friction.add_product(unit.data(), column.data(), 3);
      for (int a = 0; a < D; ++a)
        ASSERT_NEAR(column[i / D * D + a], blocks[i * D + a], 1e-12 * size);
    }
    Vec<double, D> total = Vec<double, D>::zero();
    for (std::size_t i = 0; i < n; ++i) total[i % D] += g[i];
    EXPECT_NEAR(dot(total, total), 0, 1e-24 * inner(g, g));

    double energy[2];
    std::vector<double> slope[2];
    for (int side = 0; side < 2; ++side) {
      std::vector<double> u = rubbing.v;
      for (std::size_t i = 0; i < n; ++i) u[i] += (side ? kStep : -kStep) * d[i];
      friction.set_displacements(u.data());
      energy[side] = friction.energy();
      slope[side].assign(n, 0);
      friction.add_gradient(slope[side].data());
    }
    EXPECT_NEAR((energy[1] - energy[0]) / (2 * kStep), inner(g, d), 1e-6 * size);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_NEAR((slope[1][i] - slope[0][i]) / (2 * kStep) * 3, product[i], 2e-5 * size);
  }
}

// Nothing at rest; mu f, against the slip, from `still` on.
TYPED_TEST(SelfFrictionOf, ForceIsCoulombsBeyondAStillSlip) {
  constexpr int D = TypeParam::value;
  const Rubbing<D> scene(3);
  for (const SelfPair<D>& pair : scene.pairs) {
    PairFriction<D> friction({pair}, scene.vertices, 0.3, 1e-3);
    EXPECT_EQ(friction.empty(), false);
    std::vector<double> none(scene.v.size(), 0), g(none);
    friction.set_displacements(none.data());
    friction.add_gradient(g.data());
    EXPECT_EQ(friction.energy(), 0);
    EXPECT_EQ(inner(g, g), 0);
    friction.set_displacements(scene.v.data());
    friction.add_gradient(g.data());
    const Vec<double, D> slip = scene.sliding(pair), force = -place_in<D>(g, pair.vertex);
    ASSERT_GT(dot(slip, slip), 1e-6);
    EXPECT_NEAR(std::sqrt(dot(force, force)), 0.3 * pair.force, 1e-12 * pair.force);
    EXPECT_NEAR(dot(force, slip), -0.3 * pair.force * std::sqrt(dot(slip, slip)),
                1e-12 * pair.force);
  }
}

// What has slipped before pulls back, by less than its own length along the surface alone; what is
// kept for the next step is found again, also from a checkpoint.
TYPED_TEST(SelfFrictionOf, RemembersWhatSlipped) {
  constexpr int D = TypeParam::value;
  constexpr double kStill = 1e-3;
  const Rubbing<D> scene(3);
  std::vector<Vec<double, D>> before;
  RandomStream random(5, 0);
  for (std::size_t p = 0; p < scene.pairs.size(); ++p)
    before.push_back(place_in<D>(random_field(random, D, 0.5 * kStill), 0));
  PairFriction<D> friction(scene.pairs, scene.vertices, 0.3, kStill, before);
  std::vector<double> none(scene.v.size(), 0);
  friction.set_displacements(none.data());
  EXPECT_GT(friction.energy(), 0);
  PairMemory<D> memory;
  for (std::size_t p = 0; p < scene.pairs.size(); ++p) {
    const SelfPair<D>& pair = scene.pairs[p];
    const Vec<double, D> kept = friction.kept_slip(p);
    EXPECT_NEAR(dot(kept, pair.normal), 0, 1e-15);
    const Vec<double, D> along = before[p] - dot(before[p], pair.normal) * pair.normal;
    EXPECT_NEAR(dot(kept - along, kept - along), 0, 1e-24);
    memory.add(pair, kept);
  }
  friction.set_displacements(scene.v.data());  // slides by far more
  for (std::size_t p = 0; p < scene.pairs.size(); ++p) {
    const Vec<double, D> kept = friction.kept_slip(p);
    EXPECT_NEAR(std::sqrt(dot(kept, kept)), kStill, 1e-12);
  }
  PairMemory<D> loaded;
  const std::vector<double> state = memory.save();
  ASSERT_TRUE(loaded.load(state, scene.vertices));
  EXPECT_EQ(loaded.save(), state);
  for (const SelfPair<D>& pair : scene.pairs) {
    EXPECT_TRUE(loaded.slip_of(pair) == memory.slip_of(pair));
    SelfPair<D> other = pair;
    other.body += 7;
    EXPECT_TRUE(loaded.slip_of(other) == (Vec<double, D>::zero()));
  }
  EXPECT_FALSE(loaded.load(state, 1));
  EXPECT_FALSE(loaded.load({1, 2}, scene.vertices));
  EXPECT_FALSE(loaded.load(std::vector<double>(state.size(), std::nan("")), scene.vertices));
}

TYPED_TEST(SelfFrictionOf, SumsDependOnNoThreads) {
  constexpr int D = TypeParam::value;
  const Rubbing<D> rubbing(5);
  const int before = thread_count();
  std::vector<std::vector<double>> results;
  for (int threads : {1, 3}) {
    set_thread_count(threads);
    PairFriction<D> friction(rubbing.pairs, rubbing.vertices, 0.4, 0.5);
    friction.set_displacements(rubbing.v.data());
    std::vector<double> result(rubbing.v.size(), 0);
    friction.add_gradient(result.data());
    friction.add_product(rubbing.v.data(), result.data(), 1);
    result.push_back(friction.energy());
    results.push_back(result);
  }
  set_thread_count(before);
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace firn
