// Tables of coarser grids for devices, and the functions of their nodes.
#include "mpm/coarse_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace firn {
namespace {

template <int D>
std::vector<BlockCoord<D>> some_blocks(int across, double share) {
  std::vector<BlockCoord<D>> coords;
  RandomStream stream(3, 0);
  for (int k = 0; k < power(across, D); ++k) {
    BlockCoord<D> c;
    for (int a = 0, rest = k; a < D; ++a, rest /= across) c[a] = rest % across - across / 2;
    if (stream.next_double() < share) coords.push_back(c);
  }
  return coords;
}

template <int D>
int place_in(const std::vector<BlockCoord<D>>& coords, const BlockCoord<D>& c) {
  const auto found = std::find(coords.begin(), coords.end(), c);
  return found == coords.end() ? -1 : static_cast<int>(found - coords.begin());
}

template <int D>
void expect_tables() {
  constexpr int kNeighbors = CoarseShape<D>::kNeighbors;
  const auto finer = some_blocks<D>(5, 0.4);
  const auto above = CoarseBlocks<D>::above(finer, {});
  for (std::size_t n = 0; n < above.coords.size(); ++n)
    for (int code = 0; code < kNeighbors; ++code) {
      BlockCoord<D> around = neighbor_offset<D>(code), below = around;
      for (int a = 0; a < D; ++a) {
        around[a] += above.coords[n][a];
        below[a] += 2 * above.coords[n][a];
      }
      EXPECT_EQ(above.neighbors[n * kNeighbors + std::size_t(code)],
                place_in<D>(above.coords, around));
      EXPECT_EQ(above.finer[n * kNeighbors + std::size_t(code)], place_in<D>(finer, below));
    }
}
TEST(CoarseBlocks, KnowTheirNeighbors) {
  expect_tables<2>();
  expect_tables<3>();
}

// Of every node of the finer grid.
template <int D>
void expect_parents() {
  constexpr int kEdge = BlockShape<D>::kEdge, kNodes = BlockShape<D>::kNodes;
  const auto finer = some_blocks<D>(5, 0.4);
  const auto above = CoarseBlocks<D>::above(finer, {});
  for (const BlockCoord<D>& block : finer)
    for (int i = 0; i < kNodes; ++i)
      for (int o = 0; o < CoarseShape<D>::kCorners; ++o) {
        BlockCoord<D> parent;
        bool is_parent = true;
        for (int a = D - 1, rest = i; a >= 0; --a, rest /= kEdge) {
          const int at = block[a] * kEdge + rest % kEdge;
          is_parent = is_parent && (bit_of<D>(o, a) == 0 || (at & 1));
          const int node = (at >> 1) + bit_of<D>(o, a);
          parent[a] = (node - (node % kEdge + kEdge) % kEdge) / kEdge;
        }
        EXPECT_TRUE(!is_parent || place_in<D>(above.coords, parent) >= 0);
      }
}
TEST(CoarseBlocks, HoldAllParents) {
  expect_parents<2>();
  expect_parents<3>();
}

TEST(CoarseBlocks, GoOnUntilTheyAreFew) {
  const auto levels = coarse_blocks<3>(some_blocks<3>(9, 0.6), {});
  ASSERT_GE(levels.size(), 4u);
  EXPECT_LE(levels.size(), 6u);
  EXPECT_LE(levels.back().coords.size(), 27u);
}
TEST(CoarseBlocks, WrapAroundPeriods) {
  CoarseBlocks<2>::Periods periods{NodePeriod{0, 4}, NodePeriod{}};
  const std::vector<BlockCoord<2>> finer{{{0, 0}}, {{1, 0}}, {{2, 0}}, {{3, 0}}};
  ASSERT_TRUE(CoarseBlocks<2>::can_halve(periods));
  const auto above = CoarseBlocks<2>::above(finer, periods);
  EXPECT_EQ(above.coords.size(), 2u);
  EXPECT_FALSE(CoarseBlocks<2>::can_halve(above.periods));
  for (const int before : {1, 7})  // steps along the periodic axis
    EXPECT_GE(above.neighbors[std::size_t(before)], 0);
}

// What nodes of the finer grid give is what they get, and all of it.
template <int D>
void expect_shares() {
  for (int child = 0; child < CoarseShape<D>::kCorners; ++child) {
    double sum = 0;
    for (int o = 0; o < CoarseShape<D>::kCorners; ++o) {
      const double share = share_of_corner<double>(child, o);
      sum += share;
      if (share > 0) {
        EXPECT_EQ(share, (share_of_finer<double, D>(towards<D>(child))));
        EXPECT_EQ(share, (share_of_finer<double, D>(between_corners<D>(o, child ^ o))));
      }
    }
    EXPECT_EQ(sum, 1);
  }
}
TEST(CoarseNode, SharesAreThoseOfTheTranspose) {
  expect_shares<2>();
  expect_shares<3>();
}

// A motion of the whole meets no stiffness, nor does a turn meet a modulus of volume or shape.
template <int D>
void expect_free_motions() {
  for (int part = 0; part < CoarseShape<D>::kCorners; ++part)
    for (int a = 0; a < CoarseShape<D>::kCorners; ++a)
      for (int i = 0; i < D; ++i) {
        double whole = 0, turn = 0;
        for (int b = 0; b < CoarseShape<D>::kCorners; ++b) {
          const auto ga = part_gradient<double, D>(part, a), gb = part_gradient<double, D>(part, b);
          const double x = bit_of<D>(b, 0), y = bit_of<D>(b, 1);
          whole += bulk_entry(ga, gb, i, 0) + shear_entry(ga, gb, i, 0);
          turn += y * (bulk_entry(ga, gb, i, 0) + shear_entry(ga, gb, i, 0)) -
                  x * (bulk_entry(ga, gb, i, 1) + shear_entry(ga, gb, i, 1));
        }
        EXPECT_NEAR(whole, 0, 1e-15);
        EXPECT_NEAR(turn, 0, 1e-15);
      }
}
TEST(CoarseNode, MotionsOfTheWholeAreFree) {
  expect_free_motions<2>();
  expect_free_motions<3>();
}

TEST(CoarseNode, OwnBlocksAreInverted) {
  SymMat<double, 3> elastic = SymMat<double, 3>::isotropic(5), springs = elastic;
  elastic(0, 1) = 1.5;
  const auto made = own_block<double, 3>([&](int i, int j) { return elastic(i, j); }, springs, 2.0);
  const Mat<double, 3> product = made.whole.full() * made.inverse.full();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(product(i, j), i == j ? 1 : 0, 1e-14);
  const auto bare = own_block<double, 3>([](int, int) { return 0.0; }, springs, 2.0);
  EXPECT_EQ(bare.inverse(0, 0), 0);
}

}  // namespace
}  // namespace firn
