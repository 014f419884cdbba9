// Exact signed distances of the primitive solids, each centred at the origin with its axis along y.
#pragma once

#include "base/math.h"
#include "geometry/distance.h"

namespace firn::detail {

// Distance to the box |p_i| <= half_i in the first n axes.
FIRN_INLINE DistanceAndNormal box_distance(const Vec3d& p, const Vec3d& half, int n) {
  DistanceAndNormal r{0, {{0, 0, 0}}};
  int deepest = 0;
  double excess[3] = {}, outside2 = 0;
  for (int i = 0; i < n; ++i) {
    excess[i] = abs_of(p[i]) - half[i];
    if (excess[i] > excess[deepest]) deepest = i;
    if (excess[i] > 0) outside2 += excess[i] * excess[i];
  }
  if (outside2 > 0) {
    r.distance = sqrt_of(outside2);
    for (int i = 0; i < n; ++i)
      if (excess[i] > 0) r.normal[i] = (p[i] < 0 ? -excess[i] : excess[i]) / r.distance;
    return r;
  }
  r.distance = excess[deepest];
  r.normal[deepest] = p[deepest] < 0 ? -1 : 1;
  return r;
}

FIRN_INLINE DistanceAndNormal ball_distance(const Vec3d& p, double radius) {
  const double length = sqrt_of(dot(p, p));
  if (length > 0) return {length - radius, p * (1 / length)};
  return {-radius, {{0, 1, 0}}};
}

// Solids of revolution are flat shapes in (distance from the axis, y); in 2D the distance from the
// axis is |x|. `turn_back` brings the flat normal home.
struct AxialPoint {
  double rho, y;
  double cx, cz;  // direction away from the axis

  FIRN_INLINE AxialPoint(const Vec3d& p, int dimension) : y(p[1]) {
    rho = dimension == 3 ? sqrt_of(p[0] * p[0] + p[2] * p[2]) : abs_of(p[0]);
    cx = rho > 0 ? p[0] / rho : 1;
    cz = rho > 0 && dimension == 3 ? p[2] / rho : 0;
  }
  FIRN_INLINE DistanceAndNormal turn_back(double distance, double n_rho, double n_y) const {
    return {distance, {{n_rho * cx, n_y, n_rho * cz}}};
  }
};

FIRN_INLINE DistanceAndNormal cylinder_distance(const Vec3d& p, double radius, double half_height,
                                                int dimension) {
  const AxialPoint a(p, dimension);
  const DistanceAndNormal flat = box_distance({{a.rho, a.y, 0}}, {{radius, half_height, 0}}, 2);
  return a.turn_back(flat.distance, flat.normal[0], flat.normal[1]);
}

// A tube of radius `minor` around the circle of radius `major`; in 2D a ring.
FIRN_INLINE DistanceAndNormal torus_distance(const Vec3d& p, double major, double minor,
                                             int dimension) {
  if (dimension == 2) {
    const double rho = sqrt_of(p[0] * p[0] + p[1] * p[1]);
    const Vec3d out = rho > 0 ? p * (1 / rho) : Vec3d{{1, 0, 0}};
    return {abs_of(rho - major) - minor, rho < major ? -out : out};
  }
  const AxialPoint a(p, 3);
  const DistanceAndNormal flat = ball_distance({{a.rho - major, a.y, 0}}, minor);
  return a.turn_back(flat.distance, flat.normal[0], flat.normal[1]);
}

// A cylinder of half length `half` between its round caps.
FIRN_INLINE DistanceAndNormal capsule_distance(const Vec3d& p, double radius, double half) {
  return ball_distance({{p[0], p[1] - clamp(p[1], -half, half), p[2]}}, radius);
}

// Radius `bottom` at y = -half and `top` at y = half: the nearest of its bottom, top and side.
FIRN_HD_CALL DistanceAndNormal cone_distance(const Vec3d& p, double bottom, double top, double half,
                                             int dimension) {
  const AxialPoint a(p, dimension);
  const double corner_x[] = {0, bottom, top, 0}, corner_y[] = {-half, -half, half, half};
  double best2 = 1e300, best_x = 0, best_y = 0;
  int edge = 0;
  for (int i = 0; i < 3; ++i) {
    const double ex = corner_x[i + 1] - corner_x[i], ey = corner_y[i + 1] - corner_y[i];
    const double wx = a.rho - corner_x[i], wy = a.y - corner_y[i];
    const double length2 = ex * ex + ey * ey;
    const double t = length2 > 0 ? clamp((wx * ex + wy * ey) / length2, 0.0, 1.0) : 0.0;
    const double dx = wx - t * ex, dy = wy - t * ey;
    if (dx * dx + dy * dy < best2) {
      best2 = dx * dx + dy * dy;
      best_x = dx;
      best_y = dy;
      edge = i;
    }
  }
  const double side = (top - bottom) * (a.y + half) - 2 * half * (a.rho - bottom);
  const bool inside = abs_of(a.y) < half && side > 0;
  const double length = sqrt_of(best2), sign = inside ? -1 : 1;
  if (length > 0) return a.turn_back(sign * length, sign * best_x / length, sign * best_y / length);
  const double slope = sqrt_of(square(top - bottom) + 4 * half * half);
  if (edge == 1) return a.turn_back(0, 2 * half / slope, (bottom - top) / slope);
  return a.turn_back(0, 0, edge == 0 ? -1 : 1);
}

// The nearest point y of the ellipsoid obeys p_i = y_i (1 + t / e_i^2); t is the only root beyond
// -min e_i^2 of a convex, falling function, so that Newton's method from the left never overshoots.
FIRN_HD_CALL DistanceAndNormal ellipsoid_distance(const Vec3d& p, const Vec3d& e, int dimension) {
  double q[3] = {}, t = -1e300, inside = 0, least2 = 1e300;
  for (int i = 0; i < dimension; ++i) {
    q[i] = max_of(abs_of(p[i]), 1e-9 * e[i]);  // off the planes of symmetry
    t = max_of(t, e[i] * q[i] - e[i] * e[i]);
    inside += square(p[i] / e[i]);
    least2 = min_of(least2, e[i] * e[i]);
  }
  for (int round = 0; round < 64; ++round) {
    double value = -1, slope = 0;
    for (int i = 0; i < dimension; ++i) {
      const double inverse = 1 / (t + e[i] * e[i]);
      const double f2 = square(e[i] * q[i] * inverse);
      value += f2;
      slope -= 2 * f2 * inverse;
    }
    const double step = -value / slope;
    t += step;
    if (!(step > 1e-8 * (t + least2))) break;  // what is left is the square of that
  }
  Vec3d normal{{0, 0, 0}};
  double distance2 = 0;
  for (int i = 0; i < dimension; ++i) {
    const double y = q[i] * e[i] * e[i] / (t + e[i] * e[i]);
    distance2 += square(q[i] - y);
    normal[i] = (p[i] < 0 ? -y : y) / (e[i] * e[i]);
  }
  normal *= 1 / sqrt_of(dot(normal, normal));
  return {inside < 1 ? -sqrt_of(distance2) : sqrt_of(distance2), normal};
}

}  // namespace firn::detail
