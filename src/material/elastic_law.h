// The elastic law of each model as a function of the principal stretches, the singular values of F
// (base/svd.h), with first and second derivatives. The explicit updates have closed forms in
// F F^T and do not use this.
//
//   energy(s)       per initial volume; kInadmissibleEnergy where the law does not hold
//   admissible(s)   whether it holds; never for what is not a number
//   derivatives(s)  finite for every s
#pragma once

#include "material/models.h"
#include "material/stretch_derivatives.h"

namespace firn {

// Made by ElasticLaw<Model, S>::of(constants, state), whose state gives the model's scalars.
template <class Model, class S>
struct ElasticLaw;

template <class S>
struct ElasticLaw<StVenantKirchhoff, S> {
  LameConstants<S> c;

  template <int D>
  FIRN_INLINE static ElasticLaw of(const LameConstants<S>& c, const MaterialState<S, D, 0>&) {
    return {c};
  }
  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return s[0] >= S(0);
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    using T = ScalarOf<S>;
    S norm2 = S(0), trace = S(0);
    for (int i = 0; i < D; ++i) {
      const S twice_strain = s[i] * s[i] - S(1);
      norm2 = norm2 + square(twice_strain);
      trace = trace + twice_strain;
    }
    return S(T(0.25)) * c.mu * norm2 + S(T(0.125)) * c.lambda * square(trace);
  }
  // psi_i = s_i (mu (s_i^2 - 1) + p); the factors s_i -+ s_j cancel in the quotients.
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& s) const {
    const S p = S(ScalarOf<S>(0.5)) * c.lambda * (dot(s, s) - S(D));
    StretchDerivatives<S, D> r;
    for (int i = 0; i < D; ++i) {
      const S s2 = s[i] * s[i];
      r.first[i] = s[i] * (c.mu * (s2 - S(1)) + p);
      r.second(i, i) = c.mu * (S(3) * s2 - S(1)) + p + c.lambda * s2;
      for (int j = i + 1; j < D; ++j) {
        const S product = s[i] * s[j], squares = s2 + s[j] * s[j] - S(1);
        r.second(i, j) = r.second(j, i) = c.lambda * product;
        r.difference[r.pair_index(i, j)] = c.mu * (squares + product) + p;
        r.sum[r.pair_index(i, j)] = c.mu * (squares - product) + p;
      }
    }
    return r;
  }
};

template <class S>
struct ElasticLaw<Hencky, S> {
  LameConstants<S> c;
  S across = S(0);  // elastic logarithmic strain across the plane: a metal's in 2D

  template <int D>
  FIRN_INLINE static ElasticLaw of(const LameConstants<S>& c, const MaterialState<S, D, 0>&) {
    return {c, S(0)};
  }
  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return all_admissible(s);
  }
  template <int D>
  FIRN_INLINE static Vec<S, D> strain(const Vec<S, D>& s) {
    Vec<S, D> e = admissible_stretches(s);
    for (int i = 0; i < D; ++i) e[i] = log_of(e[i]);
    return e;
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    using T = ScalarOf<S>;
    const Vec<S, D> e = strain(s);
    const S value =
        c.mu * (dot(e, e) + across * across) + S(T(0.5)) * c.lambda * square(sum(e) + across);
    return select(admissible(s), value, S(T(kInadmissibleEnergy)));
  }
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& s) const {
    const Vec<S, D> e = strain(s);
    const S two_mu = S(2) * c.mu, pressure = c.lambda * (sum(e) + across);
    Vec<S, D> tau;
    Mat<S, D> tangent;
    for (int i = 0; i < D; ++i) {
      tau[i] = two_mu * e[i] + pressure;
      for (int j = 0; j < D; ++j) tangent(i, j) = i == j ? two_mu + c.lambda : c.lambda;
    }
    return derivatives_by_log_strain(admissible_stretches(s), tau, tangent, two_mu);
  }
};

template <class S>
struct ElasticLaw<NeoHookean, S> {
  LameConstants<S> c;

  template <int D>
  FIRN_INLINE static ElasticLaw of(const LameConstants<S>& c, const MaterialState<S, D, 0>&) {
    return {c};
  }
  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return all_admissible(s);
  }
  template <int D>
  FIRN_INLINE static S log_volume(const Vec<S, D>& s) {
    S r = S(0);
    for (int i = 0; i < D; ++i) r = r + log_of(s[i]);
    return r;
  }
  // (s^2 - 1) / 2 - ln s. Near 1 it is of second order, and a difference would leave rounding
  // alone, the same for all particles at rest. With x = s - 1, z = x / (2 + x) and ln s = 2 atanh
  // z: x^2 / 2 + x^2 / (2 + x) - 2 (z^3 / 3 + z^5 / 5 + ...).
  FIRN_INLINE static S shear(S s) {
    using T = ScalarOf<S>;
    const S x = s - S(1), z = x / (s + S(1)), z2 = z * z;
    constexpr int kTerms = sizeof(T) == 4 ? 4 : 8;
    S tail = S(0);
    for (int k = kTerms; k >= 1; --k) tail = tail * z2 + S(T(2) / T(2 * k + 1));
    const S near = S(T(0.5)) * x * x + x * z - z * z2 * tail;
    const S far = S(T(0.5)) * x * (s + S(1)) - log_of(s);
    return select(z2 < S(T(0.01)), near, far);
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    using T = ScalarOf<S>;
    const Vec<S, D> held = admissible_stretches(s);
    const S ln_J = log_volume(held);
    S shears = S(0);
    for (int i = 0; i < D; ++i) shears = shears + shear(held[i]);
    const S value = c.mu * shears + S(T(0.5)) * c.lambda * ln_J * ln_J;
    return select(admissible(s), value, S(T(kInadmissibleEnergy)));
  }
  // psi_i = mu s_i + p / s_i.
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& stretch,
                                                   S offset = S(0)) const {
    const Vec<S, D> s = admissible_stretches(stretch);
    const S pressure = c.lambda * log_volume(s) + offset, p = pressure - c.mu;
    StretchDerivatives<S, D> r;
    Vec<S, D> inverse;
    for (int i = 0; i < D; ++i) inverse[i] = S(1) / s[i];
    for (int i = 0; i < D; ++i) {
      r.first[i] = (c.mu * (s[i] - S(1)) * (s[i] + S(1)) + pressure) * inverse[i];
      r.second(i, i) = c.mu + (c.lambda - p) * square(inverse[i]);
      for (int j = i + 1; j < D; ++j) {
        const S both = inverse[i] * inverse[j];
        r.second(i, j) = r.second(j, i) = c.lambda * both;
        r.difference[r.pair_index(i, j)] = c.mu - p * both;
        r.sum[r.pair_index(i, j)] = c.mu + p * both;
      }
    }
    return r;
  }
};

template <class S>
struct ElasticLaw<FixedCorotated, S> {
  LameConstants<S> c;

  // Where two stretches of an inverted state cancel, the energy has a kink and the quotient by
  // their sum, which is never negative, no bound.
  static constexpr double kSmallestSum = 1e-6;

  template <int D>
  FIRN_INLINE static ElasticLaw of(const LameConstants<S>& c, const MaterialState<S, D, 0>&) {
    return {c};
  }
  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return s[0] >= S(0);
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    return FixedCorotated::energy_of_stretches(c, s, product(s));
  }
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& s) const {
    const S two_mu = S(2) * c.mu;
    StretchDerivatives<S, D> r = derivatives_by_volume(s, c.lambda * (product(s) - S(1)), c.lambda);
    for (int i = 0; i < D; ++i) {
      r.first[i] = r.first[i] + two_mu * (s[i] - S(1));
      r.second(i, i) = r.second(i, i) + two_mu;
      for (int j = i + 1; j < D; ++j) {
        const int pair = r.pair_index(i, j);
        const S s_sum = max_of(s[i] + s[j], S(ScalarOf<S>(kSmallestSum)));
        r.difference[pair] = r.difference[pair] + two_mu;
        r.sum[pair] = r.sum[pair] + two_mu * (s_sum - S(2)) / s_sum;
      }
    }
    return r;
  }
};

template <class S>
struct ElasticLaw<StableNeoHookean, S> {
  LameConstants<S> c;

  template <int D>
  FIRN_INLINE static ElasticLaw of(const LameConstants<S>& c, const MaterialState<S, D, 0>&) {
    return {c};
  }
  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return s[0] >= S(0);
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    return StableNeoHookean::energy_of_stretches(c, s);
  }
  // psi_i = k s_i + q J / s_i.
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& s) const {
    const S I = dot(s, s), J = product(s), k = StableNeoHookean::along<D>(c, I);
    const S bend = S(2) * StableNeoHookean::shear_factor<D>(c) / square(I + S(1));
    StretchDerivatives<S, D> r = derivatives_by_volume(s, StableNeoHookean::by_volume<D>(c, J),
                                                       StableNeoHookean::volume_factor<D>(c));
    for (int i = 0; i < D; ++i) {
      r.first[i] = r.first[i] + k * s[i];
      r.second(i, i) = r.second(i, i) + k;
      for (int j = 0; j < D; ++j) r.second(i, j) = r.second(i, j) + bend * s[i] * s[j];
      for (int j = i + 1; j < D; ++j) {
        const int pair = r.pair_index(i, j);
        r.difference[pair] = r.difference[pair] + k;
        r.sum[pair] = r.sum[pair] + k;
      }
    }
    return r;
  }
};

// With the moduli that J_P makes, held fixed, and without the box of stretches.
template <class S>
struct ElasticLaw<Snow, S> : ElasticLaw<FixedCorotated, S> {
  template <int D>
  FIRN_INLINE static ElasticLaw of(const Snow::Constants<S>& c,
                                   const MaterialState<S, D, 1>& state) {
    return {{Snow::hardened(c, state.scalar[0])}};
  }
};

// Inside the cylinder.
template <class S>
struct ElasticLaw<VonMises, S> : ElasticLaw<Hencky, S> {
  template <int D>
  FIRN_INLINE static ElasticLaw of(const VonMises::Constants<S>& c,
                                   const MaterialState<S, D, 2>& state) {
    return {{c.lame, D == 2 ? state.scalar[1] : S(0)}};
  }
};

template <class S>
struct ElasticLaw<HerschelBulkley, S> : ElasticLaw<Hencky, S> {
  template <int D>
  FIRN_INLINE static ElasticLaw of(const HerschelBulkley::Constants<S>& c,
                                   const MaterialState<S, D, 2>& state) {
    return {{c.lame, D == 2 ? state.scalar[1] : S(0)}};
  }
};

// What is left after a step in which the strain relaxes (viscoelastic.h), with (J / J_OB)^(1/d) as
// it was: tau = mu / (1 + r) (b - I) + (mu r / (1 + r) (scale^2 - 1) + lambda ln J) I.
template <class S>
struct ElasticLaw<Viscoelastic, S> {
  ElasticLaw<NeoHookean, S> elastic;
  S offset;  // of the pressure

  template <int D>
  FIRN_INLINE static ElasticLaw of(const Viscoelastic::Constants<S>& c,
                                   const MaterialState<S, D, 1>& state, S dt) {
    const S r = dt * c.rate, keep = S(1) / (S(1) + r);
    return {{{c.lame.mu * keep, c.lame.lambda}},
            c.lame.mu * r * keep * (square(state.scalar[0]) - S(1))};
  }
  // Before anything relaxes.
  template <int D>
  FIRN_INLINE static ElasticLaw of(const Viscoelastic::Constants<S>& c,
                                   const MaterialState<S, D, 1>&) {
    return {{{c.lame.mu, c.lame.lambda}}, S(0)};
  }
  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return elastic.admissible(s);
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    return elastic.energy(s) + offset * elastic.log_volume(admissible_stretches(s));
  }
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& s) const {
    return elastic.derivatives(s, offset);
  }
};

// Inside the cone, with no volume to correct (sand_derivatives.h has the rest).
template <class S>
struct ElasticLaw<Sand, S> : ElasticLaw<Hencky, S> {
  template <int D>
  FIRN_INLINE static ElasticLaw of(const Sand::Constants<S>& c, const MaterialState<S, D, 2>&) {
    return {{c.lame, S(0)}};
  }
};

// A function of J alone, which a fluid keeps in place of F: a solver may use either. J above
// det_max is admitted, though an explicit update tears the fluid there.
template <class S>
struct ElasticLaw<Fluid, S> {
  Fluid::Constants<S> c;

  template <int D>
  FIRN_INLINE static ElasticLaw of(const Fluid::Constants<S>& c, const MaterialState<S, D, 1>&) {
    return {c};
  }
  // Below det_min there is some room for a step that compresses a particle which is there already.
  FIRN_INLINE S smallest_J() const { return S(ScalarOf<S>(0.5)) * c.det_min; }
  FIRN_INLINE S energy_of_J(S J) const {
    MaterialState<S, 3, 1> state;
    state.scalar[0] = max_of(J, smallest_J());
    return select(J >= smallest_J(), Fluid::energy<S, 3>(c, state),
                  S(ScalarOf<S>(kInadmissibleEnergy)));
  }
  FIRN_INLINE S slope(S J) const {
    J = max_of(J, smallest_J());
    return c.tait ? c.bulk_modulus * c.inverse_gamma * (S(1) - Fluid::tait_power(c, J) / J)
                  : c.bulk_modulus * (J - S(1));
  }
  FIRN_INLINE S curvature(S J) const {
    J = max_of(J, smallest_J());
    return c.tait ? c.bulk_modulus * Fluid::tait_power(c, J) / (J * J) : c.bulk_modulus;
  }

  template <int D>
  FIRN_INLINE auto admissible(const Vec<S, D>& s) const {
    return product(s) >= smallest_J();
  }
  template <int D>
  FIRN_INLINE S energy(const Vec<S, D>& s) const {
    return energy_of_J(product(s));
  }
  template <int D>
  FIRN_INLINE StretchDerivatives<S, D> derivatives(const Vec<S, D>& s) const {
    const S J = product(s);
    return derivatives_by_volume(s, slope(J), curvature(J));
  }
};

}  // namespace firn
