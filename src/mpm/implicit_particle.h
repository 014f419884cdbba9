// What one particle adds to an implicit step: a potential of the velocity gradient L at its place,
//   Phi(L) = V (Psi((I + dt L) F_n) + dt J eta |sym L|^2),
// its derivative dPhi/dL and that of the derivative. Whatever the scalar; host and device.
//
// With F = (I + dt L) F_n = U diag(s) V^T and W = F_n V,
//   dPhi/dL = dt V P F_n^T = dt V U diag(psi) W^T,
// and a change dL is T = dt U^T dL W in the axes of material/derivatives.h: U, W and the
// derivatives by the stretches, scaled, are all that a product needs.
#pragma once

#include "material/derivatives.h"
#include "material/elastic_law.h"
#include "material/flow_derivatives.h"
#include "material/sand_derivatives.h"
#include "material/snow_derivatives.h"
#include "mpm/advance_material.h"

namespace firn {

// Models of whose plastic flow something is held for a solve: the yield strain of sand, how far the
// volume of snow goes before it yields.
template <class Model>
inline constexpr bool holds_law = std::is_same_v<Model, Sand> || std::is_same_v<Model, Snow>;
// How far what is held goes after a solve towards what that asks for: solves answer by going too
// far.
inline constexpr double kHeldShare = 0.7;

// The law of a model from its state at the beginning of a step, without plastic flow.
template <class Model, class S, int D>
FIRN_INLINE auto elastic_step_law(const typename Model::template Constants<S>& constants,
                                  const MaterialState<S, D, Model::kScalars>& state,
                                  [[maybe_unused]] S dt) {
  if constexpr (requires { ElasticLaw<Model, S>::of(constants, state, dt); })
    return ElasticLaw<Model, S>::of(constants, state, dt);
  else
    return ElasticLaw<Model, S>::of(constants, state);
}

// The law that it obeys within a step; plastic flow is part of it.
template <class Model, class S, int D>
FIRN_INLINE auto step_law(const typename Model::template Constants<S>& constants,
                          const MaterialState<S, D, Model::kScalars>& state, S dt,
                          [[maybe_unused]] S held) {
  if constexpr (std::is_same_v<Model, Sand>) {
    return SandOfRadius<S>::of(constants, state, held);
  } else if constexpr (std::is_same_v<Model, Snow>) {
    return SnowOfBounds<S>::of(constants, state, held);
  } else if constexpr (requires { flowing_law<S, D>(constants, state, dt); }) {
    return flowing_law<S, D>(constants, state, dt);
  } else {
    return elastic_step_law<Model, S, D>(constants, state, dt);
  }
}

// dPhi/dL by L where the particle is now.
template <class S, int D>
struct GradientTangent {
  static constexpr int kPairs = StretchDerivatives<S, D>::kPairs;
  Mat<S, D> U, W, second;
  Vec<S, kPairs> even, odd;
  S viscous;

  FIRN_INLINE Mat<S, D> apply(const Mat<S, D>& change) const {
    const Mat<S, D> t = transpose(U) * (change * W);
    Mat<S, D> r;
    for (int i = 0; i < D; ++i) {
      S along = second(i, 0) * t(0, 0);
      for (int j = 1; j < D; ++j) along = along + second(i, j) * t(j, j);
      r(i, i) = along;
      for (int j = i + 1; j < D; ++j) {
        const int pair = StretchDerivatives<S, D>::pair_index(i, j);
        const S with = even[pair] * (t(i, j) + t(j, i)), against = odd[pair] * (t(i, j) - t(j, i));
        r(i, j) = with + against;
        r(j, i) = with - against;
      }
    }
    Mat<S, D> out = (U * r) * transpose(W);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) out(i, j) += viscous * (change(i, j) + change(j, i));
    return out;
  }
  // How a node that moves alone is pulled back: the symmetric matrix of v -> apply(v g^T) g.
  FIRN_INLINE SymMat<S, D> of_node(const Vec<S, D>& g) const {
    const S half = S(ScalarOf<S>(0.5));
    Vec<S, D> q = Vec<S, D>::zero();
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) q[j] += W(i, j) * g[i];
    Mat<S, D> m;
    for (int k = 0; k < D; ++k) {
      m(k, k) = second(k, k) * q[k] * q[k];
      for (int l = 0; l < D; ++l) {
        if (l == k) continue;
        const int pair = StretchDerivatives<S, D>::pair_index(k < l ? k : l, k < l ? l : k);
        m(k, k) += (even[pair] + odd[pair]) * q[l] * q[l];
        m(k, l) = (half * (second(k, l) + second(l, k)) + even[pair] - odd[pair]) * q[k] * q[l];
      }
    }
    const Mat<S, D> whole = U * m * transpose(U);
    const S length2 = dot(g, g);
    SymMat<S, D> r;
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j)
        r(i, j) = whole(i, j) + viscous * ((i == j ? length2 : S(0)) + g[i] * g[j]);
    return r;
  }
  // The isotropic stiffness nearest to it, none of it negative: against a change of volume (Lame's
  // lambda) and of shape.
  FIRN_INLINE void moduli(S& bulk, S& shear) const {
    const S none = S(0), one_axis = S(ScalarOf<S>(1.0 / D));
    S along = none, across = none, sliding = none, stretch2 = none;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        (i == j ? along : across) += second(i, j);
        stretch2 += W(i, j) * W(i, j);
      }
    for (int k = 0; k < kPairs; ++k) sliding += max_of(even[k], none);
    const S stretching = max_of(along - across * S(ScalarOf<S>(1.0 / (D - 1))), none);
    const S half = S(ScalarOf<S>(0.5));
    shear = half * (sliding * S(ScalarOf<S>(1.0 / kPairs)) + half * one_axis * stretching);
    bulk = max_of(one_axis * ((along + across) * one_axis - shear - shear), none);
    bulk = bulk * stretch2 * one_axis;
    shear = shear * stretch2 * one_axis + viscous;
  }
  // f(number) for each of them, but for those that follow from others: what is there twice, and
  // the last axis of the rotation U.
  static constexpr int kFirstByStretch = D * (D - 1) + D * D;
  static constexpr int kByStretch = D * (D + 1) / 2 + 2 * kPairs;
  static constexpr int kCount = kFirstByStretch + kByStretch + 1;
  template <class F>
  FIRN_INLINE void for_each(F&& f) {
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D - 1; ++j) f(U(i, j));
    for (int k = 0; k < D * D; ++k) f(W(k / D, k % D));
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) f(second(i, j));
    for (int k = 0; k < kPairs; ++k) f(even[k]);
    for (int k = 0; k < kPairs; ++k) f(odd[k]);
    f(viscous);
    for (int i = 1; i < D; ++i)
      for (int j = 0; j < i; ++j) second(i, j) = second(j, i);
    if constexpr (D == 2) {
      U(0, 1) = -U(1, 0);
      U(1, 1) = U(0, 0);
    } else {
      for (int i = 0; i < D; ++i) {
        const int j = (i + 1) % D, k = (i + 2) % D;
        U(i, 2) = U(j, 0) * U(k, 1) - U(k, 0) * U(j, 1);
      }
    }
  }
};

// The same of a fluid, which knows its volume alone.
template <class S, int D>
struct VolumeTangent {
  S volume, viscous;

  FIRN_INLINE Mat<S, D> apply(const Mat<S, D>& change) const {
    Mat<S, D> r;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) r(i, j) = viscous * (change(i, j) + change(j, i));
    const S along = volume * trace(change);
    for (int i = 0; i < D; ++i) r(i, i) += along;
    return r;
  }
  FIRN_INLINE SymMat<S, D> of_node(const Vec<S, D>& g) const {
    const S length2 = dot(g, g);
    SymMat<S, D> r;
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j)
        r(i, j) = (volume + viscous) * g[i] * g[j] + (i == j ? viscous * length2 : S(0));
    return r;
  }
  FIRN_INLINE void moduli(S& bulk, S& shear) const {
    bulk = max_of(volume, S(0));
    shear = viscous;
  }
  static constexpr int kFirstByStretch = 0, kByStretch = 0, kCount = 2;
  template <class F>
  FIRN_INLINE void for_each(F&& f) {
    f(volume);
    f(viscous);
  }
};

template <class Model, class S, int D>
using TangentOf = std::conditional_t<Model::kHasF, GradientTangent<S, D>, VolumeTangent<S, D>>;

// One particle within a step.
template <class Model, class S, int D>
struct StepParticle {
  using T = ScalarOf<S>;
  using State = MaterialState<S, D, Model::kScalars>;

  typename Model::template Constants<S> constants;
  S viscosity, volume, dt, source;  // Pa s, m^D, s, 1/s
  S held = S(0);                    // what holds_law is about
  State state;                      // at the beginning
  bool has_dilation = false;
  S dilation = S(0);

  // The particle under a velocity gradient, before its law is asked.
  struct Trial {
    Mat<S, D> given, rate;  // the gradient, and what of it reaches the particle
    State now;
    S loose;
    FIRN_INLINE Mat<S, D> strained(S dt) const { return now.F + (rate * now.F) * dt; }
  };
  FIRN_INLINE Trial trial(const Mat<S, D>& given) const {
    Trial r{given, given, state, S(0)};
    r.loose = loosen(r.rate, r.now);
    return r;
  }
  // What its law holds next, and Phi with that.
  struct Next {
    S held, energy;
  };

  // Phi at a velocity gradient, J; `push` becomes dPhi/dL, and `tangent`, where there is one, its
  // derivative. With `next` both are those of what is held next.
  FIRN_INLINE S evaluate(const Mat<S, D>& given, Mat<S, D>& push,
                         TangentOf<Model, S, D>* tangent = nullptr, Next* next = nullptr) const {
    const Trial at = trial(given);
    if constexpr (Model::kHasF)
      return evaluate(at, svd(at.strained(dt)), push, tangent, next);
    else
      return evaluate(at, push, tangent);
  }
  FIRN_INLINE S evaluate(const Trial& at, const Svd<S, D>& F, Mat<S, D>& push,
                         TangentOf<Model, S, D>* tangent, [[maybe_unused]] Next* next) const {
    auto law = step_law<Model, S, D>(constants, at.now, dt, held);
    const S energy = law.energy(F.s);
    if constexpr (holds_law<Model>)
      if (next) {
        next->held = held_after(at, F);
        law = step_law<Model, S, D>(constants, at.now, dt, next->held);
        next->energy = law.energy(F.s);
      }
    const auto by_stretch = law.derivatives(F.s);
    const Mat<S, D> P = F.U * Mat<S, D>::diagonal(by_stretch.first) * transpose(F.V);
    push = P * transpose(at.now.F);
    if (tangent)
      *tangent = tangent_at(F, by_stretch, at.now, tangent_scale(at.loose, at.rate), false);
    const S viscous = finish(at, push);
    if (next) next->energy = (next->energy + viscous) * volume;
    return (energy + viscous) * volume;
  }
  FIRN_INLINE S evaluate(const Trial& at, Mat<S, D>& push, TangentOf<Model, S, D>* tangent) const {
    const ElasticLaw<Model, S> law{constants};
    const S J = at.now.scalar[0] * (S(1) + dt * (trace(at.rate) + source_left(at.loose)));
    push = Mat<S, D>::identity() * (law.slope(J) * at.now.scalar[0]);
    if (tangent) *tangent = tangent_at(law, J, at.now, tangent_scale(at.loose, at.rate));
    const S energy = law.energy_of_J(J);
    return (energy + finish(at, push)) * volume;
  }

  // The derivative of dPhi/dL there. Of particles that are loose it is that of others.
  FIRN_INLINE TangentOf<Model, S, D> tangent(const Mat<S, D>& given, bool clamped) const {
    Mat<S, D> rate = given;
    State now = state;
    const S loose = loosen(rate, now);
    const S scale = tangent_scale(loose, rate);
    if constexpr (Model::kHasF) {
      const auto law = step_law<Model, S, D>(constants, now, dt, held);
      const Svd<S, D> F = svd(now.F + (rate * now.F) * dt);
      // Semi-implicit steps ask for it where what yields is at its bound but for rounding: elastic,
      // as SNOW has it. Sand that is loose has no stiffness there either.
      if constexpr (!std::is_same_v<Model, Sand>)
        if (clamped)
          return tangent_at(F, elastic_step_law<Model, S, D>(constants, now, dt).derivatives(F.s),
                            now, scale, true);
      return tangent_at(F, law.derivatives(F.s), now, scale, clamped);
    } else {
      const ElasticLaw<Model, S> law{constants};
      const S J = now.scalar[0] * (S(1) + dt * (trace(rate) + source_left(loose)));
      return tangent_at(law, J, now, scale);
    }
  }

  // Stiffness without strain against a change along one axis, Pa.
  FIRN_INLINE S modulus() const {
    if constexpr (Model::kHasF)
      return step_law<Model, S, D>(constants, state, dt, held)
          .derivatives(Vec<S, D>::fill(S(1)))
          .second(0, 0);
    else
      return ElasticLaw<Model, S>{constants}.curvature(S(1));
  }
  // What to hold at first. Plasticity has left snow within its bounds.
  FIRN_INLINE S held_at_rest() const {
    if constexpr (std::is_same_v<Model, Sand>)
      return held_at(trial(Mat<S, D>::zero()), {});
    else
      return S(0);
  }

 private:
  FIRN_INLINE S held_after(const Trial& at, const Svd<S, D>& F) const {
    const S asked = held_at(at, F);
    return select(asked * held > S(0), held + S(T(kHeldShare)) * (asked - held), asked);
  }
  FIRN_INLINE S held_at(const Trial& at, [[maybe_unused]] const Svd<S, D>& F) const {
    static_assert(holds_law<Model>);
    if constexpr (std::is_same_v<Model, Sand>)
      return ProjectedSand<S>::of(constants, at.now).radius(at.strained(dt));
    else
      return SnowOfBounds<S>::of(constants, at.now, S(0)).held_at(F.s);
  }
  // Of what the law gave: evens out what pushes a loose particle, adds viscosity, whose energy it
  // returns, and scales.
  FIRN_INLINE S finish(const Trial& at, Mat<S, D>& push) const {
    if (has_dilation) spread_evenly(at.loose, push);
    S energy = S(0);
    if constexpr (is_viscous<Model>) {
      const S viscous = viscosity * viscous_ratio<Model, S, D>(state);
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
          const S twice = at.given(i, j) + at.given(j, i);
          push(i, j) += viscous * twice;
          energy += S(T(0.25)) * dt * viscous * twice * twice;
        }
    }
    push = push * (dt * volume);
    return energy;
  }
  FIRN_INLINE S tangent_scale(S loose, const Mat<S, D>& rate) const {
    return volume * dt * dt * rigid_share(loose, rate);
  }
  FIRN_INLINE S viscous_tangent() const {
    if constexpr (is_viscous<Model>)
      return viscosity * viscous_ratio<Model, S, D>(state) * dt * volume;
    else
      return S(0);
  }
  FIRN_INLINE TangentOf<Model, S, D> tangent_at(const Svd<S, D>& F,
                                                const StretchDerivatives<S, D>& exact,
                                                const State& now, S scale, bool clamped) const {
    const StretchDerivatives<S, D> by_stretch = clamped ? positive_part(exact) : exact;
    TangentOf<Model, S, D> r;
    r.U = F.U;
    r.W = now.F * F.V;
    r.second = by_stretch.second * scale;
    const S half = scale * S(T(0.5));
    for (int k = 0; k < StretchDerivatives<S, D>::kPairs; ++k) {
      r.even[k] = by_stretch.difference[k] * half;
      r.odd[k] = by_stretch.sum[k] * half;
    }
    r.viscous = viscous_tangent();
    return r;
  }
  FIRN_INLINE TangentOf<Model, S, D> tangent_at(const ElasticLaw<Model, S>& law, S J,
                                                const State& now, S scale) const {
    TangentOf<Model, S, D> r;
    r.volume = law.curvature(J) * now.scalar[0] * now.scalar[0] * scale;
    r.viscous = viscous_tangent();
    return r;
  }
  // What of the motion reaches a particle that has room around it (advance_material.h): 1 where it
  // had, and the rate becomes even.
  FIRN_INLINE S loosen(Mat<S, D>& rate, State& now) const {
    if (!has_dilation) return S(0);
    S left = dilation, from = source;
    const S before = rate(0, D - 1), diagonal = rate(0, 0);
    use_dilation<Model, S, D>(dt, left, rate, from, now);
    const auto changed = (rate(0, D - 1) < before) | (rate(0, D - 1) > before) |
                         (rate(0, 0) < diagonal) | (rate(0, 0) > diagonal);
    return select(changed, S(1), S(0));
  }
  FIRN_INLINE S source_left(S loose) const { return select(loose > S(0), S(0), source); }
  FIRN_INLINE static void spread_evenly(S loose, Mat<S, D>& push) {
    const S even = trace(push) * S(T(1.0 / D));
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        push(i, j) = select(loose > S(0), i == j ? even : S(0), push(i, j));
  }
  // Nothing holds a loose particle that still has room.
  FIRN_INLINE S rigid_share(S loose, const Mat<S, D>& rate) const {
    return select((loose > S(0)) & (rate(0, 0) >= S(0)), S(0), S(1));
  }
};

}  // namespace firn
