// Node stages: arenas are summed in a fixed order, momentum becomes velocity, gravity and contact
// act, and the result is ready to be gathered.
#pragma once

#include "mpm/arena.h"
#include "mpm/state.h"

namespace firn {

// Which colliders a block can touch; empty for most blocks.
template <int D>
class ContactMap {
 public:
  void build(const BlockTopology<D>& blocks, const std::vector<Collider>& colliders, double h);
  const std::vector<int>& of_block(int slot) const { return lists_[slot]; }

 private:
  std::vector<std::vector<int>> lists_;
};

// Sum of what all blocks around `slot` scattered into it. The order of the sources is fixed, so the
// sum has the same bits whatever thread computes it.
template <class T, int D, class Kernel>
void merge_arenas(const BlockTopology<D>& blocks, const Node<T>* arenas, int slot, Node<T>* out) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) out[i] = Node<T>(0);
  for (int code = 0; code < kNeighbors; ++code) {
    const std::int32_t source = blocks.neighbors(slot)[code];
    if (source < 0 || source >= blocks.occupied()) continue;
    // Seen from the source, this block is the neighbour in the opposite direction.
    const Overlap<D> o = overlap<D, Kernel>(neighbor_offset<D>(kNeighbors - 1 - code));
    const Node<T>* arena = arenas + std::size_t(source) * Arena<D, Kernel>::kSize;
    for_each_run<D, Kernel>(o, [&](int in_arena, int in_block, int count) {
      for (int k = 0; k < count; ++k) out[in_block + k] = out[in_block + k] + arena[in_arena + k];
    });
  }
}

// The nodes around a block, as its particles see them.
template <class T, int D, class Kernel>
void load_arena(const BlockTopology<D>& blocks, const Node<T>* grid, int slot, Node<T>* arena) {
  for (int code = 0; code < BlockShape<D>::kNeighbors; ++code) {
    const std::int32_t source = blocks.neighbors(slot)[code];
    const Node<T>* nodes = grid + std::size_t(source) * BlockShape<D>::kNodes;
    for_each_run<D, Kernel>(overlap<D, Kernel>(neighbor_offset<D>(code)),
                            [&](int in_arena, int in_block, int count) {
                              for (int k = 0; k < count; ++k) arena[in_arena + k] = nodes[in_block + k];
                            });
  }
}

// Velocity of the nodes of one block.
template <class T, int D>
void update_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const std::vector<int>& near,
                  Node<T>* nodes, const Node<T>* impulses, Node<T>* change);

}  // namespace firn
