// The volume correction of fluids (mpm/fluid_volume.h) at one node and for one particle, or for a
// SIMD vector of them; host and device.
#pragma once

#include <cmath>

#include "base/schemes.h"
#include "collision/mirror.h"
#include "mpm/advance_material.h"
#include "particles/blocks.h"

namespace firn {

// Steps between two looks at the volume: drift is slow, and a look costs as much as a transfer.
// What is poured closes up within a few steps, and is looked at more often.
constexpr int kVolumeInterval = 16, kPouredInterval = 4;

// Both rates are counted in strain, not in time: what drifts, drifts because the fluid deforms, so
// water at rest is left alone, and no scale of time or length enters.
constexpr double kVolumePerStrain = 2.5;    // share of the excess undone by a strain of one
constexpr double kSmoothingPerStrain = 40;  // share of the scatter of J undone by a strain of one
constexpr double kMaxVolumeShare = 0.5;     // of either, between two looks
constexpr double kMaxExcess = 0.2;          // a larger one counts as this
constexpr double kFullNode = 0.6;           // a node less filled than this is at a free surface
constexpr double kOpenNode = 0.05;          // a node with less room than this tells nothing

// Poured particles that close up. Their room need not be found to better than the dead zone, and
// what they lack is given back over some looks, at once it would kick, and by strain, so that a
// heap at rest is left alone.
constexpr double kLooseDeadZone = 0.02;
constexpr double kLackPerStrain = 10;  // share of a lack given back by a strain of one,
constexpr double kMaxLackShare = 0.2;  // and at most at each look
constexpr double kCloseNode = 0.6;    // a mean fill from which on the room of the loose is believed
constexpr double kSurfaceNode = 0.3;  // an open node less filled than this is at a free surface
constexpr double kWhollyLoose = 1e-3;  // the dilation from which on a particle is nothing but loose

// Share of a particle that counts as dense. Between dense and loose it goes smoothly: in a fluid
// that falls freely the dilation is rounding, and must not decide.
template <class S>
FIRN_INLINE S dense_share(S dilation) {
  return S(1) - clamp(dilation * S(ScalarOf<S>(1 / kWhollyLoose)), S(0), S(1));
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

// Largest rate of either correction after a step of dt, 1/s; `interval`: steps between two looks.
FIRN_INLINE double max_volume_rate(double dt, int interval) {
  return kMaxVolumeShare / (interval * dt);
}

// The rate at which J is drawn to the mean of its neighbours, 1/s.
template <class S>
FIRN_INLINE S smoothing_rate(S strain, ScalarOf<S> max_rate) {
  return min_of(S(ScalarOf<S>(kSmoothingPerStrain)) * strain, S(max_rate));
}

// What a particle lays on the nodes, volumes in cells: the volume V J that it claims, and for the
// mean that J is drawn to. That is one of pressure, K (1 - J), so that fluids of different
// stiffness may touch. Weighted by V smoothing / K, with the rate at which the particle is drawn,
// it leaves the sum of V J as it is, whatever the volumes, moduli and rates.
template <class S>
struct LaidVolume {
  S claimed, weight, pressure;
};
template <class S>
FIRN_INLINE LaidVolume<S> laid_fluid(S cells, S J, S dilation, S modulus, S smoothing) {
  const S weight = dense_share(dilation) * cells * smoothing;
  return {cells * J, weight / modulus, weight * (S(1) - J)};
}
// Sand: J is that of its elastic deformation.
template <class S>
FIRN_INLINE LaidVolume<S> laid_grains(S cells, S J) {
  return {cells * J, S(0), S(0)};
}

// What a node with any volume found; `room` is the share of it outside of obstacles. `open` is the
// fill where no obstacle is near, 1 elsewhere.
template <class S>
struct NodeVolume {
  S excess, pressure, fill, open;
};
// What a particle found: means over its nodes, and the least fill of all and of the open ones.
template <class S>
struct FoundVolume {
  S excess, pressure, fill, least, open;
};
template <class T>
FIRN_INLINE NodeVolume<T> node_volume(const LaidVolume<T>& laid, T room) {
  return {laid.claimed - room, laid.weight > T(0) ? laid.pressure / laid.weight : T(0),
          room > T(kOpenNode) ? laid.claimed / room : T(1), room < T(0.999) ? T(1) : laid.claimed};
}

// What mends the room of poured particles, 1/s. fill e^q is 1 where the room that a particle has by
// its dilation q is what the grid finds around it. More than that is taken from the dilation of
// loose particles that are close to others, as far as they have any. Less is given to loose and
// dense ones alike, without stress, wherever no free surface is near: they resisted too soon.
template <class S>
FIRN_INLINE S poured_source(S dilation, const FoundVolume<S>& found, S strain,
                            ScalarOf<S> max_rate) {
  using T = ScalarOf<S>;
  const T look_rate = max_rate * T(1 / kMaxVolumeShare);
  const S off = found.fill * exp_of(min_of(dilation, S(T(kLargestDilation)))) - S(1);
  const auto crowds = (found.fill > S(T(kCloseNode))) & (off > S(T(kLooseDeadZone)));
  const S crowd = select(crowds, min_of(min_of(off, dilation), S(T(kMaxExcess))), S(0));
  const auto lacks = (found.open > S(T(kSurfaceNode))) & (off < S(T(-kLooseDeadZone)));
  const S lack = select(lacks, max_of(off, S(T(-kMaxExcess))), S(0));
  const S lack_rate = min_of(S(T(kLackPerStrain)) * strain, S(look_rate * T(kMaxLackShare)));
  return -S(look_rate) * crowd - lack_rate * lack;
}

// The source of a particle, 1/s, from the means of what its nodes found and the least fill of them.
// Too little volume is believed only where all nodes around are full, since a free surface looks
// the same. A fluid's lack of volume is undone only up to rest: the correction never pulls.
template <class S>
FIRN_INLINE S fluid_source(S J, S dilation, S modulus, const FoundVolume<S>& found, S strain,
                           ScalarOf<S> max_rate) {
  using T = ScalarOf<S>;
  const S mean_J = S(1) - found.pressure / modulus;
  S excess = clamp(found.excess, S(T(-kMaxExcess)), S(T(kMaxExcess)));
  const auto believed = (excess > S(0)) | ((found.least > S(T(kFullNode))) & (mean_J < S(1)));
  excess = select(believed, excess, S(0));
  const S dense = smoothing_rate(strain, max_rate) * (mean_J / J - S(1)) -
                  min_of(S(T(kVolumePerStrain)) * strain, S(max_rate)) * excess;
  const S share = dense_share(dilation);
  return share * dense + (S(1) - share) * poured_source(dilation, found, strain, max_rate);
}
// Poured sand: what stands closer than it should moves apart as a fluid does.
template <class S>
FIRN_INLINE S grain_source(S dilation, const FoundVolume<S>& found, S strain,
                           ScalarOf<S> max_rate) {
  using T = ScalarOf<S>;
  const S excess = dense_share(dilation) * clamp(found.excess, S(0), S(T(kMaxExcess)));
  return poured_source(dilation, found, strain, max_rate) -
         min_of(S(T(kVolumePerStrain)) * strain, S(max_rate)) * excess;
}

// Fluids beside solids. Particles of both share nodes there, and those that a body holds cannot
// follow the strain of every single particle of the fluid: scatter of J resists it like a yield
// stress, of about K over the smoothing per strain, and a body on water a cell or two deep does not
// sink. There J is drawn to the mean of its neighbours a hundred times as hard (ten times does most
// of it, and faster than 4000 changes nothing more). The rate is one of nodes here, so that with
// means weighted by V / K the sum of V J stays as it is.
constexpr double kSmoothingBesideSolids = 4000;  // share of the scatter undone by a strain of one
constexpr double kSolidNode = 0.1;  // share of a node that solids take, from which on it counts

// What a particle lays on the nodes: a fluid V / K, V (1 - J) and V / K times its rate, 1/s, a
// solid the volume that it takes.
template <class S>
struct LaidBeside {
  S weight, pressure, rate, solid;
};
template <class S>
FIRN_INLINE LaidBeside<S> fluid_beside(S cells, S J, S dilation, S modulus, S strain,
                                       ScalarOf<S> max_rate) {
  const S dense = dense_share(dilation) * cells, weight = dense / modulus;
  const S rate = min_of(S(ScalarOf<S>(kSmoothingBesideSolids)) * strain, S(max_rate));
  return {weight, dense * (S(1) - J), weight * rate, S(0)};
}
// The rate of a node, and its mean pressure times that.
template <class T>
struct NodeBeside {
  T rate, pressure;
};
template <class T>
FIRN_INLINE NodeBeside<T> node_beside(const LaidBeside<T>& laid) {
  if (!(laid.weight > T(0)) || !(laid.solid > T(0))) return {T(0), T(0)};
  const T rate = laid.rate / laid.weight * min_of(laid.solid * T(1 / kSolidNode), T(1));
  return {rate, rate * laid.pressure / laid.weight};
}
// What a particle adds to its source, 1/s, by the sums over its nodes.
template <class S>
FIRN_INLINE S source_beside(S J, S dilation, S modulus, S rate, S pressure) {
  const S change = rate * (S(1) - J) - pressure / modulus;
  return dense_share(dilation) * change / J;
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
