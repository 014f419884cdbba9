// First Piola-Kirchhoff stress P = dPsi/dF and its derivative, from the singular values and axes of
// F = U diag(s) V^T and the derivatives by s.
//
// In the axes, T = U^T dF V, the derivative falls apart: the diagonal of T meets the D x D matrix
// d psi_i / d s_j, and of each pair i, j of axes T_ij + T_ji meets the difference quotient of the
// psi, T_ij - T_ji the sum quotient. These are the eigenvalues of the pair's 2 x 2 block.
#pragma once

#include "base/spectrum.h"
#include "base/svd.h"
#include "material/stretch_derivatives.h"

namespace firn {

// The nearest symmetric matrix without negative eigenvalues; exactly the same where there are none.
template <class S, int D>
FIRN_HD inline Mat<S, D> positive_part(const Mat<S, D>& a) {
  using T = ScalarOf<S>;
  SymMat<S, D> scaled;  // squares of stiffnesses may overflow
  S size = S(0);
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j) {
      scaled(i, j) = S(T(0.5)) * (a(i, j) + a(j, i));
      size = max_of(size, abs_of(scaled(i, j)));
    }
  const S divisor = select(size > S(0), size, S(1));
  for (int k = 0; k < SymMat<S, D>::kSize; ++k) scaled.e[k] = scaled.e[k] / divisor;
  const Spectrum<S, D> spectrum = firn::spectrum(scaled);
  S smallest = spectrum.eigenvalue[0];
  Vec<S, D> positive;
  for (int i = 0; i < D; ++i) {
    smallest = min_of(smallest, spectrum.eigenvalue[i]);
    positive[i] = max_of(spectrum.eigenvalue[i], S(0)) * divisor;
  }
  const SymMat<S, D> clamped = from_spectrum(spectrum.axes, positive);
  Mat<S, D> r;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r(i, j) = select(smallest < S(0), clamped(i, j), a(i, j));
  return r;
}

// Every block made positive semidefinite: so is then dP as a whole. Of a matrix d psi_i / d s_j
// that is not symmetric (no energy) and has negative eigenvalues the symmetric part is left.
template <class S, int D>
FIRN_INLINE StretchDerivatives<S, D> positive_part(const StretchDerivatives<S, D>& d) {
  StretchDerivatives<S, D> r = d;
  r.second = positive_part(d.second);
  for (int k = 0; k < d.kPairs; ++k) {
    r.difference[k] = max_of(d.difference[k], S(0));
    r.sum[k] = max_of(d.sum[k], S(0));
  }
  return r;
}

// Stress and its derivative at one F.
template <class S, int D>
struct StressDerivative {
  Svd<S, D> F;
  StretchDerivatives<S, D> by_stretch;

  FIRN_INLINE Mat<S, D> from_axes(const Mat<S, D>& a) const { return F.U * a * transpose(F.V); }

  FIRN_INLINE Mat<S, D> P() const { return from_axes(Mat<S, D>::diagonal(by_stretch.first)); }
  // Kirchhoff stress P F^T.
  FIRN_INLINE SymMat<S, D> tau() const {
    Vec<S, D> principal;
    for (int i = 0; i < D; ++i) principal[i] = by_stretch.first[i] * F.s[i];
    return from_spectrum(F.U, principal);
  }
  // dP for a change dF of F.
  FIRN_INLINE Mat<S, D> apply(const Mat<S, D>& dF) const {
    const Mat<S, D> t = transpose(F.U) * dF * F.V;
    const S half = S(ScalarOf<S>(0.5));
    Mat<S, D> r;
    for (int i = 0; i < D; ++i) {
      S along = by_stretch.second(i, 0) * t(0, 0);
      for (int j = 1; j < D; ++j) along = along + by_stretch.second(i, j) * t(j, j);
      r(i, i) = along;
      for (int j = i + 1; j < D; ++j) {
        const int pair = by_stretch.pair_index(i, j);
        const S even = half * by_stretch.difference[pair] * (t(i, j) + t(j, i));
        const S odd = half * by_stretch.sum[pair] * (t(i, j) - t(j, i));
        r(i, j) = even + odd;
        r(j, i) = even - odd;
      }
    }
    return from_axes(r);
  }
};

// `law` has derivatives(s), see elastic_law.h. With `clamped` every particle's dP is positive
// semidefinite, and so is what a grid sums up; P is the same.
template <class S, int D, class Law>
FIRN_HD inline StressDerivative<S, D> stress_derivative(const Law& law, const Svd<S, D>& F,
                                                        bool clamped = false) {
  StressDerivative<S, D> r;
  r.F = F;
  r.by_stretch = law.derivatives(r.F.s);
  if (clamped) r.by_stretch = positive_part(r.by_stretch);
  return r;
}
template <class S, int D, class Law>
FIRN_HD inline StressDerivative<S, D> stress_derivative(const Law& law, const Mat<S, D>& F,
                                                        bool clamped = false) {
  return stress_derivative(law, svd(F), clamped);
}

}  // namespace firn
