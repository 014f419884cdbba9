#include "particles/blocks.h"

#include <algorithm>

#include "exec/parallel.h"

namespace firn {
namespace {

// Block coordinates are offset to be positive before their bits are interleaved.
template <int D>
constexpr int kBits = D == 3 ? 21 : 31;
template <int D>
constexpr std::int64_t kOffset = std::int64_t(1) << (kBits<D> - 1);

template <int D>
std::uint64_t spread(std::uint64_t v) {
  std::uint64_t r = 0;
  for (int b = 0; b < kBits<D>; ++b) r |= ((v >> b) & 1) << (b * D);
  return r;
}
template <int D>
std::uint64_t collect(std::uint64_t v) {
  std::uint64_t r = 0;
  for (int b = 0; b < kBits<D>; ++b) r |= ((v >> (b * D)) & 1) << b;
  return r;
}

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  return x ^ (x >> 29);
}

}  // namespace

template <int D>
std::uint64_t morton_key(const BlockCoord<D>& c) {
  std::uint64_t key = 0;
  for (int a = 0; a < D; ++a)
    key |= spread<D>(static_cast<std::uint64_t>(c[a] + kOffset<D>)) << (D - 1 - a);
  return key;
}

template <int D>
BlockCoord<D> morton_coord(std::uint64_t key) {
  BlockCoord<D> c;
  for (int a = 0; a < D; ++a)
    c[a] = static_cast<std::int32_t>(static_cast<std::int64_t>(collect<D>(key >> (D - 1 - a))) -
                                     kOffset<D>);
  return c;
}

template <int D>
void BlockTopology<D>::grow_table(std::size_t expected) {
  std::size_t capacity = 64;
  while (capacity < 2 * expected) capacity *= 2;
  table_key_.assign(capacity, 0);
  table_slot_.assign(capacity, -1);
}

template <int D>
std::int32_t BlockTopology<D>::find(std::uint64_t key) const {
  if (table_key_.empty()) return -1;
  const std::size_t mask = table_key_.size() - 1;
  for (std::size_t i = mix(key) & mask;; i = (i + 1) & mask) {
    if (table_slot_[i] < 0) return -1;
    if (table_key_[i] == key) return table_slot_[i];
  }
}

template <int D>
bool BlockTopology<D>::insert(std::uint64_t key, std::int32_t slot) {
  const std::size_t mask = table_key_.size() - 1;
  for (std::size_t i = mix(key) & mask;; i = (i + 1) & mask) {
    if (table_slot_[i] < 0) {
      table_key_[i] = key;
      table_slot_[i] = slot;
      return true;
    }
    if (table_key_[i] == key) return false;
  }
}

template <int D>
void BlockTopology<D>::build(const std::vector<std::uint64_t>& occupied_keys) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  occupied_ = static_cast<int>(occupied_keys.size());
  keys_ = occupied_keys;
  grow_table(occupied_keys.size() * kNeighbors);
  for (int slot = 0; slot < occupied_; ++slot) insert(keys_[slot], slot);
  for (int slot = 0; slot < occupied_; ++slot) {
    const BlockCoord<D> c = morton_coord<D>(occupied_keys[slot]);
    for (int code = 0; code < kNeighbors; ++code) {
      const std::uint64_t key = morton_key<D>(wrapped(c + neighbor_offset<D>(code)));
      if (insert(key, static_cast<std::int32_t>(keys_.size()))) keys_.push_back(key);
    }
  }
  coords_.resize(keys_.size());
  neighbors_.resize(keys_.size());
  parallel_for("neighbors", size(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      coords_[slot] = morton_coord<D>(keys_[slot]);
      for (int code = 0; code < kNeighbors; ++code)
        neighbors_[slot][code] =
            find(morton_key<D>(wrapped(coords_[slot] + neighbor_offset<D>(code))));
    }
  });
}

template <int D>
std::size_t BlockTopology<D>::bytes() const {
  return keys_.capacity() * sizeof(keys_[0]) + coords_.capacity() * sizeof(coords_[0]) +
         neighbors_.capacity() * sizeof(neighbors_[0]) +
         table_key_.capacity() * (sizeof(table_key_[0]) + sizeof(table_slot_[0]));
}

template std::uint64_t morton_key<2>(const BlockCoord<2>&);
template std::uint64_t morton_key<3>(const BlockCoord<3>&);
template BlockCoord<2> morton_coord<2>(std::uint64_t);
template BlockCoord<3> morton_coord<3>(std::uint64_t);
template class BlockTopology<2>;
template class BlockTopology<3>;

}  // namespace firn
