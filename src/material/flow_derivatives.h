// Metals and pastes within a step: the stress after they flowed (VonMises::update,
// HerschelBulkley::relax) as a function of the trial stretches, with an energy and second
// derivatives. Flow is along the deviator and shortens its size r by f(r), which leaves a
// potential:
//   W = 2 mu int_0^r (x - f(x)) dx + K t^2 / 2,      tau = 2 mu (1 - f/r) dev(e) + K t,
//   d tau_i / d e_j = 2 mu ((1 - f/r) (delta_ij - 1/3) + (f/r - f') n_i n_j) + K
// with the logarithmic strain e, in 2D with that across the plane, n = dev(e)/r, t its trace and K
// the modulus of volume.
#pragma once

#include "material/herschel_bulkley.h"
#include "material/stretch_derivatives.h"
#include "material/von_mises.h"

namespace firn {

// What flows of a deviator of some size.
template <class S>
struct DeviatorFlow {
  S amount, slope;  // f, f'
  S work;           // int_0^r (x - f(x)) dx
};

// radius(q + root f) is left of the size r, so that r = f + radius and dr follows from df.
template <class S>
struct MetalFlow {
  VonMises::Constants<S> c;
  S strain;  // plastic, at the start of the step

  FIRN_INLINE DeviatorFlow<S> at(S size) const {
    using T = ScalarOf<S>;
    const S root = S(T(VonMises::kRoot)), half = S(T(0.5)), f = VonMises::flow(c, size, strain);
    const S now = strain + root * f, left = size - f;
    S slope = c.linear, gained = c.yield * f + half * c.linear * (strain + now) * f;
    if (c.saturates) {
      const S before = c.voce * exp_of(-c.rate * strain), after = c.voce * exp_of(-c.rate * now);
      slope = slope + c.rate * after;
      gained = gained + c.voce * f + (after - before) / (c.rate * root);
    }
    const auto flows = f > S(0);
    return {f, select(flows, S(1) / (S(1) + root * slope), S(0)), half * left * left + gained};
  }
};

// r = radius + f + resistance f^n.
template <class S>
struct PasteFlow {
  HerschelBulkley::Constants<S> c;
  S flowed, dt;

  FIRN_INLINE DeviatorFlow<S> at(S size) const {
    using T = ScalarOf<S>;
    const S half = S(T(0.5)), f = HerschelBulkley::flow(c, size, flowed, dt);
    const S radius = c.radius(flowed), left = size - f, n = c.exponent;
    const auto flows = f > S(0);
    const S resisted = select(flows, max_of(left - radius, S(0)), S(0));  // resistance f^n
    const S by_f = n * resisted / max_of(f, S(T(1e-30)));
    return {f, select(flows, S(1) / (S(1) + by_f), S(0)),
            half * left * left + f * (radius + resisted / (n + S(1)))};
  }
};

template <class Flow, class S>
struct FlowingLaw {
  LameConstants<S> lame;
  S across;
  Flow flow;

  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return all_admissible(s);
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    using T = ScalarOf<S>;
    S trace, size;
    deviator(admissible_stretches(s), trace, size);
    const S value = S(2) * lame.mu * flow.at(size).work + S(T(0.5)) * bulk() * trace * trace;
    return select(admissible(s), value, S(T(kInadmissibleEnergy)));
  }
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& stretch) const {
    using T = ScalarOf<S>;
    const S two_mu = S(2) * lame.mu, third = S(T(1.0 / 3)), K = bulk();
    const Vec<S, D> s = admissible_stretches(stretch);
    S trace, size;
    const Vec<S, D> e = deviator(s, trace, size);
    const DeviatorFlow<S> flows = flow.at(size);
    const S inverse = S(1) / size, gone = flows.amount * inverse, kept = S(1) - gone;
    Vec<S, D> tau;
    Mat<S, D> tangent;
    for (int i = 0; i < D; ++i) {
      tau[i] = two_mu * kept * e[i] + K * trace;
      const S along = (gone - flows.slope) * e[i] * inverse;
      for (int j = 0; j < D; ++j)
        tangent(i, j) =
            two_mu * (kept * (i == j ? S(1) - third : -third) + along * e[j] * inverse) + K;
    }
    return derivatives_by_log_strain(s, tau, tangent, two_mu * kept);
  }

 private:
  FIRN_INLINE S bulk() const { return lame.lambda + S(2) * lame.mu * S(ScalarOf<S>(1.0 / 3)); }
  // In the plane; size with the part across it.
  template <int D>
  FIRN_INLINE Vec<S, D> deviator(const Vec<S, D>& s, S& trace, S& size) const {
    using T = ScalarOf<S>;
    Vec<S, D> e;
    trace = D == 2 ? across : S(0);
    for (int i = 0; i < D; ++i) {
      e[i] = log_of(s[i]);
      trace = trace + e[i];
    }
    const S mean = trace * S(T(1.0 / 3)), beyond = across - mean;
    S size2 = D == 2 ? beyond * beyond : S(0);
    for (int i = 0; i < D; ++i) {
      e[i] = e[i] - mean;
      size2 = size2 + e[i] * e[i];
    }
    size = sqrt_of(size2 + S(detail::kTinySquare<T>));
    return e;
  }
};

template <class S, int D>
FIRN_INLINE FlowingLaw<MetalFlow<S>, S> flowing_law(
    const VonMises::Constants<S>& c, const MaterialState<S, D, VonMises::kScalars>& state, S) {
  return {c.lame, state.scalar[1], {c, state.scalar[0]}};
}
template <class S, int D>
FIRN_INLINE FlowingLaw<PasteFlow<S>, S> flowing_law(
    const HerschelBulkley::Constants<S>& c,
    const MaterialState<S, D, HerschelBulkley::kScalars>& state, S dt) {
  return {c.lame, state.scalar[1], {c, state.scalar[0], dt}};
}

}  // namespace firn
