// Particles that come and go: the others keep their places, their order and all that they carry.
#include "particles/add_remove.h"

#include <gtest/gtest.h>

#include <limits>

#include "particles_common.h"

namespace firn {
namespace {

template <class Kind>
class AddRemove : public ::testing::Test {
 public:
  using T = typename Kind::T;
  static constexpr int D = Kind::D;

  // Appends particles with ids from `next` on to a set.
  static void append(Particles<T, D>& all, ParticleChanges<T, D>& changes, int s,
                     const std::vector<Vec3d>& places, std::uint64_t next) {
    auto& set = all.sets[s].particles;
    const std::size_t first = set.size();
    set.resize(first + places.size());
    for (std::size_t i = 0; i < places.size(); ++i) sign(set, first + i, next + i);
    changes.world[s] = places;
  }
  static ParticleChanges<T, D> no_changes(const Particles<T, D>& all) {
    ParticleChanges<T, D> changes;
    changes.world.resize(all.sets.size());
    changes.removed.resize(all.sets.size());
    for (const auto& set : all.sets) changes.first_new.push_back(set.particles.size());
    return changes;
  }
  static std::vector<std::uint64_t> ids(const Particles<T, D>& all, int s) {
    const auto& set = all.sets[s].particles;
    return {set.id[0], set.id[0] + set.size()};
  }
  static Particles<T, D> nobody(int sets) {
    Particles<T, D> all = empty_sets<T, D>(sets);
    EXPECT_TRUE(sort_from_world(all, std::vector<std::vector<Vec3d>>(sets)));
    return all;
  }
};
TYPED_TEST_SUITE(AddRemove, AllKinds);

// Rounds of random coming and going against a list of who is where.
TYPED_TEST(AddRemove, KeepsTheBooks) {
  constexpr int D = TestFixture::D;
  auto all = TestFixture::nobody(2);
  std::map<std::uint64_t, Vec3d> where;
  std::uint64_t next = 5;
  std::mt19937 random(2);
  for (unsigned round = 0; round < 8; ++round) {
    auto changes = TestFixture::no_changes(all);
    for (int s = 0; s < 2; ++s) {
      if (round % 3 == unsigned(s)) continue;  // no flags: none goes
      changes.removed[s].assign(all.sets[s].particles.size(), 0);
      for (std::size_t p = 0; p < changes.removed[s].size(); ++p)
        if (random() % 3 == 0) {
          changes.removed[s][p] = 1;
          where.erase(all.sets[s].particles.id[0][p]);
        }
    }
    for (int s = 0; s < 2; ++s) {
      const auto places = random_places<D>(100 + 50 * s, 16, 10 * round + s);
      for (std::size_t i = 0; i < places.size(); ++i) where[next + i] = places[i];
      TestFixture::append(all, changes, s, places, next);
      next += places.size();
    }
    ASSERT_TRUE(add_and_remove(all, changes));
    expect_sorted(all);
    expect_places(all, where);
  }
}

TYPED_TEST(AddRemove, NothingChangesWhereNobodyComesOrGoes) {
  constexpr int D = TestFixture::D;
  auto all = TestFixture::nobody(2);
  auto changes = TestFixture::no_changes(all);
  TestFixture::append(all, changes, 1, random_places<D>(300, 16, 4), 0);
  ASSERT_TRUE(add_and_remove(all, changes));
  const auto before = TestFixture::ids(all, 1);
  ASSERT_TRUE(add_and_remove(all, TestFixture::no_changes(all)));
  EXPECT_EQ(TestFixture::ids(all, 1), before);
  expect_sorted(all);
}

// In a block those who stay keep their order, and new ones stand behind them.
TYPED_TEST(AddRemove, NewOnesStandBehindTheOthers) {
  auto all = TestFixture::nobody(1);
  auto changes = TestFixture::no_changes(all);
  const std::vector<Vec3d> here(6, Vec3d::fill(1.5 * kCell));
  TestFixture::append(all, changes, 0, here, 10);
  ASSERT_TRUE(add_and_remove(all, changes));
  changes = TestFixture::no_changes(all);
  changes.removed[0] = {1, 0, 0, 1, 0, 0};
  TestFixture::append(all, changes, 0, {here.begin(), here.begin() + 2}, 20);
  ASSERT_TRUE(add_and_remove(all, changes));
  EXPECT_EQ(TestFixture::ids(all, 0), (std::vector<std::uint64_t>{11, 12, 14, 15, 20, 21}));
}

TYPED_TEST(AddRemove, EmptyBlocksGo) {
  auto all = TestFixture::nobody(1);
  auto changes = TestFixture::no_changes(all);
  TestFixture::append(all, changes, 0, {Vec3d::fill(0.1), Vec3d::fill(3)}, 0);
  ASSERT_TRUE(add_and_remove(all, changes));
  ASSERT_EQ(all.blocks.occupied(), 2);
  changes = TestFixture::no_changes(all);
  changes.removed[0] = {0, 1};
  ASSERT_TRUE(add_and_remove(all, changes));
  EXPECT_EQ(all.blocks.occupied(), 1);
  changes = TestFixture::no_changes(all);
  changes.removed[0] = {1};
  ASSERT_TRUE(add_and_remove(all, changes));
  EXPECT_EQ(all.blocks.occupied(), 0);
  EXPECT_EQ(all.count(), 0u);
  expect_sorted(all);
}

TYPED_TEST(AddRemove, SaysWhereTheGridEnds) {
  auto all = TestFixture::nobody(1);
  auto changes = TestFixture::no_changes(all);
  TestFixture::append(all, changes, 0, {Vec3d{{1e12, 0, 0}}}, 0);
  EXPECT_FALSE(add_and_remove(all, changes));
}

// A set takes in another with the same columns.
TYPED_TEST(AddRemove, SetsAppendAllColumns) {
  auto all = TestFixture::nobody(2);
  for (int s = 0; s < 2; ++s) {
    all.sets[s].particles.resize(3);
    for (std::size_t p = 0; p < 3; ++p) sign(all.sets[s].particles, p, 10 * (s + 1) + p);
  }
  all.sets[0].particles.append(all.sets[1].particles);
  EXPECT_EQ(TestFixture::ids(all, 0), (std::vector<std::uint64_t>{10, 11, 12, 20, 21, 22}));
  for (std::size_t p = 0; p < 6; ++p) expect_signed(all.sets[0].particles, p);
}

}  // namespace
}  // namespace firn
