// B-spline kernels. A particle's base node is floor(x/h - kShift); f in [0,1) is the rest. The
// weights of the kNodes nodes from the base on, and their derivatives with respect to the
// particle's position in cells, are polynomials in f.
#pragma once

#include "base/math.h"
#include "base/schemes.h"

namespace firn {

struct LinearKernel {
  static constexpr int kNodes = 2;
  static constexpr double kShift = 0.0;
  static constexpr double kInverseD = 0.0;  // D depends on position: see docs/physics.md
  // Share of a particle's mass below which a node counts less in the gradient (classic_particle.h).
  static constexpr double kLeastNodeMass = 0.25;
  template <class S>
  FIRN_INLINE static void weights(S f, S* w) {
    w[0] = S(1) - f;
    w[1] = f;
  }
  template <class S>
  FIRN_INLINE static void gradients(S, S* g) {
    g[0] = S(-1);
    g[1] = S(1);
  }
};

struct QuadraticKernel {
  static constexpr int kNodes = 3;
  static constexpr double kShift = 0.5;
  static constexpr double kInverseD = 4.0;  // times 1/h^2
  static constexpr double kLeastNodeMass = 0.0;
  template <class S>
  FIRN_INLINE static void weights(S f, S* w) {
    const S half(0.5), r = S(1) - f;
    w[0] = half * r * r;
    w[2] = half * f * f;
    w[1] = S(0.75) - square(f - half);
  }
  template <class S>
  FIRN_INLINE static void gradients(S f, S* g) {
    g[0] = f - S(1);
    g[1] = S(1) - S(2) * f;
    g[2] = f;
  }
};

struct CubicKernel {
  static constexpr int kNodes = 4;
  static constexpr double kShift = 1.0;
  static constexpr double kInverseD = 3.0;
  static constexpr double kLeastNodeMass = 0.0;
  template <class S>
  FIRN_INLINE static void weights(S f, S* w) {
    const S sixth(1.0 / 6.0), r = S(1) - f;
    w[0] = sixth * r * r * r;
    w[3] = sixth * f * f * f;
    // From sum w = 1 and sum w (x_i - x_p) = 0: 1/6 and 2/3 are rounded up in 32 bits, and weights
    // that miss either sum always in the same sense would push the same way in every step.
    w[1] = r - S(2) * w[0] + w[3];
    w[2] = f - S(2) * w[3] + w[0];
  }
  template <class S>
  FIRN_INLINE static void gradients(S f, S* g) {
    const S half(0.5), r = S(1) - f;
    g[0] = -half * r * r;
    g[3] = half * f * f;
    g[1] = S(1.5) * f * f - S(2) * f;
    g[2] = S(2) * r - S(1.5) * r * r;
  }
};

// Shift between a particle's stored position and its world position, in cells.
inline double kernel_shift(KernelKind kernel) {
  switch (kernel) {
    case KernelKind::linear:
      return LinearKernel::kShift;
    case KernelKind::quadratic:
      return QuadraticKernel::kShift;
    case KernelKind::cubic:
      return CubicKernel::kShift;
  }
  return 0;
}

}  // namespace firn
