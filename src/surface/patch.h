// A block of a level set together with a layer of samples around it, fetched from its neighbours.
#pragma once

#include "surface/level_set.h"

namespace firn {

// Samples from -Before to kBlockEdge - 1 + After along each axis.
template <int Before, int After>
struct Patch {
  static constexpr int kEdge = kBlockEdge + Before + After;
  float values[kEdge * kEdge * kEdge];

  static constexpr int index(int i, int j, int k) {
    return ((i + Before) * kEdge + j + Before) * kEdge + k + Before;
  }
  float operator()(int i, int j, int k) const { return values[index(i, j, k)]; }

  void fetch(const LevelSet& level_set, int block) {
    const SampleBlockCoord home = level_set.grid.coord(block);
    SampleBlockCoord step;
    for (step.x = Before > 0 ? -1 : 0; step.x <= (After > 0 ? 1 : 0); ++step.x)
      for (step.y = Before > 0 ? -1 : 0; step.y <= (After > 0 ? 1 : 0); ++step.y)
        for (step.z = Before > 0 ? -1 : 0; step.z <= (After > 0 ? 1 : 0); ++step.z) {
          const int from = level_set.grid.find(home + step);
          copy(from < 0 ? nullptr : level_set.block(from), step, level_set.outside);
        }
  }

 private:
  struct Range {
    int begin, end;
  };
  // The samples of this patch that lie in the neighbour one step away.
  static constexpr Range range(int step) {
    if (step < 0) return {-Before, 0};
    return step == 0 ? Range{0, kBlockEdge} : Range{kBlockEdge, kBlockEdge + After};
  }
  void copy(const float* from, const SampleBlockCoord& step, float outside) {
    const Range x = range(step.x), y = range(step.y), z = range(step.z);
    for (int i = x.begin; i < x.end; ++i)
      for (int j = y.begin; j < y.end; ++j)
        for (int k = z.begin; k < z.end; ++k)
          values[index(i, j, k)] =
              from ? from[sample_index(i & (kBlockEdge - 1), j & (kBlockEdge - 1),
                                       k & (kBlockEdge - 1))]
                   : outside;
  }
};

}  // namespace firn
