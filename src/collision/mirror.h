// Smooth walls at rest are mirrors. A B-spline that is cut off by a wall lacks the part behind it:
// where nodes behind the wall are merely stopped, the wall takes what pushes on those nodes and
// leaves the first free ones with the pressure on one side only, matter seeps in by what the free
// nodes still move at the surface, and both depend on where the surface lies between the nodes.
//
// Here the velocity behind the wall continues the one before it, so that its normal part vanishes
// on the surface: v . n of a node behind is a combination of the two free nodes next to the surface
// along the axis that the normal is nearest to, and its tangential part is theirs. Momentum goes
// the other way by the transpose (mpm/mirror_fold.h), so that no energy is made. With the distance
// from the node before the surface to the surface as theta (cells along the axis, 0 to 1), the
// nodes are at -2 - theta (third), -1 - theta (second), -theta (first), 1 - theta and 2 - theta
// (free).
//
// Where mirrors meet, one continues what another has continued: they are numbered in passes
// (mirror_passes), momentum goes to the free nodes pass by pass, velocities come back in the
// opposite order.
#pragma once

#include "base/schemes.h"
#include "collision/fixed_plane.h"

namespace firn {

// Only where there are fluids: they are what seeps and circulates. Sand on the verge of yielding,
// in a slab one cell thick between two mirrors, crept where stopped nodes hold it.
FIRN_INLINE bool is_mirror(const Collider& c) {
  return c.meets_fluid && c.species < 0 && stands_still(c) && !c.varies && !(c.friction > 0) &&
         (c.contact == ContactKind::separate || c.contact == ContactKind::slip);
}

// Kernels reach two nodes behind a wall along the grid, three behind a tilted one.
constexpr int kMirrorDepth = 3;
// A free node that is followed is at most so far from the surface, a follower so far behind; cells.
constexpr double kMirrorReach = 2.5, kMirrorFarthest = 3;

// How a node behind a mirror follows the free nodes `depth` and `depth` + 1 steps along an axis.
template <class T, int D>
struct Mirror {
  int axis = -1;        // -1: it does not
  int direction = 1;    // towards the free nodes, 1 or -1
  int depth = 1;        // 1 to kMirrorDepth
  T across[2] = {};     // weights of their normal velocities
  T along[2] = {};      // of their tangential ones; what lacks to 1 is its own
  Vec<T, D> normal{};   // of the surface
  bool always = false;  // also where it would let matter go

  FIRN_HD bool holds(const Vec<T, D>& v) const { return always || dot(v, normal) < 0; }
  FIRN_HD T across_of(int j) const { return j == 0 ? across[0] : across[1]; }
  FIRN_HD T along_of(int j) const { return j == 0 ? along[0] : along[1]; }
  FIRN_HD T own() const { return T(1) - along[0] - along[1]; }  // share of its tangential velocity
};

namespace detail {

FIRN_INLINE double spline(KernelKind kernel, double x) {
  x = abs_of(x);
  switch (kernel) {
    case KernelKind::linear:
      return x < 1 ? 1 - x : 0;
    case KernelKind::quadratic:
      return x < 0.5 ? 0.75 - x * x : x < 1.5 ? 0.5 * square(1.5 - x) : 0;
    case KernelKind::cubic:
      break;
  }
  return x < 1 ? 2.0 / 3 - x * x + 0.5 * x * x * x : x < 2 ? square(2 - x) * (2 - x) / 6 : 0;
}

// The kernel along the axis where the surface is tilted by `slope` (its rise per cell along each of
// the other axes): the mean of spline(x + slope . xi) over the kernel along those, by the rule of
// two points a cell, which has the first moments of the kernel.
FIRN_HD inline double tilted_spline(KernelKind kernel, double x, const double* slope, int axes) {
  if (axes == 0) return spline(kernel, x);
  if (*slope == 0) return tilted_spline(kernel, x, slope + 1, axes - 1);
  const int cells = kernel == KernelKind::linear ? 2 : kernel == KernelKind::quadratic ? 3 : 4;
  double sum = 0;
  for (int k = 0; k < 2 * cells; ++k) {
    const double xi = 0.5 * (k + 0.5 - cells);
    sum += 0.5 * spline(kernel, xi) * tilted_spline(kernel, x + xi * *slope, slope + 1, axes - 1);
  }
  return sum;
}

// The second and third node behind continue the velocity at their mirror images; the first one is
// then what the flux through the surface needs to vanish, so that an even pressure pushes no free
// node.
template <class T, int D>
FIRN_HD inline void set_weights(KernelKind kernel, double theta, const double* slope,
                                Mirror<T, D>& m) {
  const bool near = theta <= 0.5;
  const double second[2] = {near ? 2 * theta - 1 : 0,
                            near ? -2 * theta : -(1 + theta) / (2 - theta)};
  const double third[2] = {0, -(2 + theta) / (2 - theta)};
  if (m.depth > 1) {
    for (int j = 0; j < 2; ++j) m.across[j] = T(m.depth == 2 ? second[j] : third[j]);
    m.along[0] = T(m.depth == 2 && near ? 1 - 2 * theta : 0);
    m.along[1] = T(1) - m.along[0];
    return;
  }
  constexpr double kLargest = 8;  // the linear kernel's weights have no bound
  const auto at = [&](double x) { return tilted_spline(kernel, x, slope, D - 1); };
  const double own = at(theta), behind = at(1 + theta), deep = at(2 + theta);
  for (int j = 0; j < 2; ++j) {
    const double weight = -(at(j + 1 - theta) + behind * second[j] + deep * third[j]);
    m.across[j] = T(clamp(weight / max_of(own, 1e-9), -kLargest, kLargest));
  }
  // A node on the surface moves along it by itself, one behind it with those before; no jump
  // between.
  constexpr double kOnItsOwn = 0.1;
  m.along[0] = T(min_of(theta / kOnItsOwn, 1.0));
}

}  // namespace detail

// The axis that a normal is nearest to.
FIRN_INLINE int main_axis(const Vec3d& normal, int dimension) {
  int axis = 0;
  for (int a = 1; a < dimension; ++a)
    if (abs_of(normal[a]) > abs_of(normal[axis]) + 1e-9) axis = a;
  return axis;
}

// Whether nodes behind the mirror may follow others along `axis` towards `direction`; a half-space
// has one such way.
FIRN_INLINE bool may_follow_along(const Collider& c, int axis, int direction, int dimension) {
  if (!is_fixed_plane(c)) return true;
  const Vec3d normal = plane_distance(c, c.shape.center).normal;
  return main_axis(normal, dimension) == axis && (normal[axis] > 0) == (direction > 0);
}

// What the mirror does to a node. distance_at(axis, steps): of the collider at the node so many
// steps away.
template <class T, int D, class DistanceAt>
FIRN_HD inline Mirror<T, D> mirror_of(const Collider& c, KernelKind kernel, double spacing,
                                      const DistanceAt& distance_at) {
  Mirror<T, D> m;
  const DistanceAndNormal here = snapped(distance_at(0, 0), spacing);
  if (here.distance > 0 || here.distance < -kMirrorFarthest * spacing) return m;
  const int axis = main_axis(here.normal, D);
  m.direction = here.normal[axis] > 0 ? 1 : -1;
  double before = here.distance;
  for (m.depth = 1; m.depth <= kMirrorDepth; ++m.depth) {
    const double next = snapped(distance_at(axis, m.depth * m.direction), spacing).distance;
    if (next > 0) {
      m.axis = axis;
      m.always = c.contact == ContactKind::slip;
      for (int a = 0; a < D; ++a) m.normal[a] = T(here.normal[a]);
      double slope[D];
      for (int a = 0, b = 0; a < D; ++a)
        if (a != axis) slope[b++] = here.normal[a] / here.normal[axis];
      detail::set_weights(kernel, -before / (next - before), slope, m);
      return m;
    }
    before = next;
  }
  return m;
}

}  // namespace firn
