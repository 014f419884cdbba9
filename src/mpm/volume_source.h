// The volume correction of fluids (mpm/fluid_volume.h) at one node and for one particle, or for a
// pack of them; host and device.
#pragma once

#include <cmath>

#include "base/schemes.h"
#include "collision/mirror.h"
#include "mpm/blocks.h"

namespace firn {

// Steps between two looks at the volume: drift is slow, and a look costs as much as a transfer.
constexpr int kVolumeInterval = 16;

// Both rates are counted in strain, not in time: what drifts, drifts because the fluid deforms, so
// water at rest is left alone, and no scale of time or length enters.
constexpr double kVolumePerStrain = 2.5;    // share of the excess undone by a strain of one
constexpr double kSmoothingPerStrain = 40;  // share of the scatter of J undone by a strain of one
constexpr double kMaxVolumeShare = 0.5;     // of either, between two looks
constexpr double kMaxExcess = 0.2;          // a larger one counts as this
constexpr double kFullNode = 0.6;           // a node less filled than this is at a free surface
constexpr double kOpenNode = 0.05;          // a node with less room than this tells nothing

// What a particle lays on the nodes, volumes in cells. The mean that J is drawn to is one of
// pressure, K (1 - J), so that fluids of different stiffness may touch.
template <class S>
struct LaidVolume {
  S claimed, reference, pressure;
};
template <class S>
FIRN_INLINE LaidVolume<S> laid_volume(S cells, S J, S modulus) {
  return {cells * J, cells, cells * modulus * (S(1) - J)};
}

// What a node with any volume found; `room` is the share of it outside of obstacles.
template <class S>
struct FoundVolume {
  S excess, pressure, fill;
};
template <class T>
FIRN_INLINE FoundVolume<T> found_volume(T claimed, T reference, T pressure, T room) {
  return {claimed - room, pressure / reference, room > T(kOpenNode) ? claimed / room : T(1)};
}

// Frobenius norm of the symmetric part of the velocity gradient, 1/s. APIC, and MLS with the linear
// kernel, store B h^-2, the others the gradient itself: `scale` makes one of it.
template <class S, int D>
FIRN_INLINE S strain_rate(const Mat<S, D>& affine, ScalarOf<S> scale) {
  using T = ScalarOf<S>;
  S sum(0);
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j) {
      const S twice = affine(i, j) + affine(j, i);
      sum += square(twice) * S(T(i == j ? 0.25 : 0.5));
    }
  return sqrt_of(sum) * S(scale);
}
template <class Kernel>
double strain_scale(TransferKind transfer) {
  constexpr bool kLinear = Kernel::kInverseD == 0;
  const bool stores_b =
      transfer == TransferKind::apic || (kLinear && transfer == TransferKind::mls);
  if (!stores_b) return 1;
  return kLinear ? 6 : Kernel::kInverseD;  // the mean of D / h^2 = f (1 - f) over a cell is 1/6
}

// Largest rate of either correction after a step of dt, 1/s.
FIRN_INLINE double max_volume_rate(double dt) {
  return kMaxVolumeShare / (kVolumeInterval * dt);
}

// The source of a particle, 1/s, from the means of what its nodes found and the least fill of them.
// Too little volume is believed only where all nodes around are full, since a free surface looks
// the same, and undone only up to rest: the correction never pulls.
template <class S>
FIRN_INLINE S volume_source(S J, S modulus, const FoundVolume<S>& found, S strain,
                            ScalarOf<S> max_rate) {
  using T = ScalarOf<S>;
  const S mean_J = S(1) - found.pressure / modulus;
  S excess = clamp(found.excess, S(T(-kMaxExcess)), S(T(kMaxExcess)));
  const auto believed = (excess > S(0)) | ((found.fill > S(T(kFullNode))) & (mean_J < S(1)));
  excess = select(believed, excess, S(0));
  return min_of(S(T(kSmoothingPerStrain)) * strain, S(max_rate)) * (mean_J / J - S(1)) -
         min_of(S(T(kVolumePerStrain)) * strain, S(max_rate)) * excess;
}

namespace detail {

// Spacing of the three points along an axis that stand for the kernel in open_fraction. Weighted
// 1/4, 1/2, 1/4 and spread over a cell each, they have the variance of the B-spline.
FIRN_INLINE double point_spacing(KernelKind kernel) {
  const double degree = kernel == KernelKind::linear ? 1 : kernel == KernelKind::quadratic ? 2 : 3;
  return sqrt_of(degree / 6);
}

// Contact stops nodes, so the fluid sees a wall at the outermost layer of nodes that it holds: up
// to a cell behind the surface, m. `d` is what the node at hand sees of the obstacle.
// A mirror is where its surface is.
FIRN_HD inline double recess(const Collider& collider, const DistanceAndNormal& d, double h) {
  if (is_mirror(collider)) return 0;
  double step = 0;  // change of the distance from one layer of nodes to the next
  for (int a = 0; a < 3; ++a) step = max_of(step, h * abs_of(d.normal[a]));
  return std::ceil(d.distance / step - kOnSurface) * step - d.distance;  // a node on it is held
}

}  // namespace detail

// How much of the kernel around a node lies outside of colliders[near[0..n)], 0 to 1.
// distance_of(collider, x): as distance_to().
template <int D, class Distance>
FIRN_HD inline double open_fraction(const Vec3d& node, double h, KernelKind kernel,
                                    const Collider* colliders, const int* near, int n,
                                    const Distance& distance_of) {
  constexpr int kPoints = power(3, D);
  const double spacing = detail::point_spacing(kernel);
  const double reach = spacing * sqrt_of(double(D)) + 0.5;  // cells
  double distance = reach, outside[kPoints];
  for (int c = 0; c < n; ++c) {
    const Collider& collider = colliders[near[c]];
    const DistanceAndNormal d = distance_of(collider, node);
    distance = min_of(distance, (d.distance + detail::recess(collider, d, h)) / h);
  }
  if (distance >= reach || distance <= -reach) return distance > 0 ? 1 : 0;
  for (int point = 0; point < kPoints; ++point) outside[point] = 1;
  for (int c = 0; c < n; ++c) {
    const Collider& collider = colliders[near[c]];
    const double back = detail::recess(collider, distance_of(collider, node), h);
    for (int point = 0; point < kPoints; ++point) {
      Vec3d x = node;
      for (int a = 0, rest = point; a < D; ++a, rest /= 3) x[a] += (rest % 3 - 1) * spacing * h;
      const double d = distance_of(collider, x).distance + back;
      outside[point] = min_of(outside[point], clamp(d / h + 0.5, 0.0, 1.0));
    }
  }
  double open = 0;
  for (int point = 0; point < kPoints; ++point) {
    double weight = 1;
    for (int a = 0, rest = point; a < D; ++a, rest /= 3) weight *= rest % 3 == 1 ? 0.5 : 0.25;
    open += weight * outside[point];
  }
  return open;
}

template <int D>
FIRN_HD inline double open_fraction(const Vec3d& node, double h, KernelKind kernel,
                                    const Collider* colliders, const int* near, int n) {
  return open_fraction<D>(node, h, kernel, colliders, near, n,
                          [](const Collider& c, const Vec3d& x) { return distance_to(c, x); });
}

}  // namespace firn
