// Half-spaces at rest as mirrors (collision/mirror.h) in closed form: along the axis that nodes
// follow, distances to a plane are those of a ruler, so that the place of a node on it says at once
// what it leads or follows. Planes found node by node (mirror_of) give the same.
#pragma once

#include <cmath>

#include "collision/mirror.h"

namespace firn {

struct PlaneMirror {
  bool is_mirror = false;
  bool always = false;  // Mirror::always
  int axis = 0, direction = 1;
  Vec3d normal{{0, 0, 0}};
  double offset = 0;     // distance = normal . x - offset
  double per_cell = 1;   // change of the distance from node to node along the axis, m
  double slope[2] = {};  // rise of the surface along the other axes, cells a cell
  // A plane along the grid: kernels reach two nodes behind it, and all nodes follow alike.
  bool aligned = false;
  double across[kMirrorDepth][2] = {}, along[kMirrorDepth][2] = {};  // of Mirror, by depth
  double tolerance = 0;  // a node nearer to the surface lies on it, cells along the axis

  // Cells along the axis from the surface to the node at x, below 0 behind it.
  FIRN_HD double place_of(const Vec3d& x) const {
    const double cells = (dot(normal, x) - offset) / per_cell, node = std::floor(cells + 0.5);
    return abs_of(cells - node) < tolerance ? node : cells;
  }
};

// For nodes of any plane; device code that has aligned ones must not pay for it in registers.
template <class T, int D>
FIRN_HD_CALL void set_plane_weights(KernelKind kernel, double theta, const double* slope,
                                    Mirror<T, D>& m) {
  detail::set_weights(kernel, theta, slope, m);
}

inline PlaneMirror make_plane_mirror(const Collider& c, double spacing, int dimension,
                                     KernelKind kernel) {
  PlaneMirror p;
  if (!is_fixed_plane(c) || !is_mirror(c)) return p;
  p.is_mirror = true;
  p.always = c.contact == ContactKind::slip;
  p.normal = plane_distance(c, c.shape.center).normal;
  p.offset = dot(p.normal, c.shape.center);
  p.axis = main_axis(p.normal, dimension);
  p.direction = p.normal[p.axis] > 0 ? 1 : -1;
  p.per_cell = abs_of(p.normal[p.axis]) * spacing;
  p.tolerance = kOnSurface * spacing / p.per_cell;
  for (int a = 0, b = 0; a < dimension; ++a)
    if (a != p.axis) p.slope[b++] = p.normal[a] / p.normal[p.axis];
  p.aligned = abs_of(p.slope[0]) < 1e-12 && abs_of(p.slope[1]) < 1e-12;
  if (!p.aligned) return p;
  Vec3d node{{0, 0, 0}};
  node[p.axis] = std::round(c.shape.center[p.axis] / spacing) * spacing;
  const double place = p.place_of(node), theta = std::ceil(place) - place;
  for (int depth = 1; depth <= kMirrorDepth; ++depth) {
    Mirror<double, 3> m;
    m.depth = depth;
    detail::set_weights(kernel, theta, p.slope, m);
    for (int j = 0; j < 2; ++j) {
      p.across[depth - 1][j] = m.across[j];
      p.along[depth - 1][j] = m.along[j];
    }
  }
  return p;
}

// A free node next to a plane, number `which` (0 or 1) of the two that nodes behind it follow:
// these are which + 1 to which + kMirrorDepth steps against the direction.
struct PlaneLead {
  int which = -1;  // -1: nothing follows it
  double theta = 0;
};
FIRN_HD inline PlaneLead plane_lead(double place) {
  PlaneLead lead;
  if (place > 0 && place <= 2) lead.which = place <= 1 ? 0 : 1;
  lead.theta = lead.which + 1 - place;
  return lead;
}

template <class T, int D>
FIRN_HD inline Mirror<T, D> plane_follower(const PlaneMirror& p, KernelKind kernel, int depth,
                                           double theta) {
  Mirror<T, D> m;
  m.axis = p.axis;
  m.direction = p.direction;
  m.depth = depth;
  m.always = p.always;
  for (int a = 0; a < D; ++a) m.normal[a] = T(p.normal[a]);
  if (!p.aligned) {
    set_plane_weights(kernel, theta, p.slope, m);
    return m;
  }
  for (int j = 0; j < 2; ++j) {
    m.across[j] = T(p.across[depth - 1][j]);
    m.along[j] = T(p.along[depth - 1][j]);
  }
  return m;
}
// What the plane does to a node at this place.
template <class T, int D>
FIRN_HD inline Mirror<T, D> plane_mirror_of(const PlaneMirror& p, KernelKind kernel, double place) {
  if (!p.is_mirror || place > 0 || place <= -kMirrorDepth) return {};
  const int depth = place > -1 ? 1 : place > -2 ? 2 : 3;
  return plane_follower<T, D>(p, kernel, depth, 1 - depth - place);
}

}  // namespace firn
