// Where four particles sit among the nodes of an arena, one particle a lane.
#pragma once

#include "base/lane_ops.h"
#include "mpm/arena.h"
#include "mpm/kernels.h"

namespace firn {

constexpr int kLanes = 4;

template <class T, int D, class Kernel>
struct Stencil {
  static constexpr int K = Kernel::kNodes;
  static constexpr int kLines = power(K, D - 1);  // lines of nodes along the last axis
  using P = Simd<T, kLanes>;

  BitsOf<T> index[kLanes];  // of the first node in the arena
  P weight[D][K];
  P line_weight[D == 3 ? kLines : 1];  // 3D: products of the weights along the first two axes

  // Weight of line `line`, all axes but the last.
  FIRN_HOST_INLINE const P& of_line(int line) const {
    if constexpr (D == 3)
      return line_weight[line];
    else
      return weight[0][line];
  }

  // Returns the offset from the first node to the particle, in cells.
  FIRN_HOST_INLINE Vec<P, D> set(const Vec<P, D>& position) {
    using A = Arena<D, Kernel>;
    constexpr int kLast = A::kCells - 1 - A::kMargin;
    Vec<P, D> xi;
    P w[D][K], flat(0);
    for (int a = 0; a < D; ++a) {
      // A particle that drifted by the whole margin sits at f = 1 of the last cell. In a run that
      // blows up positions may be anything, NaN included; the arena is not left all the same.
      const P cell = max_of(min_of(floor_of(position[a]), P(T(kLast))), P(T(-A::kMargin)));
      const P f = position[a] - cell;
      flat = a == 0 ? cell : flat * P(T(A::kWidth)) + cell;
      xi[a] = f + P(T(Kernel::kShift));
      Kernel::weights(f, w[a]);
    }
    if constexpr (D == 3)
      for (int line = 0; line < kLines; ++line) line_weight[line] = w[0][line / K] * w[1][line % K];
    for (int a = 0; a < D; ++a)
      for (int k = 0; k < K; ++k) weight[a][k] = w[a][k];
    store_integers(flat + P(T(A::kOrigin)), index);
    return xi;
  }

  // First node of a line, counted from the particle's first node.
  static constexpr int line_offset(int line) {
    constexpr int W = Arena<D, Kernel>::kWidth;
    return D == 3 ? (line / K * W + line % K) * W : line * W;
  }
};

}  // namespace firn
