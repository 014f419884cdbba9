// Which parts of a cell are covered by disks around it: the core of saturated sampling, on SIMD
// vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/simd.h"
#include "base/vec.h"

namespace firn {

// Disks of one radius that reach part of a cell, by centres relative to it. Lengths in cells.
template <int D>
class DiskCover {
 public:
  using Spot = Vec<float, D>;
  static constexpr int kHalves = 1 << D;  // parts of a cube cut in half along each axis
  // r^2, rounded up so that distances in double precision keep r as well: the diagonal of a cell.
  static constexpr float kDistance2 = D * (1 + 2e-6f);

  void clear() { count_ = 0; }
  // Takes in a disk that reaches into the cell; false when it covers all of it.
  bool add(const Spot& center) {
    float near2 = 0, far2 = 0;  // to the nearest and the farthest point of the cell
    for (int i = 0; i < D; ++i) {
      const float off = std::fabs(center[i] - 0.5f);
      near2 += square(std::max(0.0f, off - 0.5f));
      far2 += square(off + 0.5f);
      centers_[i][count_] = center[i];
    }
    count_ += near2 < kDistance2;  // no branch: it would go either way
    return far2 >= kDistance2;
  }

  bool is_clear(const Spot& spot) const {
    for (int k = 0; k < count_; ++k) {
      float d2 = 0;
      for (int i = 0; i < D; ++i) d2 += square(centers_[i][k] - spot[i]);
      if (d2 < kDistance2) return false;
    }
    return true;
  }

  // Adds those of the halves (`edge` long) of a cube that no single disk covers.
  void add_open_halves(const Spot& low, float edge, std::vector<Spot>& open) {
    pad();
    Mask<float, kLanes> covered[kHalves];
    for (auto& mask : covered) mask = Lanes(1.0f) < Lanes(0.0f);
    for (int k = 0; k < count_; k += kLanes) {
      // Squared distance to the farthest corner, axis by axis, of the low and the high half.
      Lanes far2[D][2];
      for (int i = 0; i < D; ++i)
        for (int side = 0; side < 2; ++side) {
          const Lanes middle = low[i] + (float(side) + 0.5f) * edge;
          far2[i][side] =
              square(abs_of(Lanes::load(centers_[i] + k) - middle) + Lanes(0.5f * edge));
        }
      for (int half = 0; half < kHalves; ++half) {
        Lanes sum = far2[0][half & 1];
        for (int i = 1; i < D; ++i) sum += far2[i][half >> i & 1];
        covered[half] = covered[half] | (sum < Lanes(kDistance2));
      }
    }
    for (int half = 0; half < kHalves; ++half) {
      if (any(covered[half])) continue;
      Spot child = low;
      for (int i = 0; i < D; ++i)
        if (half >> i & 1) child[i] += edge;
      open.push_back(child);
    }
  }

 private:
  static constexpr int kLanes = 4;
  using Lanes = Simd<float, kLanes>;
  static constexpr int kMost = 128;  // more than the cells around

  // Disks far from everything make the last SIMD vector full.
  void pad() {
    for (int k = count_; k % kLanes != 0; ++k)
      for (int i = 0; i < D; ++i) centers_[i][k] = 1e6f;
  }

  float centers_[D][kMost];
  int count_ = 0;
};

}  // namespace firn
