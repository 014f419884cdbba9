// Foams, pastes, doughs: an elastic stress that relaxes, and a viscosity (OPT 3: Oldroyd-B whose
// flow keeps the volume).
//
// Elasticity is Neo-Hookean's at b = F F^T, with det F = J, the volume of the motion. What relaxes
// is b_OB = (J_OB / J)^(2/d) b, of determinant J_OB^2. A step of dt carries it along with the
// motion and then solves d b_OB / dt = (I - b_OB) / relaxation_time implicitly,
//   b_OB <- (b_OB + r I) / (1 + r),   r = dt / relaxation_time,
// which is positive definite whatever dt is (OPT's explicit form is not beyond r = 1). The particle
// keeps (J / J_OB)^(1/d). F is found again as the lower triangular root of b: only b counts, and no
// decomposition is needed; the rotation, which a flow has none of, is lost.
#pragma once

#include "material/neo_hookean.h"

namespace firn {

struct Viscoelastic {
  static constexpr const char* kName = "viscoelastic";
  static constexpr const char* kDescription =
      "foam, paste, dough: its stress relaxes, and it is viscous";
  static constexpr bool kHasF = true;
  static constexpr bool kIsotropicStress = false;
  static constexpr bool kYields = false;
  static constexpr int kScalars = 1;
  static constexpr double kLeastScale = 1e-3;
  static constexpr std::array<ScalarField, 1> kScalarFields = {
      {{"plastic_stretch", 1, "(J / J_OB)^(1/d): F over the strain that relaxes", kLeastScale,
        1 / kLeastScale}}};

  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {
    using typename ElasticParametersOf<U>::Number;
    U relaxation_time = U(Number(0.5));
    U viscosity = U(Number(0.05));

    FIRN_HD ParametersOf() {
      this->youngs_modulus = U(Number(1.4545e4));
      this->poisson_ratio = U(Number(0.4545));
    }
    template <class V>
    void describe(V& v) {
      ElasticParametersOf<U>::describe(v);
      v.number("relaxation_time", relaxation_time,
               NumberInfo{"in which an elastic strain that is held falls to 1/e (Oldroyd's "
                          "Weissenberg number as a time)",
                          "s", 0, 1e30, true});
      v.number("viscosity", viscosity,
               NumberInfo{"dynamic viscosity beside the elastic stress", "Pa s", 0, 1e9});
    }
  };
  using Parameters = ParametersOf<double>;
  static std::string check(const Parameters& p) { return check_elastic(p); }
  static std::vector<PresetOf<Parameters>> presets();
  template <class U>
  FIRN_HD static U viscosity(const ParametersOf<U>& p) {
    return p.viscosity;
  }
  // The viscous stress is that of the initial volume, J eta (L + L^T), of which J counts up to
  // this.
  static constexpr double kMostViscousJ = 1.1;

  template <class S>
  struct Constants {
    LameConstants<S> lame;
    S rate;  // 1 / relaxation time

    FIRN_INLINE Constants stiffened(S stiffness) const { return {lame.stiffened(stiffness), rate}; }
  };
  template <class S, int D, class U>
  FIRN_INLINE static Constants<S> constants(const ParametersOf<U>& p, S stiffness) {
    const Constants<S> c = {lame_constants<S>(p), as_lanes<S>(U(1) / p.relaxation_time)};
    return c.stiffened(stiffness);
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    return NeoHookean::energy<S, D>(c.lame, elastic_part(state));
  }
  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    auto elastic = elastic_part(state);
    return NeoHookean::update<S, D>(c.lame, elastic);
  }

  // What the flow of a step takes of the strain. A state that is turned inside out becomes a flat
  // one, which pushes back.
  template <class S, int D>
  FIRN_INLINE static void relax(const Constants<S>& c, S dt, MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const S J = max_of(determinant(state.F), S(T(NeoHookean::kSmallestJ)));
    const S r = dt * c.rate, keep = S(1) / (S(1) + r);
    const S to_relaxing = keep / square(state.scalar[0]);
    SymMat<S, D> b = times_own_transpose(state.F);
    for (int k = 0; k < SymMat<S, D>::kSize; ++k)
      b.e[k] = b.e[k] * to_relaxing + (k < D ? r * keep : S(0));
    const Mat<S, D> relaxed = lower_root(b);
    S J_OB = relaxed(0, 0);
    for (int i = 1; i < D; ++i) J_OB = J_OB * relaxed(i, i);
    state.scalar[0] = clamp(root<D>(J / J_OB), S(T(kLeastScale)), S(T(1 / kLeastScale)));
    state.F = relaxed * state.scalar[0];
  }

 private:
  template <class S, int D>
  FIRN_INLINE static MaterialState<S, D, 0> elastic_part(
      const MaterialState<S, D, kScalars>& state) {
    MaterialState<S, D, 0> elastic;
    elastic.F = state.F;
    return elastic;
  }
  template <int D, class S>
  FIRN_INLINE static S root(S volume_ratio) {
    if constexpr (D == 2)
      return sqrt_of(volume_ratio);
    else
      return exp_of(log_of(volume_ratio) * S(ScalarOf<S>(1.0 / D)));
  }
  // L with L L^T = b.
  template <class S, int D>
  FIRN_INLINE static Mat<S, D> lower_root(const SymMat<S, D>& b) {
    const S tiny(detail::kTinySquare<ScalarOf<S>>);
    Mat<S, D> L = Mat<S, D>::zero();
    for (int j = 0; j < D; ++j) {
      S square_left = b(j, j);
      for (int k = 0; k < j; ++k) square_left = square_left - square(L(j, k));
      L(j, j) = sqrt_of(max_of(square_left, tiny));
      const S inverse = S(1) / L(j, j);
      for (int i = j + 1; i < D; ++i) {
        S left = b(j, i);
        for (int k = 0; k < j; ++k) left = left - L(i, k) * L(j, k);
        L(i, j) = left * inverse;
      }
    }
    return L;
  }
};

}  // namespace firn
