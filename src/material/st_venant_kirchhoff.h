// St.Venant-Kirchhoff solid (MULTI 70): Hooke's law in the Green-Lagrange strain.
#pragma once

#include "material/model_concept.h"

namespace firn {

struct StVenantKirchhoff : ElasticModel {
  static constexpr const char* kName = "st_venant_kirchhoff";
  static constexpr const char* kDescription =
      "Hooke's law in Green's strain; for large rotations but small strains: softens in "
      "compression";
  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {};
  using Parameters = ParametersOf<double>;
  static std::vector<PresetOf<Parameters>> presets();

  // Twice Green's strain, C - I with C = F^T F.
  template <class S, int D>
  FIRN_INLINE static SymMat<S, D> twice_strain(const Mat<S, D>& F) {
    SymMat<S, D> e = times_own_transpose(transpose(F));
    for (int i = 0; i < D; ++i) e.e[i] = e.e[i] - S(1);
    return e;
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const SymMat<S, D> e = twice_strain(state.F);
    S norm2 = S(0);
    for (int i = 0; i < SymMat<S, D>::kSize; ++i)
      norm2 = norm2 + (i < D ? e.e[i] * e.e[i] : S(2) * e.e[i] * e.e[i]);
    return S(T(0.25)) * c.mu * norm2 + S(T(0.125)) * c.lambda * square(trace(e));
  }

  // tau = F S F^T with S = 2 mu E + lambda tr(E) I, and F (2 E) F^T = b b - b: only b is needed. In
  // principal axes the stiffness is (2 mu + lambda) s^4 + tau_i along an axis, and d tau / d ln s
  // has another tau_i.
  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const SymMat<S, D> b = times_own_transpose(state.F);
    const S trace_part = S(T(0.5)) * c.lambda * (trace(b) - S(D)) - c.mu;
    const SymMat<S, D> b2 = times_own_transpose(b.full());
    StressUpdate<S, D> r;
    for (int i = 0; i < SymMat<S, D>::kSize; ++i) r.tau.e[i] = c.mu * b2.e[i] + trace_part * b.e[i];
    const S stretch2 = largest_eigenvalue_bound(b);
    const S tension = stretch2 * max_of(c.mu * stretch2 + trace_part, S(0));
    r.wave_modulus = (S(2) * c.mu + c.lambda) * square(max_of(stretch2, S(1))) + S(2) * tension;
    r.plastic = S(0);
    return r;
  }
};

}  // namespace firn
