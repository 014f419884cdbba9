// Snow within a step: stress after its stretches were clamped (Snow::update), as a function of the
// trial stretches, with an energy and second derivatives. Moduli are those of the start of the
// step.
//
// Each stretch has a part of its own, and the volume one: k (x - 1)^2 / 2 within bounds, and beyond
// them stress that does no longer grow (x dW/dx stays as it is there). The bounds of stretches are
// the model's. Those of the volume follow from what the clamp leaves of the stretches, so that
// stress would have no energy; they are held for a solve, and found again after it
// (docs/integrators.md).
#pragma once

#include "material/snow.h"
#include "material/stretch_derivatives.h"

namespace firn {

template <class S>
struct BoundedSpring {
  S stiffness, low, high;

  // Where log(x) gives way to its own parabola, so that every x has an energy.
  FIRN_INLINE S floor() const { return low * S(ScalarOf<S>(0.25)); }

  FIRN_INLINE S slope(S x) const {
    const S held = clamp(x, low, high), above = max_of(x, floor());
    const S stress = stiffness * (held - S(1)) * held / above;
    return stress + curvature(x) * min_of(x - floor(), S(0));
  }
  FIRN_INLINE S curvature(S x) const {
    const S held = clamp(x, low, high), above = max_of(x, floor());
    const S beyond = S(0) - stiffness * (held - S(1)) * held / (above * above);
    return select((x > low) & (x < high), stiffness, beyond);
  }
  FIRN_INLINE S energy(S x) const {
    const S half = S(ScalarOf<S>(0.5)), held = clamp(x, low, high), above = max_of(x, floor());
    const S stress = stiffness * (held - S(1)) * held, under = min_of(x - floor(), S(0));
    return half * stiffness * square(held - S(1)) + stress * log_of(above / held) +
           under * (stress / above + half * curvature(x) * under);
  }
  // (slope(x) - slope(y)) / (x - y).
  FIRN_INLINE S quotient(S x, S y) const {
    using T = ScalarOf<S>;
    const S held_x = clamp(x, low, high), held_y = clamp(y, low, high);
    const auto close = abs_of(x - y) < S(T(sizeof(T) == 4 ? 1e-3 : 1e-6));
    const S mean = S(T(0.5)) * (curvature(x) + curvature(y));
    const S any = select(close, mean, (slope(x) - slope(y)) / select(close, S(1), x - y));
    // Both beyond the same bound: the factor x - y cancels.
    const S beyond =
        S(0) - stiffness * (held_x - S(1)) * held_x / (max_of(x, floor()) * max_of(y, floor()));
    const auto flow = (held_x <= held_y) & (held_x >= held_y) & (min_of(x, y) > floor());
    return select(flow, beyond, any);
  }
};

template <class S>
struct SnowOfBounds {
  BoundedSpring<S> stretch, volume;

  // `held`: 0, the largest volume before it yields, or less the smallest.
  template <int D>
  FIRN_INLINE static SnowOfBounds of(const Snow::Constants<S>& c,
                                     const MaterialState<S, D, Snow::kScalars>& state, S held) {
    const LameConstants<S> lame = Snow::hardened(c, state.scalar[0]);
    S low = c.stretch_min, high = c.stretch_max;
    for (int i = 1; i < D; ++i) {
      low = low * c.stretch_min;
      high = high * c.stretch_max;
    }
    return {{S(2) * lame.mu, c.stretch_min, c.stretch_max},
            {lame.lambda, select(held < S(0), -held, low), select(held > S(0), held, high)}};
  }
  // What to hold at these stretches.
  template <int D>
  FIRN_INLINE S held_at(const Vec<S, D>& s) const {
    S left = S(1);
    for (int i = 0; i < D; ++i) left = left * clamp(s[i], stretch.low, stretch.high);
    const S J = product(s), same = S(ScalarOf<S>(1e-6));
    return select(J > left * (S(1) + same), left, select(J < left * (S(1) - same), -left, S(0)));
  }
  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return s[0] >= S(0);
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    S r = volume.energy(product(s));
    for (int i = 0; i < D; ++i) r = r + stretch.energy(s[i]);
    return r;
  }
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& s) const {
    const S J = product(s);
    StretchDerivatives<S, D> r = derivatives_by_volume(s, volume.slope(J), volume.curvature(J));
    for (int i = 0; i < D; ++i) {
      const S slope = stretch.slope(s[i]);
      r.first[i] = r.first[i] + slope;
      r.second(i, i) = r.second(i, i) + stretch.curvature(s[i]);
      for (int j = i + 1; j < D; ++j) {
        const int pair = r.pair_index(i, j);
        r.difference[pair] = r.difference[pair] + stretch.quotient(s[i], s[j]);
        r.sum[pair] = r.sum[pair] + (slope + stretch.slope(s[j])) /
                                        max_of(s[i] + s[j], S(ScalarOf<S>(kSmallestAdmissible)));
      }
    }
    return r;
  }
};

}  // namespace firn
