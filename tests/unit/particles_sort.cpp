// Sorting keeps particles, their places and all that they carry.
#include "particles/sort.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "exec/parallel.h"
#include "particles_common.h"

namespace firn {
namespace {

template <class Kind>
class ParticleSort : public ::testing::Test {
 public:
  using T = typename Kind::T;
  static constexpr int D = Kind::D;

  // Two sets with ids 0.. and 100000.., sorted; where they are by id.
  static Particles<T, D> sorted(std::map<std::uint64_t, Vec3d>& where, bool periodic = false) {
    Particles<T, D> all = empty_sets<T, D>(2, periodic);
    std::vector<std::vector<Vec3d>> world;
    const double cells = periodic ? BlockShape<D>::kEdge : 20;
    for (int s = 0; s < 2; ++s) {
      world.push_back(random_places<D>(700, cells, 11 + s));
      all.sets[s].particles.resize(world[s].size());
      for (std::size_t p = 0; p < world[s].size(); ++p) {
        sign(all.sets[s].particles, p, 100000u * s + p);
        where[100000u * s + p] = world[s][p];
      }
    }
    EXPECT_TRUE(sort_from_world(all, world));
    return all;
  }
  // Moves particles by less than the margin.
  static void drift(Particles<T, D>& all, std::map<std::uint64_t, Vec3d>& where, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> way(-0.999, 0.999);
    for (auto& set : all.sets)
      for (std::size_t p = 0; p < set.particles.size(); ++p)
        for (int a = 0; a < D; ++a) {
          const T before = set.particles.position[a][p];
          set.particles.position[a][p] += T(way(random));
          where[set.particles.id[0][p]][a] += double(set.particles.position[a][p] - before) * kCell;
        }
    all.drift = 1;
  }
};
TYPED_TEST_SUITE(ParticleSort, AllKinds);

TYPED_TEST(ParticleSort, PlacesParticlesInTheirBlocks) {
  std::map<std::uint64_t, Vec3d> where;
  const auto all = TestFixture::sorted(where);
  expect_sorted(all);
  expect_places(all, where);
  for (const auto& set : all.sets)  // and is stable
    for (int b = 0; b < all.blocks.occupied(); ++b)
      for (std::uint32_t p = set.begin[b] + 1; p < set.begin[b + 1]; ++p)
        EXPECT_LT(set.particles.id[0][p - 1], set.particles.id[0][p]);
}

TYPED_TEST(ParticleSort, FollowsDrift) {
  std::map<std::uint64_t, Vec3d> where;
  auto all = TestFixture::sorted(where);
  for (unsigned round = 0; round < 6; ++round) {
    TestFixture::drift(all, where, round);
    sort_after_drift(all);
    expect_sorted(all);
    expect_places(all, where);
  }
}

// What leaves a periodic scene at one end is in the blocks of the other.
TYPED_TEST(ParticleSort, FollowsDriftThroughSeams) {
  constexpr int D = TestFixture::D;
  constexpr double kEdge = BlockShape<D>::kEdge;
  std::map<std::uint64_t, Vec3d> where;
  auto all = TestFixture::sorted(where, true);
  for (unsigned round = 0; round < 40; ++round) {
    TestFixture::drift(all, where, round);
    for (auto& [id, x] : where) x[0] = wrapped_cells<D>({-1, 3}, x[0] / kCell) * kCell;
    sort_after_drift(all);
    expect_sorted(all);
  }
  const double length = 3 * kEdge * kCell;
  for (const auto& [id, x] : places_of(all)) {
    EXPECT_GE(x[0], -kEdge * kCell);
    EXPECT_LT(x[0], 2 * kEdge * kCell);
    EXPECT_NEAR(std::remainder(x[0] - where[id][0], length), 0, 1e-4 * kCell);
  }
}

TYPED_TEST(ParticleSort, DoesNotDependOnThreads) {
  const int before = thread_count();
  std::vector<std::vector<std::uint64_t>> orders;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    std::map<std::uint64_t, Vec3d> where;
    auto all = TestFixture::sorted(where);
    TestFixture::drift(all, where, 3);
    sort_after_drift(all);
    std::vector<std::uint64_t> order;
    for (const auto& set : all.sets)
      order.insert(order.end(), set.particles.id[0], set.particles.id[0] + set.particles.size());
    orders.push_back(order);
  }
  set_thread_count(before);
  EXPECT_EQ(orders[0], orders[1]);
}

// A hair below a block's edge is in the block before, at its end, however much rounding wants it at
// the edge itself.
TYPED_TEST(ParticleSort, AHairBelowTheEdge) {
  using T = typename TestFixture::T;
  constexpr int D = TestFixture::D;
  auto all = empty_sets<T, D>(1);
  all.sets[0].particles.resize(1);
  sign(all.sets[0].particles, 0, 1);
  ASSERT_TRUE(sort_from_world(all, {{Vec3d::fill(kCell * (all.shift + 0.25))}}));
  const auto home = all.blocks.coord(0);
  for (int a = 0; a < D; ++a) all.sets[0].particles.position[a][0] = T(-1e-30);
  sort_after_drift(all);
  expect_sorted(all);
  for (int a = 0; a < D; ++a) EXPECT_EQ(all.blocks.coord(0)[a], home[a] - 1);
}

TYPED_TEST(ParticleSort, SaysWhereTheGridEnds) {
  using T = typename TestFixture::T;
  constexpr int D = TestFixture::D;
  for (const double far : {1e12, -1e12, double(NAN), double(INFINITY)}) {
    auto all = empty_sets<T, D>(1);
    all.sets[0].particles.resize(1);
    sign(all.sets[0].particles, 0, 1);
    EXPECT_FALSE(sort_from_world(all, {{Vec3d{{far, 0, 0}}}}));
  }
}

}  // namespace
}  // namespace firn
