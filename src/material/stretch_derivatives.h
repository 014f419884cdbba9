// Derivatives of an isotropic energy by the principal stretches: all that P = dPsi/dF and its own
// derivative need besides the axes of F (derivatives.h).
#pragma once

#include "base/mat.h"
#include "base/math.h"

namespace firn {

// With psi_i = dPsi/ds_i. The quotients of a pair i, j are at pair_index(i, j).
template <class S, int D>
struct StretchDerivatives {
  static constexpr int kPairs = D * (D - 1) / 2;
  Vec<S, D> first;            // psi_i
  Mat<S, D> second;           // d psi_i / d s_j
  Vec<S, kPairs> difference;  // (psi_i - psi_j) / (s_i - s_j), also where the stretches are equal
  Vec<S, kPairs> sum;         // (psi_i + psi_j) / (s_i + s_j)

  FIRN_INLINE static constexpr int pair_index(int i, int j) { return D == 2 ? 0 : 3 - i - j; }
};

// The energy of states that a law does not admit: far above every other, but a number, so that a
// line search which compares and interpolates energies comes back from there.
inline constexpr double kInadmissibleEnergy = 1e30;
// Laws with logarithms admit no smaller stretches. Derivatives of such states are those at this
// stretch: finite, and of no other meaning.
inline constexpr double kSmallestAdmissible = 1e-6;

template <class S, int D>
FIRN_INLINE Vec<S, D> admissible_stretches(const Vec<S, D>& s) {
  Vec<S, D> r;
  for (int i = 0; i < D; ++i) r[i] = max_of(s[i], S(ScalarOf<S>(kSmallestAdmissible)));
  return r;
}
// All of them positive: the last of singular values (base/svd.h) is the smallest.
template <class S, int D>
FIRN_INLINE auto all_admissible(const Vec<S, D>& s) {
  return s[D - 1] > S(ScalarOf<S>(kSmallestAdmissible));
}

// (ln x - ln y) / (x - y) for positive numbers, by the series of ln((1 + z) / (1 - z)) where they
// are close.
template <class S>
FIRN_INLINE S log_quotient(S x, S y) {
  using T = ScalarOf<S>;
  constexpr int kTerms = sizeof(T) == 4 ? 4 : 9;
  const S z = (x - y) / (x + y), z2 = z * z;
  const auto close = z2 < S(T(0.01));
  S series = S(T(1.0 / (2 * kTerms - 1)));
  for (int n = kTerms - 1; n > 0; --n) series = series * z2 + S(T(1.0 / (2 * n - 1)));
  const S apart = log_of(x / y) / select(close, S(1), x - y);
  return select(close, S(2) * series / (x + y), apart);
}

// Product of the stretches other than i, and other than i and j: dJ/ds_i and d2J/ds_i ds_j.
template <class S>
FIRN_INLINE S product_without(const Vec<S, 2>& s, int i) {
  return s[1 - i];
}
template <class S>
FIRN_INLINE S product_without(const Vec<S, 3>& s, int i) {
  return s[(i + 1) % 3] * s[(i + 2) % 3];
}
template <class S>
FIRN_INLINE S product_without(const Vec<S, 2>&, int, int) {
  return S(1);
}
template <class S>
FIRN_INLINE S product_without(const Vec<S, 3>& s, int i, int j) {
  return s[3 - i - j];
}

// Psi = g(J), given g' and g'': polynomials in the stretches, for J <= 0 as well.
template <class S, int D>
FIRN_INLINE StretchDerivatives<S, D> derivatives_by_volume(const Vec<S, D>& s, S slope,
                                                           S curvature) {
  StretchDerivatives<S, D> r;
  for (int i = 0; i < D; ++i) {
    const S by_i = product_without(s, i);
    r.first[i] = slope * by_i;
    r.second(i, i) = curvature * by_i * by_i;
    for (int j = i + 1; j < D; ++j) {
      const S twist = slope * product_without(s, i, j);
      r.second(i, j) = r.second(j, i) = curvature * by_i * product_without(s, j) + twist;
      r.difference[r.pair_index(i, j)] = -twist;
      r.sum[r.pair_index(i, j)] = twist;
    }
  }
  return r;
}

// Of principal Kirchhoff stresses that are functions of the logarithmic strain e = ln s, s > 0:
// psi_i = tau_i / s_i, with the tangent d tau_i / d e_j, and tau_i - tau_j = shear (e_i - e_j).
template <class S, int D>
FIRN_INLINE StretchDerivatives<S, D> derivatives_by_log_strain(const Vec<S, D>& s,
                                                               const Vec<S, D>& tau,
                                                               const Mat<S, D>& tangent, S shear) {
  using T = ScalarOf<S>;
  const S half = S(T(0.5));
  StretchDerivatives<S, D> r;
  Vec<S, D> inverse;
  for (int i = 0; i < D; ++i) inverse[i] = S(1) / s[i];
  for (int i = 0; i < D; ++i) {
    r.first[i] = tau[i] * inverse[i];
    for (int j = 0; j < D; ++j)
      r.second(i, j) = (i == j ? tangent(i, i) - tau[i] : tangent(i, j)) * inverse[i] * inverse[j];
    for (int j = i + 1; j < D; ++j) {
      const S both = inverse[i] * inverse[j], s_sum = s[i] + s[j];
      const S turn = half * (s_sum * shear * log_quotient(s[i], s[j]) - (tau[i] + tau[j]));
      r.difference[r.pair_index(i, j)] = turn * both;
      r.sum[r.pair_index(i, j)] = (tau[i] * s[j] + tau[j] * s[i]) * both / s_sum;
    }
  }
  return r;
}

}  // namespace firn
