// Spectral decomposition of symmetric matrices without branches, for SIMD vectors of particles.
// b = F F^T = U diag(s^2) U^T gives the principal stretches s and the spatial principal axes U of a
// deformation gradient; isotropic models need nothing else (no right singular vectors), and they
// need the axes only inside functions of b, for which principal() is several times faster than
// spectrum(): it has a closed form and no eigenvectors.
#pragma once

#include "base/mat.h"
#include "base/math.h"

namespace firn {

template <class S, int N>
struct Spectrum {
  Mat<S, N> axes;        // eigenvectors in columns
  Vec<S, N> eigenvalue;  // not sorted
};

namespace detail {

// Cosine and sine of the rotation that annihilates a_pq: tan = t solves t^2 + 2 theta t - 1 = 0,
// the smaller root, written so that neither equal diagonals nor a_pq = 0 divide by zero.
template <class S>
FIRN_INLINE void jacobi_rotation(S app, S aqq, S apq, S& c, S& s, S& t) {
  using T = ScalarOf<S>;
  const S half = S(T(0.5)) * (aqq - app);
  const S tiny = S(sizeof(T) == 4 ? T(1e-30) : T(1e-290));
  const S length2 = half * half + apq * apq + tiny;
  const S length = sqrt_of(length2);
  t = apq / select(half < S(0), half - length, half + length);
  c = rsqrt_of(S(1) + t * t);
  s = c * t;
}

// 2 cos(acos(x) / 3) for x in [0, 1]: the largest root of y^3 - 3 y - 2 x, between sqrt(3) and 2.
// A polynomial (error 2.5e-8); double adds two Newton steps, whose slope 3 y^2 - 3 is at least 6.
template <class S>
FIRN_INLINE S largest_cubic_root(S x) {
  using T = ScalarOf<S>;
  const S x2 = x * x;
  const S p01 = S(T(0.33333008612646015)) * x + S(T(1.732050832781684));
  const S p23 = S(T(0.04878476766348641)) * x + S(T(-0.09615470068989758));
  const S p45 = S(T(0.015328603511275655)) * x + S(T(-0.028579129652862557));
  const S p67 = S(T(0.0010852154258501917)) * x + S(T(-0.005845661005369144));
  S y = ((p67 * x2 + p45) * x2 + p23) * x2 + p01;
  if constexpr (sizeof(T) == 8)
    for (int step = 0; step < 2; ++step)
      y = y - ((y * y - S(3)) * y - S(2) * x) / (S(3) * y * y - S(3));
  return y;
}

template <class T>
constexpr T kTinySquare = sizeof(T) == 4 ? T(1e-30) : T(1e-290);

}  // namespace detail

// Eigenvalues and what an isotropic function f(b) = sum f_k u_k u_k^T needs of the axes:
//   f(b) = m I + (f_0 - m) A + h B,  m = (f_1 + f_2) / 2,  h = (f_1 - f_2) / 2   in 3D,
//   f(b) = m I + h B,                m = (f_0 + f_1) / 2,  h = (f_0 - f_1) / 2   in 2D,
// where A projects on the axis of the eigenvalue that is best separated from the others (value[0],
// in 3D the largest or the smallest) and B is the difference of the projections on the other two,
// the larger first. When those two coincide B is any symmetric matrix of that size; h is then zero.
template <class S, int N>
struct Principal {
  Vec<S, N> value;
  SymMat<S, N> isolated;  // A; unset in 2D
  SymMat<S, N> pair;      // B
};

template <class S>
FIRN_INLINE Principal<S, 2> principal(const SymMat<S, 2>& b) {
  using T = ScalarOf<S>;
  const S mean = S(T(0.5)) * (b.e[0] + b.e[1]), half = S(T(0.5)) * (b.e[0] - b.e[1]);
  const S radius2 = half * half + b.e[2] * b.e[2] + S(detail::kTinySquare<T>);
  const S radius = sqrt_of(radius2), inverse = S(1) / radius;
  Principal<S, 2> r;
  r.value = {{mean + radius, mean - radius}};
  r.pair = {{half * inverse, -half * inverse, b.e[2] * inverse}};
  return r;
}

// Shifted and scaled so that the eigenvalues are 2 cos(angle + 2 pi k / 3), the one of largest
// magnitude, y, stays at least sqrt(3) away from the others whatever the matrix: computing it and
// its projection adj(B - y I) / tr adj(B - y I) is well conditioned. What remains lives in the
// plane across, traceless there, with eigenvalues +-r, and needs no axes either. The error is a few
// round-offs of |b| times the Lipschitz constant of f, for equal eigenvalues too.
template <class S>
FIRN_INLINE Principal<S, 3> principal(const SymMat<S, 3>& b) {
  using T = ScalarOf<S>;
  const S mean = S(T(1.0 / 3.0)) * trace(b);
  SymMat<S, 3> n = b;
  for (int i = 0; i < 3; ++i) n.e[i] = b.e[i] - mean;
  const S diagonal2 = n.e[0] * n.e[0] + n.e[1] * n.e[1] + n.e[2] * n.e[2];
  const S shear2 = n.e[3] * n.e[3] + n.e[4] * n.e[4] + n.e[5] * n.e[5];
  // Not below round-off, where the deviator is noise that has a trace: the isolated projection of
  // noise would be arbitrarily large.
  constexpr T kRoundOff = sizeof(T) == 4 ? T(2.4e-7) : T(4.4e-16);
  const S noise2 = mean * mean * S(kRoundOff * kRoundOff) + S(detail::kTinySquare<T>);
  const S scale2 = (S(T(0.5)) * diagonal2 + shear2) * S(T(1.0 / 3.0)) + noise2;
  const S scale = sqrt_of(scale2), inverse = S(1) / scale;
  for (int i = 0; i < 6; ++i) n.e[i] = n.e[i] * inverse;

  const S half_det = S(T(0.5)) * (n.e[0] * (n.e[1] * n.e[2] - n.e[3] * n.e[3]) -
                                  n.e[5] * (n.e[5] * n.e[2] - n.e[3] * n.e[4]) +
                                  n.e[4] * (n.e[5] * n.e[3] - n.e[1] * n.e[4]));
  const S root = detail::largest_cubic_root(min_of(abs_of(half_det), S(1)));
  const S y = select(half_det < S(0), -root, root);

  const S x0 = n.e[0] - y, x1 = n.e[1] - y, x2 = n.e[2] - y;
  SymMat<S, 3> a = {{x1 * x2 - n.e[3] * n.e[3], x0 * x2 - n.e[4] * n.e[4],
                     x0 * x1 - n.e[5] * n.e[5], n.e[4] * n.e[5] - x0 * n.e[3],
                     n.e[3] * n.e[5] - x1 * n.e[4], n.e[3] * n.e[4] - x2 * n.e[5]}};
  const S normalize = S(1) / trace(a);
  for (int i = 0; i < 6; ++i) a.e[i] = a.e[i] * normalize;

  const S half_y = S(T(0.5)) * y, minus_3_half_y = S(T(-1.5)) * y;
  SymMat<S, 3> plane;
  for (int i = 0; i < 3; ++i) plane.e[i] = a.e[i] * minus_3_half_y + (n.e[i] + half_y);
  for (int i = 3; i < 6; ++i) plane.e[i] = a.e[i] * minus_3_half_y + n.e[i];
  const S plane_diagonal2 =
      plane.e[0] * plane.e[0] + plane.e[1] * plane.e[1] + plane.e[2] * plane.e[2];
  const S plane_shear2 =
      plane.e[3] * plane.e[3] + plane.e[4] * plane.e[4] + plane.e[5] * plane.e[5];
  const S radius2 = S(T(0.5)) * plane_diagonal2 + plane_shear2 + S(detail::kTinySquare<T>);
  const S radius = sqrt_of(radius2), inverse_radius = S(1) / radius;

  Principal<S, 3> r;
  r.value = {
      {mean + scale * y, mean + scale * (radius - half_y), mean - scale * (radius + half_y)}};
  r.isolated = a;
  for (int i = 0; i < 6; ++i) r.pair.e[i] = plane.e[i] * inverse_radius;
  return r;
}

// The matrix with the axes of p and the eigenvalues f. Equal f give exactly f I.
template <class S, int N>
FIRN_INLINE SymMat<S, N> assemble(const Principal<S, N>& p, const Vec<S, N>& f) {
  using T = ScalarOf<S>;
  const S mean = S(T(0.5)) * (f[N - 2] + f[N - 1]), half = S(T(0.5)) * (f[N - 2] - f[N - 1]);
  SymMat<S, N> r;
  for (int i = 0; i < SymMat<S, N>::kSize; ++i) {
    r.e[i] = i < N ? half * p.pair.e[i] + mean : half * p.pair.e[i];
    if constexpr (N == 3) r.e[i] = (f[0] - mean) * p.isolated.e[i] + r.e[i];
  }
  return r;
}

// Upper bound of the largest eigenvalue, exact for multiples of I: mean + sqrt((N-1)/N) |deviator|.
template <class S, int N>
FIRN_INLINE S largest_eigenvalue_bound(const SymMat<S, N>& b) {
  using T = ScalarOf<S>;
  const S mean = trace(b) * S(T(1.0 / N));
  S norm2 = S(0);
  for (int i = 0; i < SymMat<S, N>::kSize; ++i)
    norm2 = i < N ? norm2 + square(b.e[i] - mean) : norm2 + S(2) * b.e[i] * b.e[i];
  return mean + sqrt_of(norm2 * S(T((N - 1.0) / N)));
}

template <class S>
FIRN_INLINE Spectrum<S, 2> spectrum(const SymMat<S, 2>& b) {
  S c, s, t;
  detail::jacobi_rotation(b.e[0], b.e[1], b.e[2], c, s, t);
  Spectrum<S, 2> r;
  r.axes = {{{c, s}, {-s, c}}};
  r.eigenvalue = {{b.e[0] - t * b.e[2], b.e[1] + t * b.e[2]}};
  return r;
}

// Cyclic Jacobi with a fixed number of sweeps; it converges quadratically, so three reach float
// and five reach double round-off.
template <class S>
FIRN_INLINE Spectrum<S, 3> spectrum(const SymMat<S, 3>& b) {
  constexpr int kSweeps = sizeof(ScalarOf<S>) == 4 ? 3 : 5;
  SymMat<S, 3> a = b;
  Mat<S, 3> u = Mat<S, 3>::identity();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int k = 0; k < 3; ++k) {
      const int p = k == 2 ? 1 : 0, q = k == 0 ? 1 : 2, r = 3 - p - q;
      S c, s, t;
      detail::jacobi_rotation(a(p, p), a(q, q), a(p, q), c, s, t);
      a(p, p) = a(p, p) - t * a(p, q);
      a(q, q) = a(q, q) + t * a(p, q);
      a(p, q) = S(0);
      const S arp = a(r, p), arq = a(r, q);
      a(r, p) = c * arp - s * arq;
      a(r, q) = s * arp + c * arq;
      for (int i = 0; i < 3; ++i) {
        const S uip = u(i, p), uiq = u(i, q);
        u(i, p) = c * uip - s * uiq;
        u(i, q) = s * uip + c * uiq;
      }
    }
  }
  return {u, {{a.e[0], a.e[1], a.e[2]}}};
}

}  // namespace firn
