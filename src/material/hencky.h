// Hencky solid (MULTI 72, 73): Hooke's law in the logarithmic strain. Sand is elastic in this way.
#pragma once

#include "material/model_concept.h"

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
  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {};
  using Parameters = ParametersOf<double>;
  static std::vector<PresetOf<Parameters>> presets();

  template <class S, int D>
  FIRN_INLINE static S energy_of_strain(S mu, S lambda, const Vec<S, D>& strain) {
    return mu * dot(strain, strain) + S(ScalarOf<S>(0.5)) * lambda * square(sum(strain));
  }

  // Along axis i the stiffness is 2 mu + lambda - tau_i, across the axes it is mu at rest and grows
  // with the difference of the strains. In the plane of the axes of the lowest and the highest
  // stress let x be the cosine of the angle between direction and polarisation, y that of the sum
  // of their angles from an axis, k = (highest - lowest) / 4, P = lambda + mu - (highest + lowest)
  // / 2, Q = 2 k coth(2 k / mu). The stiffness of a wave is then
  //   P x^2 + mu y^2 + Q (1 - y^2) + 2 k (sqrt(1 - x^2) sqrt(1 - y^2) - x y),
  // which a + b bounds for every a, b with (a - P) (b - mu) >= k^2 and a (b - Q) >= k^2 (two
  // quadratic forms, in x, y and in their complements). a = max(P, 0) + k and the least b that goes
  // with it give the first bound, 2 mu + lambda - tau_i, until stretches are some 1.6 apart.
  template <class S>
  FIRN_INLINE static S wave_modulus(S mu, S lambda, S lowest, S highest) {
    using T = ScalarOf<S>;
    const S along = S(2) * mu + lambda + max_of(S(0), -lowest), spread = highest - lowest;
    const auto wide = spread > S(T(0.5)) * mu;
    if (!any(wide)) return along;
    const S k = S(T(0.25)) * spread, k2 = k * k, P = lambda + mu - S(T(0.5)) * (highest + lowest);
    const S Q = mu + min_of(S(T(4.0 / 3)) * k2 / mu, S(2) * k);  // x coth x <= 1 + x^2 / 3, 1 + x
    const S a = max_of(P, S(0)) + k + S(T(1e-30));
    const S b = max_of(mu + k2 / (a - P), Q + k2 / a);
    return select(wide, max_of(along, a + b), along);
  }
  // From all principal stresses.
  template <class S, int D>
  FIRN_INLINE static S wave_modulus(S mu, S lambda, const Vec<S, D>& tau) {
    S lowest = tau[0], highest = tau[0];
    for (int i = 1; i < D; ++i) {
      lowest = min_of(lowest, tau[i]);
      highest = max_of(highest, tau[i]);
    }
    return wave_modulus(mu, lambda, lowest, highest);
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
    return {assemble(b, tau), wave_modulus(c.mu, c.lambda, tau), S(0)};
  }
};

}  // namespace firn
