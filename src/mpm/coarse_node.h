// One node of a coarser grid (mpm/coarse_grid.h), and what the cells around it give to it. Host and
// device. Corners of a cell, and its parts, are numbered by bits, a step along the first axis being
// the highest; neighbours by neighbor_code.
#pragma once

#include "base/mat.h"
#include "base/math.h"
#include "particles/blocks.h"

namespace firn {

// What is at a node, all of it extensive.
template <class T>
struct StiffMatter {
  T mass = T(0);                // kg
  T bulk = T(0), shear = T(0);  // kg m^2: dt^2 V lambda, dt^2 V mu
};

template <int D>
struct CoarseShape {
  static constexpr int kNeighbors = power(3, D), kMiddle = kNeighbors / 2, kCorners = power(2, D);
};

template <int D>
FIRN_INLINE int bit_of(int o, int axis) {
  return o >> (D - 1 - axis) & 1;
}
// Neighbour code of a step by 0 or 1 along each axis, bits of o.
template <int D>
FIRN_INLINE int towards(int o) {
  int code = 0;
  for (int a = 0; a < D; ++a) code = 3 * code + 1 + bit_of<D>(o, a);
  return code;
}
// Neighbour code of the step from a corner of a cell to another one.
template <int D>
FIRN_INLINE int between_corners(int from, int to) {
  int code = 0;
  for (int a = 0; a < D; ++a) code = 3 * code + 1 + bit_of<D>(to, a) - bit_of<D>(from, a);
  return code;
}
// A node of the finer grid at k = 0, 1, 2 along each axis (digits) from the one that coincides with
// node n: as a neighbour, with a code of 0 or 1 steps, of the one that coincides with n or with a
// neighbour of n.
template <int D>
FIRN_INLINE void owner_in_cell(int k, int& owner, int& code) {
  owner = code = 0;
  for (int a = D - 1, scale = 1; a >= 0; --a, scale *= 3, k /= 3) {
    owner += (1 + k % 3 / 2) * scale;
    code += (1 + k % 3 % 2) * scale;
  }
}
// Corner o of a part of a cell, as such digits.
template <int D>
FIRN_INLINE int corner_of_part(int part, int o) {
  int k = 0;
  for (int a = 0; a < D; ++a) k = 3 * k + bit_of<D>(part, a) + bit_of<D>(o, a);
  return k;
}

// What a node gets of one of the finer grid next to the place of its own.
template <class T, int D>
FIRN_INLINE constexpr T share_of_finer(int code) {
  T share = T(1);
  for (int a = 0; a < D; ++a, code /= 3)
    if (code % 3 != 1) share *= T(0.5);
  return share;
}
// What a node of the finer grid gets of corner o of its cell, being the child of that many bits
// from the lowest one; zero where it gets nothing.
template <class T>
FIRN_INLINE T share_of_corner(int child, int o) {
  if ((o & ~child) != 0) return T(0);
  T share = T(1);
  for (int bits = child; bits != 0; bits &= bits - 1) share *= T(0.5);
  return share;
}

// The gradient of a corner's share in the middle of a part; lengths in cells of the finer grid.
template <class T, int D>
FIRN_INLINE Vec<T, D> part_gradient(int part, int corner) {
  Vec<T, D> g;
  for (int a = 0; a < D; ++a) {
    g[a] = bit_of<D>(corner, a) ? T(0.5) : T(-0.5);
    for (int b = 0; b < D; ++b)
      if (b != a) g[a] *= bit_of<D>(corner, b) == bit_of<D>(part, b) ? T(0.75) : T(0.25);
  }
  return g;
}
// Entry (i, j) of the block of two corners with these gradients, for a unit of each modulus.
template <class T, int D>
FIRN_INLINE T bulk_entry(const Vec<T, D>& a, const Vec<T, D>& b, int i, int j) {
  return a[i] * b[j];
}
template <class T, int D>
FIRN_INLINE T shear_entry(const Vec<T, D>& a, const Vec<T, D>& b, int i, int j) {
  return b[i] * a[j] + (i == j ? dot(a, b) : T(0));
}

// Products with stiff matter are rounded: against motions of a whole body, which only mass resists,
// they are as if it were heavier by this share of the stiffness.
template <class T>
constexpr double kStiffRounding = sizeof(T) == 4 ? 1e-6 : 1e-15;

// A node's own block, with mass and springs, and its inverse; none where nothing but mass resists
// the node: a finer grid does it exactly. elastic(i, j): its entries, i <= j.
template <int D>
struct OwnBlock {
  SymMat<double, D> whole, inverse;
};
template <class T, int D, class Elastic>
FIRN_INLINE OwnBlock<D> own_block(const Elastic& elastic, const SymMat<T, D>& springs, T mass) {
  OwnBlock<D> r;
  double stiffness = 0;
  for (int i = 0; i < D; ++i) {
    stiffness += double(elastic(i, i));
    for (int j = i; j < D; ++j)
      r.whole(i, j) = double(elastic(i, j)) + double(springs(i, j)) + (i == j ? double(mass) : 0.0);
  }
  for (int i = 0; i < D; ++i) r.whole(i, i) += kStiffRounding<T> * stiffness;
  Mat<double, D> inverted = Mat<double, D>::zero();
  if (stiffness > 0) inverted = firn::inverse(r.whole.full());
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j) r.inverse(i, j) = 0.5 * (inverted(i, j) + inverted(j, i));
  return r;
}

// The spring that stands for a direction closed to a node whose own block has this trace, kg: by
// how much it is stiffer than the matter there.
template <class T>
FIRN_INLINE T closed_spring(T trace, T mass) {
  return T(0.2) * (trace + mass);
}

}  // namespace firn
