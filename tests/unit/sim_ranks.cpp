// Ranks of ids agree with sorting, whether ids are dense, sparse or doubled.
#include "sim/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace firn {
namespace {

// Ids in random order, spread over three lists of which one is empty.
struct Lists {
  std::vector<std::vector<std::uint64_t>> ids;
  std::vector<IdList> views;
};
Lists spread(std::vector<std::uint64_t> ids) {
  std::shuffle(ids.begin(), ids.end(), std::mt19937(5));
  const auto cut = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 3);
  Lists lists{{{ids.begin(), cut}, {}, {cut, ids.end()}}, {}};
  for (const auto& list : lists.ids) lists.views.push_back({list.data(), list.size()});
  return lists;
}

void expect_order(const std::vector<std::uint64_t>& sorted) {
  const Lists lists = spread(sorted);
  const auto ranks = ranks_by_id(lists.views);
  std::vector<bool> taken(sorted.size());
  for (std::size_t l = 0; l < lists.ids.size(); ++l) {
    ASSERT_EQ(ranks[l].size(), lists.ids[l].size());
    for (std::size_t i = 0; i < ranks[l].size(); ++i) {
      ASSERT_LT(ranks[l][i], sorted.size());
      EXPECT_EQ(sorted[ranks[l][i]], lists.ids[l][i]);
      EXPECT_FALSE(taken[ranks[l][i]]);
      taken[ranks[l][i]] = true;
    }
  }
}

TEST(Ranks, OfConsecutiveIds) {
  std::vector<std::uint64_t> ids(100000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = 17 + i;
  expect_order(ids);
}

TEST(Ranks, OfIdsWithGaps) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 5000; ++i)
    if (i % 3 != 1) ids.push_back(i);
  expect_order(ids);
}

TEST(Ranks, OfIdsFarApart) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 2000; ++i) ids.push_back(i * i * 1000003 + (i << 40));
  expect_order(ids);
  expect_order({0, ~std::uint64_t(0)});
}

TEST(Ranks, OfIdsThatOccurTwiceAreStillDifferent) {
  expect_order({1, 2, 2, 3, 4, 4, 4, 5});
}

TEST(Ranks, OfNothing) {
  EXPECT_TRUE(ranks_by_id({}).empty());
  EXPECT_EQ(ranks_by_id({{nullptr, 0}}).size(), 1u);
}

}  // namespace
}  // namespace firn
