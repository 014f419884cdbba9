// Where a particle ends that moves with the velocity at its new place, x = x_n + dt v(x) (OPT
// 2.5.3), by Newton's method with steps that are halved until the error no longer grows.
//
// At the new place there may be nodes that no particle reached. These take the velocity that the
// particle's own surroundings continue to: at x_n all nodes are known, and v and its gradient there
// make an affine field. Counted as zero they would hold back the leading layer of a body in flight.
// Host and device.
#pragma once

#include <cmath>

#include "base/mat.h"
#include "mpm/kernels.h"
#include "particles/blocks.h"

namespace firn {

// Cells relative to a node of the grid, velocities in cells a step.
template <class T, int D>
struct AffineField {
  Vec<T, D> origin{}, velocity{};
  Mat<T, D> gradient = Mat<T, D>::zero();

  FIRN_HD Vec<T, D> at(const Vec<T, D>& x) const { return velocity + gradient * (x - origin); }
};

// node_at(node, continued): velocity of a node, where `continued` is what a node without one takes.
template <class T, int D, class Kernel, class NodeAt>
FIRN_HD AffineField<T, D> field_at(const Vec<T, D>& x, const AffineField<T, D>& own,
                                   const NodeAt& node_at) {
  constexpr int K = Kernel::kNodes;
  T weight[D][K], slope[D][K];
  Vec<int, D> base;
  for (int a = 0; a < D; ++a) {
    const T shifted = x[a] - T(Kernel::kShift), cell = std::floor(shifted);
    base[a] = static_cast<int>(cell);
    Kernel::weights(shifted - cell, weight[a]);
    Kernel::gradients(shifted - cell, slope[a]);
  }
  AffineField<T, D> r;
  r.origin = x;
  for (int n = 0; n < power(K, D); ++n) {
    Vec<int, D> node;
    Vec<T, D> place, by_axis = Vec<T, D>::fill(T(1));
    T w = T(1);
    for (int a = 0, rest = n; a < D; ++a, rest /= K) {
      const int k = rest % K;
      node[a] = base[a] + k;
      place[a] = T(node[a]);
      w *= weight[a][k];
      for (int b = 0; b < D; ++b) by_axis[b] *= a == b ? slope[a][k] : weight[a][k];
    }
    const Vec<T, D> v = node_at(node, own.at(place));
    r.velocity += v * w;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) r.gradient(i, j) += v[i] * by_axis[j];
  }
  return r;
}

template <class T, int D, class Kernel, class NodeAt>
FIRN_HD Vec<T, D> backward_place(const Vec<T, D>& start, const NodeAt& node_at) {
  constexpr int kMostSteps = 10, kMostHalvings = 14;
  constexpr T kExact = sizeof(T) == 4 ? T(1e-6) : T(1e-14);  // cells
  const auto size = [](const Vec<T, D>& v) { return sqrt_of(dot(v, v)); };
  const AffineField<T, D> own = field_at<T, D, Kernel>(start, {}, node_at);
  Vec<T, D> x = start + own.velocity;
  AffineField<T, D> here = field_at<T, D, Kernel>(x, own, node_at);
  Vec<T, D> error = x - start - here.velocity;
  for (int step = 0; step < kMostSteps && size(error) > kExact; ++step) {
    const Mat<T, D> slope = Mat<T, D>::identity() - here.gradient;
    if (!(abs_of(determinant(slope)) > T(1e-6))) break;
    Vec<T, D> way = inverse(slope) * error;
    for (int halving = 0; halving <= kMostHalvings; ++halving, way = way * T(0.5)) {
      const Vec<T, D> next = x - way;
      here = field_at<T, D, Kernel>(next, own, node_at);
      const Vec<T, D> left = next - start - here.velocity;
      if (size(left) > size(error) && halving < kMostHalvings) continue;
      x = next;
      error = left;
      break;
    }
  }
  return x;
}

}  // namespace firn
