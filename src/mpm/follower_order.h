// In which order nodes behind mirrors (implicit_follower.h) take their velocities: whom a node
// follows may follow others because of another wall, and comes first. What acts on them goes back
// in the opposite order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace firn {

// Numbers of the followers, which are given with those of one node side by side.
template <class Follower>
std::vector<std::uint32_t> leaders_first(const std::vector<Follower>& followers) {
  std::unordered_map<std::int64_t, std::uint32_t> first;
  for (std::size_t k = followers.size(); k-- > 0;)
    first[followers[k].node] = static_cast<std::uint32_t>(k);
  std::vector<std::uint32_t> ordered;
  std::vector<bool> seen(followers.size(), false);
  const auto visit = [&](const auto& self, std::uint32_t from) -> void {
    if (seen[from]) return;
    seen[from] = true;
    const std::int64_t node = followers[from].node;
    for (std::uint32_t k = from; k < followers.size() && followers[k].node == node; ++k) {
      for (const std::int64_t leader : followers[k].free)
        if (const auto found = first.find(leader); found != first.end()) self(self, found->second);
      ordered.push_back(k);
    }
  };
  for (std::uint32_t k = 0; k < followers.size(); ++k)
    if (k == 0 || followers[k].node != followers[k - 1].node) visit(visit, k);
  return ordered;
}

// Rounds in which all may act at once that are in the same, with what comes of the given order:
// nobody follows a node that is in its own round.
template <class Follower>
std::vector<int> follower_rounds(const std::vector<Follower>& followers,
                                 const std::vector<std::uint32_t>& order) {
  std::unordered_map<std::int64_t, int> written, read;  // rounds so far, by node
  std::vector<int> rounds(followers.size());
  for (const std::uint32_t k : order) {
    const Follower& f = followers[k];
    int round = std::max(written[f.node], read[f.node]);
    for (const std::int64_t leader : f.free)
      if (leader >= 0) round = std::max(round, written[leader]);
    rounds[k] = round;
    written[f.node] = round + 1;
    for (const std::int64_t leader : f.free)
      if (leader >= 0) read[leader] = std::max(read[leader], round + 1);
  }
  return rounds;
}

}  // namespace firn
