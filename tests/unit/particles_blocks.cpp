// The sparse grid of blocks: keys, neighbours, periods.
#include "particles/blocks.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace firn {
namespace {

template <class Dimension>
class Blocks : public ::testing::Test {
 public:
  static constexpr int D = Dimension::value;
  using Coord = BlockCoord<D>;

  // Ascending keys of random blocks within `range` of the origin.
  static std::vector<std::uint64_t> some_keys(int count, int range, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> at(-range, range);
    std::set<std::uint64_t> keys;
    for (int i = 0; i < count; ++i) {
      Coord c;
      for (int a = 0; a < D; ++a) c[a] = at(random);
      keys.insert(morton_key<D>(c));
    }
    return {keys.begin(), keys.end()};
  }
  // What the topology must be, block by block.
  static void expect_topology(const BlockTopology<D>& blocks,
                              const std::vector<std::uint64_t>& occupied) {
    ASSERT_EQ(blocks.occupied(), static_cast<int>(occupied.size()));
    std::map<std::uint64_t, int> slots;
    std::set<std::uint64_t> wanted(occupied.begin(), occupied.end());
    for (int slot = 0; slot < blocks.size(); ++slot) slots[blocks.key(slot)] = slot;
    ASSERT_EQ(static_cast<int>(slots.size()), blocks.size()) << "a block has two slots";
    for (const std::uint64_t key : occupied)
      for (int code = 0; code < BlockShape<D>::kNeighbors; ++code)
        wanted.insert(
            morton_key<D>(blocks.wrapped(morton_coord<D>(key) + neighbor_offset<D>(code))));
    ASSERT_EQ(wanted.size(), slots.size());
    for (int slot = 0; slot < blocks.size(); ++slot) {
      if (slot < blocks.occupied()) {
        EXPECT_EQ(blocks.key(slot), occupied[slot]);
      }
      EXPECT_TRUE(wanted.count(blocks.key(slot)));
      EXPECT_EQ(blocks.find(blocks.key(slot)), slot);
      EXPECT_EQ(morton_key<D>(blocks.coord(slot)), blocks.key(slot));
      for (int code = 0; code < BlockShape<D>::kNeighbors; ++code) {
        const Coord c = blocks.wrapped(blocks.coord(slot) + neighbor_offset<D>(code));
        const auto found = slots.find(morton_key<D>(c));
        EXPECT_EQ(blocks.neighbors(slot)[code], found == slots.end() ? -1 : found->second);
      }
    }
  }
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Blocks, Dimensions);

TYPED_TEST(Blocks, KeysAndCoordinatesAreOneToOne) {
  constexpr int D = TestFixture::D;
  constexpr int kFarthest = D == 3 ? 1 << 19 : 1 << 29;
  std::mt19937 random(1);
  for (const int range : {3, 1000, kFarthest}) {
    std::uniform_int_distribution<int> at(-range, range);
    for (int i = 0; i < 1000; ++i) {
      BlockCoord<D> c;
      for (int a = 0; a < D; ++a) c[a] = i < 2 ? (i ? range : -range) : at(random);
      EXPECT_EQ(morton_coord<D>(morton_key<D>(c)), c);
    }
  }
}

// Blocks that a cube of 2^n blocks holds have keys that follow each other.
TYPED_TEST(Blocks, ARangeOfKeysIsAPieceOfSpace) {
  constexpr int D = TestFixture::D;
  BlockCoord<D> corner;
  for (int a = 0; a < D; ++a) corner[a] = -8 + 4 * a;
  std::set<std::uint64_t> keys;
  for (int i = 0; i < power(4, D); ++i) {
    BlockCoord<D> c = corner;
    for (int a = 0, rest = i; a < D; ++a, rest /= 4) c[a] += rest % 4;
    keys.insert(morton_key<D>(c));
  }
  EXPECT_EQ(*keys.rbegin() - *keys.begin() + 1, std::uint64_t(power(4, D)));
}

TYPED_TEST(Blocks, CodesOfNeighboursAreOneToOne) {
  constexpr int D = TestFixture::D;
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  for (int code = 0; code < kNeighbors; ++code) {
    EXPECT_EQ(neighbor_code<D>(neighbor_offset<D>(code)), code);
    const auto here = neighbor_offset<D>(code),
               opposite = neighbor_offset<D>(kNeighbors - 1 - code);
    for (int a = 0; a < D; ++a) EXPECT_EQ(here[a], -opposite[a]);
  }
  for (int a = 0; a < D; ++a) EXPECT_EQ(neighbor_offset<D>(kNeighbors / 2)[a], 0);
}

TYPED_TEST(Blocks, EveryOccupiedBlockHasAllItsNeighbours) {
  BlockTopology<TestFixture::D> blocks;
  for (const int range : {1, 4, 300}) {  // crowded and scattered; what was before must be forgotten
    const auto keys = TestFixture::some_keys(60, range, 7);
    blocks.build(keys);
    TestFixture::expect_topology(blocks, keys);
  }
  blocks.build({});
  TestFixture::expect_topology(blocks, {});
  EXPECT_EQ(blocks.find(morton_key<TestFixture::D>({})), -1);
}

// Along a periodic axis the last block borders on the first, also where these are the same.
TYPED_TEST(Blocks, PeriodsClose) {
  constexpr int D = TestFixture::D;
  for (const int count : {1, 2, 3, 5}) {
    BlockTopology<D> blocks;
    typename BlockTopology<D>::Periods periods{};
    periods[0] = {-2, count};
    blocks.set_periods(periods);
    BlockCoord<D> first{}, last{}, beyond{};
    first[0] = -2;
    last[0] = -3 + count;
    beyond[0] = -2 + count;
    EXPECT_EQ(blocks.wrapped(beyond), first);
    const std::vector<std::uint64_t> keys{morton_key<D>(first)};
    blocks.build(keys);
    TestFixture::expect_topology(blocks, keys);
    Vec<int, D> left{};
    left[0] = -1;
    EXPECT_EQ(blocks.coord(blocks.neighbors(0)[neighbor_code<D>(left)]), last);
    for (int slot = 0; slot < blocks.size(); ++slot) {
      EXPECT_GE(blocks.coord(slot)[0], -2);
      EXPECT_LT(blocks.coord(slot)[0], -2 + count);
    }
  }
}

TYPED_TEST(Blocks, CellsAreBroughtIntoThePeriod) {
  constexpr int D = TestFixture::D;
  constexpr double kEdge = BlockShape<D>::kEdge;
  const BlockPeriod period{-1, 3}, none;
  EXPECT_EQ(wrapped_cells<D>(period, -kEdge), -kEdge);
  EXPECT_EQ(wrapped_cells<D>(period, -kEdge - 0.25), 2 * kEdge - 0.25);
  EXPECT_EQ(wrapped_cells<D>(period, 2 * kEdge), -kEdge);
  EXPECT_EQ(wrapped_cells<D>(none, 1e9), 1e9);
}

TYPED_TEST(Blocks, CornersHoldAllOccupiedBlocks) {
  constexpr int D = TestFixture::D;
  BlockTopology<D> blocks;
  blocks.build({});
  const auto nowhere = occupied_corners(blocks);
  for (int a = 0; a < D; ++a) EXPECT_GT(nowhere.first[a], nowhere.second[a]);
  blocks.build(TestFixture::some_keys(20, 9, 5));
  const auto [first, last] = occupied_corners(blocks);
  for (int a = 0; a < D; ++a) {
    int low = 1 << 20, high = -low;
    for (int slot = 0; slot < blocks.occupied(); ++slot) {
      low = std::min(low, int(blocks.coord(slot)[a]));
      high = std::max(high, int(blocks.coord(slot)[a]));
    }
    EXPECT_EQ(first[a], low);
    EXPECT_EQ(last[a], high);
  }
}

}  // namespace
}  // namespace firn
