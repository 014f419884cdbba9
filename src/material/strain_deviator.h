// The deviator of the logarithmic strain, and flow along it: what models share that yield in shear
// and keep their volume. In 2D the strain across the plane is zero as a whole, but its elastic part
// is not once something has flowed: it is a scalar of the particle, and takes part in the deviator.
#pragma once

#include "material/hencky.h"

namespace firn {

template <class S, int D>
struct StrainDeviator {
  Principal<S, D> b;
  Vec<S, D> along;
  S across, trace, size;

  FIRN_INLINE StrainDeviator(const Mat<S, D>& F, S strain_across)
      : b(principal(times_own_transpose(F))), along(principal_log_strain(b)) {
    using T = ScalarOf<S>;
    const S whole = D == 2 ? strain_across : S(0);
    trace = sum(along) + whole;
    const S mean = trace * S(T(1.0 / 3));
    for (int i = 0; i < D; ++i) along[i] = along[i] - mean;
    across = whole - mean;
    S size2 = dot(along, along) + S(detail::kTinySquare<T>);
    if constexpr (D == 2) size2 = size2 + square(across);
    size = sqrt_of(size2);
  }

  // A share of it flows.
  FIRN_INLINE void flow(S share, Mat<S, D>& F, S& strain_across) const {
    Vec<S, D> factor;  // exactly 1 where nothing flows, so that other lanes keep F
    for (int i = 0; i < D; ++i) factor[i] = exp_of(-share * along[i]);
    F = assemble(b, factor) * F;
    if constexpr (D == 2) strain_across = strain_across - share * across;
  }

  // Principal stresses once a share has flowed.
  FIRN_INLINE Vec<S, D> stress(const LameConstants<S>& lame, S share) const {
    const S two_mu = S(2) * lame.mu * (S(1) - share);
    const S isotropic = (S(ScalarOf<S>(2.0 / 3)) * lame.mu + lame.lambda) * trace;
    Vec<S, D> tau;
    for (int i = 0; i < D; ++i) tau[i] = two_mu * along[i] + isotropic;
    return tau;
  }
};

template <class S, int D>
FIRN_INLINE S energy_with_strain_across(const LameConstants<S>& lame, const Mat<S, D>& F,
                                        S strain_across) {
  Vec<S, 3> strain = {{S(0), S(0), strain_across}};
  const Vec<S, D> in_plane = principal_log_strain(principal(times_own_transpose(F)));
  for (int i = 0; i < D; ++i) strain[i] = in_plane[i];
  return Hencky::energy_of_strain(lame.mu, lame.lambda, strain);
}

}  // namespace firn
