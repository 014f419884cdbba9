// From places on a grid to numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/vec.h"

namespace firn {

// Nodes, or blocks of them, along a periodic axis: [first, first + count); no count: unbounded.
struct NodePeriod {
  int first = 0, count = 0;
};

template <int D>
class PlaceTable {
 public:
  explicit PlaceTable(std::size_t expected) {
    std::size_t size = 64;
    while (size < 2 * expected) size *= 2;
    slots_.assign(size, -1);
  }
  // The number of a place; -1: none.
  int find(const std::vector<Vec<int, D>>& places, const Vec<int, D>& c) const {
    const std::size_t at = slot_of(places, c);
    return slots_[at];
  }
  void insert(std::vector<Vec<int, D>>& places, const Vec<int, D>& c) {
    const std::size_t at = slot_of(places, c);
    if (slots_[at] >= 0) return;
    slots_[at] = static_cast<int>(places.size());
    places.push_back(c);
    if (2 * places.size() > slots_.size()) grow(places);
  }

 private:
  std::size_t slot_of(const std::vector<Vec<int, D>>& places, const Vec<int, D>& c) const {
    std::uint64_t hash = 0;
    for (int a = 0; a < D; ++a)
      hash = (hash ^ static_cast<std::uint32_t>(c[a])) * 0x9e3779b97f4a7c15ull;
    std::size_t at = (hash >> 20) & (slots_.size() - 1);
    while (slots_[at] >= 0 && !(places[slots_[at]] == c)) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow(const std::vector<Vec<int, D>>& places) {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t i = 0; i < places.size(); ++i)
      slots_[slot_of(places, places[i])] = static_cast<int>(i);
  }

  std::vector<int> slots_;
};

// Of a place at most one period outside.
template <int D>
Vec<int, D> wrapped(Vec<int, D> c, const std::array<NodePeriod, D>& periods) {
  for (int a = 0; a < D; ++a) {
    const auto [first, count] = periods[a];
    if (count == 0) continue;
    if (c[a] < first) c[a] += count;
    if (c[a] >= first + count) c[a] -= count;
  }
  return c;
}

}  // namespace firn
