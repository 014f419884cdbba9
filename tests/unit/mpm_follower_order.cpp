// The order in which nodes behind mirrors follow others (mpm/follower_order.h): leaders come first,
// and rounds in which all act at once give what one after the other does, back and forth.
#include "mpm/follower_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace firn {
namespace {

constexpr int kNodes = 60;

struct Follower {
  std::int64_t node;
  std::int64_t free[2];
};

// Nodes that follow one or two of those with larger numbers, some of them twice.
std::vector<Follower> random_followers(std::mt19937& random) {
  std::vector<Follower> followers;
  for (std::int64_t node = 0; node + 1 < kNodes; ++node)
    for (unsigned k = random() % 3; k > 0; --k) {
      const auto leader = [&] { return node + 1 + std::int64_t(random() % (kNodes - 1 - node)); };
      followers.push_back({node, {leader(), random() % 2 == 0 ? -1 : leader()}});
    }
  return followers;
}

double weight(std::size_t k, int j) {
  return std::sin(double(3 * k) + j);
}
double of_leaders(const std::vector<double>& from, const Follower& f, std::size_t k) {
  double sum = weight(k, 2) * from[f.node];
  for (int j = 0; j < 2; ++j)
    if (f.free[j] >= 0) sum += weight(k, j) * from[f.free[j]];
  return sum;
}
void give(std::vector<double>& to, const Follower& f, std::size_t k, double value) {
  for (int j = 0; j < 2; ++j)
    if (f.free[j] >= 0) to[f.free[j]] += weight(k, j) * value;
}

TEST(FollowerOrder, LeadersComeFirst) {
  std::mt19937 random(1);
  const std::vector<Follower> followers = random_followers(random);
  const std::vector<std::uint32_t> order = leaders_first(followers);
  ASSERT_EQ(order.size(), followers.size());
  std::vector<std::size_t> place(followers.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (std::size_t a = 0; a < followers.size(); ++a)
    for (std::size_t b = 0; b < followers.size(); ++b)
      if (followers[a].free[0] == followers[b].node || followers[a].free[1] == followers[b].node) {
        EXPECT_LT(place[b], place[a]);
      }
}

TEST(FollowerOrder, RoundsGiveWhatTheOrderDoes) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<Follower> followers = random_followers(random);
    std::vector<std::uint32_t> order = leaders_first(followers);
    // Whatever the order is, also where leaders come later.
    if (trial % 2 == 1) std::shuffle(order.begin(), order.end(), random);
    const std::vector<int> rounds = follower_rounds(followers, order);
    std::vector<double> start(kNodes);
    for (double& x : start) x = std::uniform_real_distribution(-1.0, 1.0)(random);
    std::vector<double> spread = start, folded = start;
    for (const std::uint32_t k : order)
      spread[followers[k].node] = of_leaders(spread, followers[k], k);
    for (auto k = order.rbegin(); k != order.rend(); ++k) {
      const double here = folded[followers[*k].node];
      give(folded, followers[*k], *k, here);
      folded[followers[*k].node] = weight(*k, 2) * here;
    }
    std::vector<double> spread_at_once = start, folded_at_once = start;
    const int last = *std::max_element(rounds.begin(), rounds.end());
    for (int round = 0; round <= last; ++round) {
      const std::vector<double> before = spread_at_once;
      for (std::size_t k = 0; k < followers.size(); ++k)
        if (rounds[k] == round)
          spread_at_once[followers[k].node] = of_leaders(before, followers[k], k);
    }
    for (int round = last; round >= 0; --round) {
      const std::vector<double> before = folded_at_once;
      for (std::size_t k = 0; k < followers.size(); ++k)
        if (rounds[k] == round) give(folded_at_once, followers[k], k, before[followers[k].node]);
      for (std::size_t k = 0; k < followers.size(); ++k)
        if (rounds[k] == round)
          folded_at_once[followers[k].node] = weight(k, 2) * before[followers[k].node];
    }
    for (int i = 0; i < kNodes; ++i) {
      EXPECT_NEAR(spread[i], spread_at_once[i], 1e-9 * (1 + std::abs(spread[i])));
      EXPECT_NEAR(folded[i], folded_at_once[i], 1e-9 * (1 + std::abs(folded[i])));
    }
  }
}

}  // namespace
}  // namespace firn
