// Who is near whom: particles in cells of the grid, compared by place, and for each particle the
// list of the others within the support and a skin. Lists stay as they are until particles may have
// crossed the skin; their order follows from places alone.
#pragma once

#include "sph/flat_particles.h"
#include "sph/pair_lanes.h"

namespace firn {

// A neighbour: its number, and the block it is in as seen from one's own (particles/blocks.h).
// Numbers take what the 27 blocks around leave of 32 bits.
struct Neighbor {
  static constexpr int kNumberBits = 27;
  static constexpr std::uint32_t kMost = (1u << kNumberBits) - 1;

  FIRN_INLINE static std::uint32_t make(std::uint32_t number, int block) {
    return number | static_cast<std::uint32_t>(block) << kNumberBits;
  }
  FIRN_INLINE static std::uint32_t number(std::uint32_t n) { return n & kMost; }
  FIRN_INLINE static int block(std::uint32_t n) { return static_cast<int>(n >> kNumberBits); }
};

template <class T, int D>
class NeighborLists {
 public:
  static constexpr double kSkin = 0.06, kReach = 1 + kSkin;  // cells
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
