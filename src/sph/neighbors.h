// Who is near whom: particles in cells of the grid, compared by place, and for each particle the
// list of the others within the support and a skin. Lists stay as they are until particles may have
// crossed the skin; their order follows from places alone.
#pragma once

#include "sph/flat_particles.h"
#include "sph/neighbor.h"
#include "sph/pair_lanes.h"

namespace firn {

template <class T, int D>
class NeighborLists {
 public:
  static constexpr int kTogether = kPairLanes<T>;  // lists are filled up to a multiple of this

  NeighborLists();

  // Finds all lists again, of particles that are sorted into blocks. False: more than a list can
  // number.
  bool build(const Particles<T, D>& all, FlatParticles<T, D>& flat);

  const std::uint32_t* begin(std::size_t i) const { return list_.data() + first_[i]; }
  const std::uint32_t* end(std::size_t i) const { return list_.data() + first_[i + 1]; }
  // From one's own block to the others along an axis, cells.
  const LaneTable<T>& offset(int axis) const { return offset_[axis]; }
  std::size_t bytes() const { return first_.bytes() + list_.bytes() + cell_begin_.bytes(); }

 private:
  static constexpr int kEdge = BlockShape<D>::kEdge, kCells = BlockShape<D>::kNodes;

  void order(const Particles<T, D>& all, FlatParticles<T, D>& flat);
  // f(block, first, end) for the runs of particles in the cells within reach of a place.
  template <class F>
  void for_runs(const BlockTopology<D>& blocks, int block, const Four<T>& place, F&& f) const;
  template <class F>
  void for_near(const Particles<T, D>& all, const FlatParticles<T, D>& flat, int block,
                std::size_t i, F&& f) const;

  LaneTable<T> offset_[D];
  Buffer<std::uint32_t> cell_begin_;  // of each cell of each block, and the end
  Buffer<std::uint64_t> first_;
  Buffer<std::uint32_t> list_;
};

}  // namespace firn
