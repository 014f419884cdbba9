// The steps of building a distance field: lay out blocks, sample corners, choose the blocks that
// own samples, sample them, join them to their neighbours, measure what is inside.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "geometry/distance_field.h"

namespace firn {

class FieldBuilder {
 public:
  FieldBuilder(int dimension, const std::function<DistanceProbe()>& make_probe);

  // Empty, or the line of the error. `bounds` hold the solid part.
  std::string lay_out(const Bounds& bounds, double spacing);
  void sample_corners();
  std::string choose_blocks();
  void sample_blocks();
  void join_blocks();
  void measure();
  DistanceFieldData take() { return std::move(data_); }

 private:
  struct Index {
    int i[3];
  };
  int extent(int axis) const { return data_.blocks[axis]; }
  std::size_t block_count() const { return data_.slots.size(); }
  Index block_at(std::size_t index) const;
  std::size_t corner_at(const Index& corner) const;
  Vec3d block_origin(const Index& block) const;
  bool needs_samples(const Index& block, const DistanceProbe& probe) const;
  void join(std::size_t slot);
  bool coarse_neighbour(const Index& block, const int* offset) const;
  float between_corners(const Index& block, const Index& sample) const;

  DistanceFieldData data_;
  const std::function<DistanceProbe()>& make_probe_;
  std::vector<std::size_t> owners_;  // the block of each slot
  std::int64_t layers_;              // samples along z in a block
  std::int64_t stride_;              // samples of a block
};

// Volume of the part below zero in the cells of a block, in cells, and the box around it in cells
// from the block's origin.
struct Measure {
  double cells = 0;
  bool any = false;
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
};
Measure measure_block(const float* samples, int dimension);

}  // namespace firn
