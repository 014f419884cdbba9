// Hencky solid (MULTI 72, 73): Hooke's law in the logarithmic strain. Sand is elastic in this way.
#pragma once

#include "material/elastic.h"

namespace firn {

// Logarithms of the principal stretches in the order of the principal values of b. Eigenvalues
// below a floor count as the floor, so that J <= 0 and flattened states stay finite.
template <class S, int D>
FIRN_INLINE Vec<S, D> principal_log_strain(const Principal<S, D>& b) {
  using T = ScalarOf<S>;
  Vec<S, D> strain;
  for (int i = 0; i < D; ++i) strain[i] = S(T(0.5)) * log_of(max_of(b.value[i], S(T(1e-6))));
  return strain;
}

struct Hencky : ElasticModel {
  static constexpr const char* kName = "hencky";
  static constexpr const char* kDescription =
      "Hooke's law in logarithmic strain; as stiff in compression as in tension";
  struct Parameters : ElasticParameters {};

  template <class S, int D>
  FIRN_INLINE static S energy_of_strain(S mu, S lambda, const Vec<S, D>& strain) {
    return mu * dot(strain, strain) + S(ScalarOf<S>(0.5)) * lambda * square(sum(strain));
  }

  // Along axis i the stiffness is 2 mu + lambda - tau_i; between axes i and j it is
  // 2 mu d / (1 - exp(-2 d)) <= mu (1 + 2 d) with d = |strain_i - strain_j|, less than that.
  template <class S>
  FIRN_INLINE static S wave_modulus(S mu, S lambda, S lowest_stress) {
    return S(2) * mu + lambda + max_of(S(0), -lowest_stress);
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    return energy_of_strain(c.mu, c.lambda,
                            principal_log_strain(principal(times_own_transpose(state.F))));
  }

  // tau = mu ln(b) + lambda ln(J) I, as MULTI 71, which calls it the Cauchy stress.
  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    const Principal<S, D> b = principal(times_own_transpose(state.F));
    const Vec<S, D> strain = principal_log_strain(b);
    const S trace = sum(strain);
    Vec<S, D> tau;
    for (int i = 0; i < D; ++i) tau[i] = S(2) * c.mu * strain[i] + c.lambda * trace;
    S lowest = tau[0];
    for (int i = 1; i < D; ++i) lowest = min_of(lowest, tau[i]);
    return {assemble(b, tau), wave_modulus(c.mu, c.lambda, lowest), S(0)};
  }
};

}  // namespace firn
