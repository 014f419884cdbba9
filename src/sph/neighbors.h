// Who is near whom: particles in cells of the grid, compared by place, and for each particle the
// list of the others within the support. Particles stay in their cells until they may have come
// farther than a skin allows; lists are made each step. Their order follows from places alone.
#pragma once

#include "sph/flat_particles.h"
#include "sph/neighbor.h"
#include "sph/pair_lanes.h"

namespace firn {

template <class T, int D>
class NeighborLists {
 public:
  // Lists of so many particles stand side by side: a row has a neighbour of each, or the particle
  // without volume behind the last one.
  static constexpr int kTogether = kPairLanes<T>;
  using Kept = typename KeptLanes<T>::Number;

  NeighborLists();

  // Puts particles that are sorted into blocks in the order of their cells. False: more than a list
  // can number.
  bool order(const Particles<T, D>& all, FlatParticles<T, D>& flat);
  // Finds all lists again, of particles that are near the cells they are ordered by.
  void list(const BlockTopology<D>& blocks, const FlatParticles<T, D>& flat);

  // Rows of the particles from number `pack` * kTogether on.
  const std::uint32_t* begin(std::size_t pack) const {
    return list_.data() + std::size_t(first_[pack]) * kTogether;
  }
  const std::uint32_t* end(std::size_t pack) const {
    return begin(pack) + std::size_t(rows_[pack]) * kTogether;
  }
  // Of each neighbour in a row the gradient of the kernel, kept for the iterations of a step: axis
  // by axis, kTogether each.
  Kept* slopes(const std::uint32_t* row) const { return slope_.data() + (row - list_.data()) * D; }
  // From one's own block to the others along an axis, cells.
  const LaneTable<T>& offset(int axis) const { return offset_[axis]; }
  std::size_t bytes() const {
    return first_.bytes() + rows_.bytes() + list_.bytes() + slope_.bytes() + cell_begin_.bytes();
  }

 private:
  static constexpr int kEdge = BlockShape<D>::kEdge, kCells = BlockShape<D>::kNodes;

  struct Lists;  // of a piece of all packs

  // f(block, first, end) for the runs of particles in the cells within reach of a place.
  template <class F>
  void for_runs(const BlockTopology<D>& blocks, int block, const Four<T>& place, F&& f) const;
  void find_near(const BlockTopology<D>& blocks, const FlatParticles<T, D>& flat, int block,
                 std::uint32_t i, std::vector<std::uint32_t>& near) const;
  void list_pack(const BlockTopology<D>& blocks, const FlatParticles<T, D>& flat, std::size_t pack,
                 int& block, Lists& lists);

  LaneTable<T> offset_[D];
  Buffer<std::uint32_t> cell_begin_;    // of each cell of each block, and the end
  Buffer<std::uint32_t> first_, rows_;  // of each pack; where its rows lie is left to chance
  Buffer<std::uint32_t> list_;
  mutable Buffer<Kept> slope_;
};

}  // namespace firn
