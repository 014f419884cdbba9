// Stress of sand after its projection, as a function of the trial state before it, and the
// derivative of that (OPT 4.10), for steps that are implicit in plasticity too. It follows what
// Sand::update does, with cohesion, either cone and the volume correction; friction is that of the
// hardening at the start of the step.
//
// With the trial strain e = ln s, its trace with the volume gained t and its deviator of size r and
// direction n, the principal stresses and their derivatives d tau_i / d e_j are
//   I   tau = 2 mu dev(e) + K t,           2 mu (delta_ij - 1/d) + K
//   II  tau = K tip,                       0
//   III tau = 2 mu kappa dev(e) + K t,     2 mu (kappa (delta_ij - 1/d - n_i n_j) - alpha k n_i) +
//   K
// with kappa = radius(t) / r. Flow without dilatancy is not associated: in III the derivative is
// not symmetric, and there is no energy.
//
// The stress that acts on the trial body is tau, so P = tau F^-T with the trial F, psi_i =
// tau_i / s_i. OPT 4.32 divides by the stretches after the projection instead.
#pragma once

#include "material/sand.h"
#include "material/stretch_derivatives.h"

namespace firn {

template <class S>
struct ProjectedSand {
  LameConstants<S> lame;
  S alpha_k, cohesion_strain;
  S volume_gained;  // 0 without the volume correction

  // From the state at the start of the step; its F is not used.
  template <int D>
  FIRN_INLINE static ProjectedSand of(const Sand::Constants<S>& c,
                                      const MaterialState<S, D, Sand::kScalars>& state) {
    return {c.lame, Sand::friction(c, state.scalar[0]) * c.k, c.cohesion_strain,
            c.correction * state.scalar[1]};
  }

  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return all_admissible(s);
  }
  // Of the cone, in the trace of the strain with the volume gained.
  FIRN_INLINE S tip() const { return cohesion_strain / max_of(alpha_k, S(ScalarOf<S>(1e-6))); }
  // Size of the deviatoric strain that is borne at the volume of F.
  template <int D>
  FIRN_INLINE S radius(const Mat<S, D>& F) const {
    const S J = max_of(determinant(F), S(ScalarOf<S>(1e-12)));
    const S t = log_of(J) + volume_gained;
    return select(t > tip(), S(0), max_of(cohesion_strain - alpha_k * t, S(0)));
  }

  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& stretch) const {
    using T = ScalarOf<S>;
    const Vec<S, D> s = admissible_stretches(stretch);
    Vec<S, D> deviator;
    for (int i = 0; i < D; ++i) deviator[i] = log_of(s[i]);
    const S trial = sum(deviator), t = trial + volume_gained, share = S(T(1.0 / D));
    for (int i = 0; i < D; ++i) deviator[i] = deviator[i] - trial * share;
    const S size2 = dot(deviator, deviator) + S(detail::kTinySquare<T>);
    const S inverse_size = rsqrt_of(size2);

    const S tip = this->tip();
    const auto at_tip = t > tip;
    const S reached = max_of(cohesion_strain - alpha_k * t, S(0)) * inverse_size;
    const S kappa = select(at_tip, S(0), min_of(reached, S(1)));
    const S on_cone = select(reached < S(1), S(1), S(0));

    const S two_mu = S(2) * lame.mu, K = two_mu * share + lame.lambda;
    const S pressure = K * min_of(t, tip);
    Vec<S, D> tau;
    Mat<S, D> tangent;
    for (int i = 0; i < D; ++i) {
      tau[i] = two_mu * kappa * deviator[i] + pressure;
      const S along = on_cone * deviator[i] * inverse_size;
      for (int j = 0; j < D; ++j) {
        const S kept = (i == j ? S(1) - share : -share) - along * deviator[j] * inverse_size;
        tangent(i, j) = select(at_tip, S(0), two_mu * (kappa * kept - alpha_k * along) + K);
      }
    }
    return derivatives_by_log_strain(s, tau, tangent, two_mu * kappa);
  }
};

// Sand whose yield strain does not follow the pressure: of a given radius in the deviatoric plane,
// and without stiffness beyond the tip of the cone. Flow in it is associated: it has an energy, and
// symmetric second derivatives. With the radius that the pressure of the solution asks for it is
// the stress of ProjectedSand there, so that implicit steps solve a sequence of minimizations for
// it (docs/integrators.md).
template <class S>
struct SandOfRadius {
  LameConstants<S> lame;
  S radius, tip;
  S volume_gained;

  template <int D>
  FIRN_INLINE static SandOfRadius of(const Sand::Constants<S>& c,
                                     const MaterialState<S, D, Sand::kScalars>& state, S radius) {
    const ProjectedSand<S> sand = ProjectedSand<S>::of(c, state);
    return {c.lame, radius, sand.tip(), sand.volume_gained};
  }
  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return all_admissible(s);
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    using T = ScalarOf<S>;
    const S half = S(T(0.5)), two_mu = S(2) * lame.mu, K = two_mu * S(T(1.0 / D)) + lame.lambda;
    S trace;
    const Vec<S, D> deviator = strain(admissible_stretches(s), trace);
    const S size = sqrt_of(dot(deviator, deviator)), t = trace + volume_gained;
    const S held = min_of(size, radius), kept = min_of(t, tip);
    const S value = two_mu * held * (size - half * held) + K * kept * (t - half * kept);
    return select(admissible(s), value, S(T(kInadmissibleEnergy)));
  }
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& stretch) const {
    using T = ScalarOf<S>;
    const S share = S(T(1.0 / D)), two_mu = S(2) * lame.mu, K = two_mu * share + lame.lambda;
    const Vec<S, D> s = admissible_stretches(stretch);
    S trace;
    const Vec<S, D> deviator = strain(s, trace);
    const S inverse_size = rsqrt_of(dot(deviator, deviator) + S(detail::kTinySquare<T>));
    const S t = trace + volume_gained, reached = radius * inverse_size;
    const S kappa = min_of(reached, S(1)), on_cone = select(reached < S(1), S(1), S(0));
    const S pressure = K * min_of(t, tip), bulk = select(t > tip, S(0), K);
    Vec<S, D> tau;
    Mat<S, D> tangent;
    for (int i = 0; i < D; ++i) {
      tau[i] = two_mu * kappa * deviator[i] + pressure;
      const S along = on_cone * deviator[i] * inverse_size;
      for (int j = 0; j < D; ++j)
        tangent(i, j) =
            two_mu * kappa *
                ((i == j ? S(1) - share : -share) - along * deviator[j] * inverse_size) +
            bulk;
    }
    return derivatives_by_log_strain(s, tau, tangent, two_mu * kappa);
  }

 private:
  // Deviator of the logarithmic strain, and its trace.
  template <int D>
  FIRN_INLINE static Vec<S, D> strain(const Vec<S, D>& s, S& trace) {
    Vec<S, D> e;
    for (int i = 0; i < D; ++i) e[i] = log_of(s[i]);
    trace = sum(e);
    const S mean = trace * S(ScalarOf<S>(1.0 / D));
    for (int i = 0; i < D; ++i) e[i] = e[i] - mean;
    return e;
  }
};

}  // namespace firn
