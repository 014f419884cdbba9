// Kernels of smoothed particles. Lengths are cells, and the support is one of them (h = 1), so that
// W has no unit. Functions of packs as of scalars; beyond the support they are 0.
#pragma once

#include "base/lane_ops.h"
#include "base/math.h"
#include "base/schemes.h"

namespace firn {

// Nearer than this two particles have no direction from one to the other, cells.
constexpr double kSamePlace = 1e-6;

// c (1 - r)^3: steepest in the middle, so that near pairs are pushed apart (GRAIN 4.1,
// physics.md 37).
template <int D>
struct SpikyKernel {
  static constexpr double kScale = (D == 3 ? 15 : 10) / 3.14159265358979323846;
  static constexpr double kSteepest = 3 * kScale;  // the largest that -W' is

  template <class S>
  FIRN_INLINE static S value(S r) {
    const S left = max_of(S(1) - r, S(0));
    return S(ScalarOf<S>(kScale)) * left * left * left;
  }
  // W'(r) / r; `inverse`: 1 / r.
  template <class S>
  FIRN_INLINE static S slope_over_r(S r, S inverse) {
    const S left = max_of(S(1) - r, S(0));
    return S(ScalarOf<S>(-3 * kScale)) * left * left * inverse;
  }
};

template <int D>
struct CubicSplineKernel {
  static constexpr double kScale = (D == 3 ? 8.0 : 40.0 / 7) / 3.14159265358979323846;
  static constexpr double kSteepest = 2 * kScale;

  template <class S>
  FIRN_INLINE static S value(S r) {
    using T = ScalarOf<S>;
    const S left = max_of(S(1) - r, S(0)), near = max_of(S(T(0.5)) - r, S(0));
    return S(T(kScale)) * (S(2) * left * left * left - S(8) * near * near * near);
  }
  template <class S>
  FIRN_INLINE static S slope_over_r(S r, S inverse) {
    using T = ScalarOf<S>;
    const S left = max_of(S(1) - r, S(0)), near = max_of(S(T(0.5)) - r, S(0));
    return S(T(kScale)) * (S(24) * near * near - S(6) * left * left) * inverse;
  }
};

// Wendland's C2.
template <int D>
struct WendlandKernel {
  static constexpr double kScale = (D == 3 ? 10.5 : 7) / 3.14159265358979323846;
  static constexpr double kSteepest = 2.109375 * kScale;

  template <class S>
  FIRN_INLINE static S value(S r) {
    const S left = max_of(S(1) - r, S(0)), square = left * left;
    return S(ScalarOf<S>(kScale)) * square * square * (S(4) * r + S(1));
  }
  template <class S>
  FIRN_INLINE static S slope_over_r(S r, S) {
    const S left = max_of(S(1) - r, S(0));
    return S(ScalarOf<S>(-20 * kScale)) * left * left * left;
  }
};

// Of a distance that may be 0.
template <class Kernel, class S>
FIRN_INLINE S slope_over_r(const Kernel&, S r) {
  return Kernel::slope_over_r(r, S(1) / max_of(r, S(ScalarOf<S>(kSamePlace))));
}

// f(kernel) with the one that is meant.
template <int D, class F>
decltype(auto) with_smoothing(SmoothingKind kind, F&& f) {
  switch (kind) {
    case SmoothingKind::cubic_spline:
      return f(CubicSplineKernel<D>());
    case SmoothingKind::wendland:
      return f(WendlandKernel<D>());
    case SmoothingKind::spiky:
      break;
  }
  return f(SpikyKernel<D>());
}

// Sum of V W over a cubic lattice of a spacing, in cells, V = spacing^D: what the density of
// particles is measured against.
template <int D>
double lattice_sum(SmoothingKind kind, double spacing);

// Share of that sum which lies on one side of the layer through its middle.
template <int D>
double lattice_share_behind(SmoothingKind kind, double spacing);

template <int D>
double steepest_slope(SmoothingKind kind) {
  return with_smoothing<D>(kind, [](auto kernel) { return decltype(kernel)::kSteepest; });
}

// What sums over that lattice make of the gradient of a linear field, 1 where they are exact.
template <int D>
double lattice_moment(SmoothingKind kind, double spacing);

// What neighbours that move to and fro along an axis of that lattice lose of it to pairs of weight
// 1 - r times their volume (jitter_particle.h).
template <int D>
double lattice_jitter(double spacing);

// Largest eigenvalue that the product of the operators of pressure and divergence has on that
// lattice, over its diagonal.
template <int D>
double lattice_stiffness(SmoothingKind kind, double spacing);

}  // namespace firn
