// Sparse sets of blocks of 8x8x8 samples. Sample (i, j, k) lies at (i, j, k) times the voxel size;
// within a block z runs fastest, as in the leaves of OpenVDB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace firn {

constexpr int kBlockEdge = 8;
constexpr int kBlockSamples = kBlockEdge * kBlockEdge * kBlockEdge;

constexpr int sample_index(int i, int j, int k) {
  return (i * kBlockEdge + j) * kBlockEdge + k;
}

// Counted in blocks.
struct SampleBlockCoord {
  std::int32_t x = 0, y = 0, z = 0;

  SampleBlockCoord operator+(const SampleBlockCoord& o) const {
    return {x + o.x, y + o.y, z + o.z};
  }
};

// Coordinates beyond this do not fit into keys; a margin is left for neighbours.
constexpr std::int32_t kMaxBlock = (1 << 20) - 64;

constexpr std::uint64_t block_key(const SampleBlockCoord& c) {
  const auto part = [](std::int32_t v) { return static_cast<std::uint64_t>(v) + (1 << 20); };
  return part(c.x) << 42 | part(c.y) << 21 | part(c.z);
}
constexpr SampleBlockCoord block_of_key(std::uint64_t key) {
  const auto part = [](std::uint64_t v) {
    return static_cast<std::int32_t>(v & 0x1fffff) - (1 << 20);
  };
  return {part(key >> 42), part(key >> 21), part(key)};
}

// Blocks by number: a hash table with open addressing. Numbers follow the order of insertion until
// sort() gives them the order of keys.
class BlockGrid {
 public:
  int insert(const SampleBlockCoord& coord);
  int find(const SampleBlockCoord& coord) const;  // -1: not there
  void sort();

  int size() const { return static_cast<int>(keys_.size()); }
  SampleBlockCoord coord(int block) const {
    return block_of_key(keys_[static_cast<std::size_t>(block)]);
  }

 private:
  std::size_t slot_of(std::uint64_t key) const;
  void rebuild(std::size_t slots);

  std::vector<std::uint64_t> keys_;
  std::vector<std::int32_t> slots_;  // number of a block, -1: empty; a power of two of them
};

}  // namespace firn
