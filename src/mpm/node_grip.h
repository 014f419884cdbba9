// Grip of nodes (collision/grip.h) from one topology of the grid to the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exec/buffer.h"
#include "particles/blocks.h"

namespace firn {

// Blocks that it has none of have no grip.
template <class T, int D>
struct NodeGrip {
  static constexpr std::size_t kNodes = BlockShape<D>::kNodes;

  std::vector<std::uint64_t> keys;  // of blocks
  Buffer<T> impulses;               // N s, of the nodes of each

  bool any_of(std::size_t block) const {
    const T* first = impulses.data() + block * kNodes;
    return std::any_of(first, first + kNodes, [](T impulse) { return impulse > T(0); });
  }
  // Becomes that of all blocks in the order of their slots.
  void follow(const BlockTopology<D>& blocks) {
    Buffer<T> before;
    before.swap(impulses);
    impulses.resize(std::size_t(blocks.size()) * kNodes);
    impulses.fill(T(0));
    for (std::size_t b = 0; b < keys.size(); ++b)
      if (const std::int32_t slot = blocks.find(keys[b]); slot >= 0)
        std::copy_n(before.data() + b * kNodes, kNodes, impulses.data() + slot * kNodes);
    keys.resize(blocks.size());
    for (int slot = 0; slot < blocks.size(); ++slot) keys[slot] = blocks.key(slot);
  }
};

}  // namespace firn
