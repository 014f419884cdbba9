#include "fem/self_nearest.h"

#include "base/mat.h"

namespace firn {
namespace {

// A triangle whose area is less than this part of its edges' product counts as its edges.
constexpr double kFlat2 = 1e-24;

template <int D>
NearestOnFace<D> at_weights(const Vec<double, D> (&corner)[D], const Vec<double, D>& weight) {
  Vec<double, D> place = weight[0] * corner[0];
  for (int i = 1; i < D; ++i) place += weight[i] * corner[i];
  return {dot(place, place), weight};
}

// How far from a to b the nearest point to the origin lies.
template <int D>
double along_edge(const Vec<double, D>& a, const Vec<double, D>& b) {
  const Vec<double, D> ab = b - a;
  const double ahead = -dot(a, ab), length2 = dot(ab, ab);
  if (!(ahead > 0)) return 0;
  return ahead < length2 ? ahead / length2 : 1;
}

NearestOnFace<3> nearest_on_edges(const Vec3d (&corner)[3]) {
  NearestOnFace<3> best{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const double t = along_edge(corner[i], corner[j]);
    Vec3d weight = Vec3d::zero();
    weight[i] = 1 - t;
    weight[j] = t;
    const NearestOnFace<3> found = at_weights(corner, weight);
    if (i == 0 || found.distance2 < best.distance2) best = found;
  }
  return best;
}

// The nearest primitive by the region that the origin lies in (Ericson, "Real-time collision
// detection", 2005, 5.1.5).
Vec3d triangle_weights(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a;
  const double a_ab = -dot(ab, a), a_ac = -dot(ac, a);
  if (a_ab <= 0 && a_ac <= 0) return {{1, 0, 0}};
  const double b_ab = -dot(ab, b), b_ac = -dot(ac, b);
  if (b_ab >= 0 && b_ac <= b_ab) return {{0, 1, 0}};
  const double over_c = a_ab * b_ac - b_ab * a_ac;
  if (over_c <= 0 && a_ab >= 0 && b_ab <= 0) {
    const double t = a_ab / (a_ab - b_ab);
    return {{1 - t, t, 0}};
  }
  const double c_ab = -dot(ab, c), c_ac = -dot(ac, c);
  if (c_ac >= 0 && c_ab <= c_ac) return {{0, 0, 1}};
  const double over_b = c_ab * a_ac - a_ab * c_ac;
  if (over_b <= 0 && a_ac >= 0 && c_ac <= 0) {
    const double t = a_ac / (a_ac - c_ac);
    return {{1 - t, 0, t}};
  }
  const double over_a = b_ab * c_ac - c_ab * b_ac;
  const double from_b = b_ac - b_ab, from_c = c_ab - c_ac;
  if (over_a <= 0 && from_b >= 0 && from_c >= 0) {
    const double t = from_b / (from_b + from_c);
    return {{0, 1 - t, t}};
  }
  const double per_area = 1 / (over_a + over_b + over_c);
  const double at_b = over_b * per_area, at_c = over_c * per_area;
  return {{1 - at_b - at_c, at_b, at_c}};
}

// Inverse of the edges' products, of the first `n` of them.
template <int D>
Mat<double, D - 1> inverse_products(const Vec<double, D> (&edge)[D - 1], int n) {
  Mat<double, D - 1> inverse = Mat<double, D - 1>::zero();
  if (n == 1) inverse(0, 0) = 1 / dot(edge[0], edge[0]);
  if constexpr (D == 3) {
    if (n == 2) {
      const double a = dot(edge[0], edge[0]), b = dot(edge[0], edge[1]), c = dot(edge[1], edge[1]);
      const Vec3d normal = cross(edge[0], edge[1]);  // a c - b^2, without the cancellation
      const double scale = 1 / dot(normal, normal);
      inverse = {{{c * scale, -b * scale}, {-b * scale, a * scale}}};
    }
  }
  return inverse;
}

}  // namespace

template <>
NearestOnFace<2> nearest_on_face<2>(const Vec2d (&corner)[2]) {
  const double t = along_edge(corner[0], corner[1]);
  return at_weights(corner, Vec2d{{1 - t, t}});
}

template <>
NearestOnFace<3> nearest_on_face<3>(const Vec3d (&corner)[3]) {
  const Vec3d ab = corner[1] - corner[0], ac = corner[2] - corner[0];
  const Vec3d normal = cross(ab, ac);
  if (!(dot(normal, normal) > kFlat2 * dot(ab, ab) * dot(ac, ac))) return nearest_on_edges(corner);
  return at_weights(corner, triangle_weights(corner[0], corner[1], corner[2]));
}

// With F(x, t) = |x_0 - y(t)|^2 the smallest value over t has the second derivatives
// F_xx - F_xt F_tt^-1 F_tx. F_xx = 2 share share^T, F_tt = 2 edge . edge, and column j of F_xt is
// 2 (dshare/dt_j apart - share edge_j).
template <int D>
void distance_hessian(const DistanceShape<D>& shape, double slope, double curvature, bool definite,
                      double* hessian) {
  constexpr int kSize = (D + 1) * D;
  const int edges = shape.corners - 1;
  double cross_part[D - 1][kSize] = {};
  for (int j = 0; j < edges; ++j)
    for (int slot = 0; slot <= shape.corners; ++slot) {
      const double turn = definite ? 0 : slot == j + 1 ? -1 : slot == shape.corners ? 1 : 0;
      for (int a = 0; a < D; ++a)
        cross_part[j][slot * D + a] = turn * shape.apart[a] - shape.share[slot] * shape.edge[j][a];
    }
  const Mat<double, D - 1> inverse = inverse_products<D>(shape.edge, edges);
  for (int p = 0; p < kSize; ++p)
    for (int q = 0; q <= p; ++q) {
      const int a = p % D, b = q % D;
      const double shares = shape.share[p / D] * shape.share[q / D];
      double second = a == b ? shares : 0;
      for (int i = 0; i < edges; ++i)
        for (int j = 0; j < edges; ++j)
          second -= cross_part[i][p] * inverse(i, j) * cross_part[j][q];
      const double value =
          2 * slope * second + 4 * curvature * shares * shape.apart[a] * shape.apart[b];
      hessian[p * kSize + q] = hessian[q * kSize + p] = value;
    }
}

template void distance_hessian<2>(const DistanceShape<2>&, double, double, bool, double*);
template void distance_hessian<3>(const DistanceShape<3>&, double, double, bool, double*);

}  // namespace firn
