// The nodes around a block between which its particles move with the velocity at their new places
// (backward_place.h). Host and device: each side has its own memory for them.
#pragma once

#include "collision/sweep.h"
#include "mpm/kernels.h"
#include "particles/blocks.h"

namespace firn {

template <int D, class Kernel>
struct NodesAroundBlock {
  static constexpr int kEdge = BlockShape<D>::kEdge;
  // Particles may be a margin away, and go a cell farther.
  static constexpr int kBefore = BlockShape<D>::kMargin + 1;
  static constexpr int kWidth = kEdge + 2 * kBefore + Kernel::kNodes - 1;
  static constexpr int kSize = power(kWidth, D);

  // The number of a node counted from the block's first one, -1 where it is farther away; and back.
  FIRN_HD static int index(const Vec<int, D>& node) {
    int index = 0;
    for (int a = 0; a < D; ++a) {
      const int k = node[a] + kBefore;
      if (k < 0 || k >= kWidth) return -1;
      index = index * kWidth + k;
    }
    return index;
  }
  FIRN_HD static Vec<int, D> node(int index) {
    Vec<int, D> at;
    for (int a = D - 1; a >= 0; --a, index /= kWidth) at[a] = index % kWidth - kBefore;
    return at;
  }
  // Which of the neighbour blocks such a node is in, and its number there; -1 where it is beyond
  // them all.
  FIRN_HD static int neighbor(const Vec<int, D>& node, int& in_block) {
    Vec<int, D> offset;
    in_block = 0;
    for (int a = 0; a < D; ++a) {
      if (node[a] < -kEdge || node[a] >= 2 * kEdge) return -1;
      offset[a] = node[a] < 0 ? -1 : node[a] >= kEdge ? 1 : 0;
      in_block = in_block * kEdge + node[a] - offset[a] * kEdge;
    }
    return neighbor_code<D>(offset);
  }
  FIRN_HD static Vec3d position(const BlockCoord<D>& block, const Vec<int, D>& node,
                                double spacing) {
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < D; ++a) x[a] = (double(block[a]) * kEdge + node[a]) * spacing;
    return x;
  }
};

// What obstacles near[k] make of the velocity v of a node at x that no particle reached: they hold
// what is inside of them, or turn it back. to_cells: cells a step, of a velocity of 1 m/s.
template <class T, int D>
FIRN_HD Vec<T, D> allowed_at(const Collider* colliders, const int* near, int n, const Vec3d& x,
                             T to_cells, Vec<T, D> v) {
  for (int k = 0; k < n; ++k) {
    const Collider& body = colliders[near[k]];
    const DistanceAndNormal d = distance_to(body, x);
    if (d.distance > 0) continue;
    const Contact<T, D> c = contact_at<T, D>(body, x, d);
    const Vec<T, D> moved = c.v_body * to_cells;
    if (is_holding(c.kind)) return moved;
    const T into = dot(v - moved, c.normal);
    if (into < T(0) || c.kind == ContactKind::slip) v = v - c.normal * into;
  }
  return v;
}

}  // namespace firn
