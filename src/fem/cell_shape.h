// Shape functions of cells: linear ones, and of second order with a node in the middle of each
// edge.
//
// With barycentric coordinates l_k: N_a = l_a of linear cells; of second order N_a = l_a (2 l_a -
// 1) for corners and 4 l_a l_b for the edge between two.
#pragma once

#include "fem/fem_body.h"

namespace firn {

template <int D, int Order>
struct CellShape {
  static constexpr int kCorners = D + 1;
  static constexpr int kNodes = nodes_of_cell(D, Order);
  static constexpr int kPoints = Order == 1 ? 1 : D + 1;  // of the integral, of equal weight

  // Barycentric coordinate k of point q: exact for polynomials of degree 2.
  static constexpr double coordinate(int q, int k) {
    if (Order == 1) return 1.0 / kCorners;
    constexpr double kNear = D == 3 ? 0.58541019662496845446 : 2.0 / 3;
    return k == q ? kNear : (1 - kNear) / D;
  }
  static constexpr int edge_corner(int edge, int end) {
    int e = 0;
    for (int i = 0; i < kCorners; ++i)
      for (int j = i + 1; j < kCorners; ++j, ++e)
        if (e == edge) return end == 0 ? i : j;
    return 0;
  }
  // d N_a / d l_k at point q.
  static constexpr double slope(int q, int a, int k) {
    if (Order == 1) return a == k ? 1 : 0;
    if (a < kCorners) return a == k ? 4 * coordinate(q, a) - 1 : 0;
    const int i = edge_corner(a - kCorners, 0), j = edge_corner(a - kCorners, 1);
    return k == i ? 4 * coordinate(q, j) : k == j ? 4 * coordinate(q, i) : 0;
  }
  // Share of a cell's mass that node a has: equal ones, or in proportion to the diagonal of the
  // consistent matrix, which keeps them positive.
  static constexpr double mass_share(int a) {
    if (Order == 1) return 1.0 / kCorners;
    if (D == 3) return a < kCorners ? 1.0 / 36 : 4.0 / 27;
    return a < kCorners ? 1.0 / 19 : 16.0 / 57;
  }
};

}  // namespace firn
