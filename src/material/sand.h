// Sand (OPT 4.5, MULTI 89-98): Hencky elasticity inside a Drucker-Prager cone, with hardening, a
// volume correction and cohesion.
//
// With the logarithmic strain e split into trace t and deviator, tau = 2 mu dev(e) + K t I holds
// with K = 2 mu / d + lambda. The yield condition alpha tr(tau) + |dev tau| <= c, divided by 2 mu,
// reads
//   |dev(e)| <= radius(t) = c / (2 mu) - alpha k t,   k = (d lambda + 2 mu) / (2 mu),
// and the cone ends where radius vanishes, at t = tip = c / (2 mu) / (alpha k). Projections:
//   I   inside the cone: nothing;
//   II  t > tip: to the tip, dev(e) = 0 and t = tip;
//   III else: dev(e) shrinks to radius(t), t is kept (no dilatancy).
// So dev(e) is scaled by kappa = min(1, radius / |dev(e)|), or 0 at the tip.
//
// Volume correction. v = ln J_P is the logarithmic volume that case II has made plastic; t + v is
// that of the particle as a whole, which no projection may change: v_after = v + t - t_after. Sand
// that was pulled apart must come back to its old volume before pressure builds up. So the test is
// made with t + v, and the state it leads to has
//   II  (t + v > tip)   t_after = tip,    v_after = t + v - tip > 0,
//   I, III              t_after = t + v,  v_after = 0.
// v is thus never negative, is positive only at the tip where it makes no stress, and compression
// first uses it up; the step that does so goes on continuously into pressure. In case I too F takes
// the new trace, or v would be counted twice.
#pragma once

#include "material/hencky.h"

namespace firn {

enum class Cone { automatic, compression, plane_strain };
inline constexpr const char* kConeNames[] = {"automatic", "compression", "plane_strain"};

struct Sand {
  static constexpr const char* kName = "sand";
  static constexpr const char* kDescription = "dry or cohesive granular material";
  static constexpr Vec<double, 3> kColor = {{0.88, 0.66, 0.36}};
  static constexpr bool kHasF = true;
  static constexpr bool kIsotropicStress = false;
  static constexpr bool kYields = true;
  static constexpr int kScalars = 2;
  static constexpr int kDilation = 1;  // the volume correction
  static constexpr std::array<ScalarField, 2> kScalarFields = {
      {{"hardening", 0, "accumulated plastic strain, the argument of the hardening curve", 0, 1e6},
       {"volume_correction", 0, "logarithm of the volume gained by coming apart", 0, 100}}};

  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {
    using typename ElasticParametersOf<U>::Number;
    U friction_angle = U(30);
    U h0 = U(35), h1 = U(0), h2 = U(Number(0.2)), h3 = U(10);
    U cohesion = U(0);
    bool volume_correction = true;
    Cone cone = Cone::automatic;

    FIRN_HD ParametersOf() {
      this->youngs_modulus = U(Number(3.537e5));
      this->poisson_ratio = U(Number(0.3));
    }
    template <class V>
    void describe(V& v) {
      ElasticParametersOf<U>::describe(v, true);
      v.number("friction_angle", friction_angle,
               NumberInfo{"angle of internal friction; negative: by the hardening curve", "degrees",
                          -1, 90, false, true, 0});
      v.number("h0", h0,
               NumberInfo{"hardening: angle = h0 + (h1 q - h3) exp(-h2 q) at plastic strain q",
                          "degrees", 0, 90, false, true});
      v.number("h1", h1, NumberInfo{"hardening: slope of the transient part", "degrees", 0, 1e4});
      v.number("h2", h2, NumberInfo{"hardening: rate of decay", "", 0, 1e4});
      v.number("h3", h3, NumberInfo{"hardening: the angle starts at h0 - h3", "degrees", 0, 90});
      v.number("cohesion", cohesion,
               NumberInfo{"|dev tau| that it bears without pressure", "Pa", 0, 1e12});
      v.flag("volume_correction", volume_correction,
             "sand that came apart regains its volume before it resists compression");
      v.choice("cone", cone, kConeNames,
               "where the cone meets Coulomb's law in 3D: triaxial compression or plane strain");
    }
  };
  using Parameters = ParametersOf<double>;
  static std::string check(const Parameters& p);
  static std::vector<PresetOf<Parameters>> presets();
  static Parameters unyielding() {
    Parameters p;
    p.cohesion = 1e12;
    return p;
  }

  // Friction as alpha = gain sin(phi) / (1 - bend sin(phi)).
  struct ConeShape {
    double gain, bend;
  };
  // In 2D |dev tau| / |tr tau| is sin(phi) / sqrt(2) at Coulomb's limit. In 3D the cone can match
  // Coulomb's pyramid in plane strain with no dilatancy, or touch it in triaxial compression
  // (MULTI 95), where it bears slopes far above phi: 44 degrees with phi = 30. So `automatic` is
  // plane strain: wedges stand and flow as in 2D (docs/validation.md).
  FIRN_HD static constexpr ConeShape cone_shape(Cone cone, int dimension) {
    if (dimension == 2) return {0.70710678118654752, 0};
    if (cone == Cone::compression) return {0.54433105395181736, 1.0 / 3};  // sqrt(2/3) 2 / 3
    return {0.47140452079103168, 0};                                       // sqrt(2) / 3
  }
  template <class U>
  FIRN_HD static constexpr U alpha_of(U sin_phi, Cone cone, int dimension) {
    using Number = ScalarOf<U>;
    const ConeShape shape = cone_shape(cone, dimension);
    const U straight = U(Number(shape.gain)) * sin_phi;
    return shape.bend == 0 ? straight : straight / (U(1) - U(Number(shape.bend)) * sin_phi);
  }
  // `cohesion` of a material whose Coulomb cohesion is c: what makes the cone meet
  // |shear| = c - sigma tan(phi) in the same states as alpha does without c.
  static double cohesion_from_coulomb(double c, double degrees, Cone cone, int dimension) {
    const double sine = sin_quadrant(degrees * kDegree), cosine = sqrt_of(1 - sine * sine);
    if (dimension == 3 && cone == Cone::compression)
      return 0.81649658092772603 * 6 * c * cosine / (3 - sine);  // sqrt(2/3)
    return 1.4142135623730951 * c * cosine;
  }

  template <class S>
  struct Constants {
    LameConstants<S> lame;
    S k;                // (d lambda + 2 mu) / (2 mu)
    S cohesion_strain;  // c / (2 mu)
    S correction;       // 1 with volume correction, 0 without
    S alpha;            // where hardens is false
    S h0, h1, h2, h3;   // radians
    S gain, bend;
    bool hardens;  // the same for all lanes: a branch, not a select

    FIRN_INLINE Constants stiffened(S stiffness) const {
      Constants r = *this;
      r.lame = lame.stiffened(stiffness);
      r.cohesion_strain = cohesion_strain / stiffness;
      return r;
    }
  };

  template <class S, int D, class U>
  FIRN_INLINE static Constants<S> constants(const ParametersOf<U>& p, S stiffness) {
    using T = ScalarOf<S>;
    const U degree = U(ScalarOf<U>(kDegree)), two_mu = U(2) * p.mu();
    // Where this is done for every particle one division must do.
    const auto over_two_mu = [two_mu, inverse = U(1) / two_mu](U x) {
      if constexpr (std::is_same_v<U, double>)
        return x / two_mu;
      else
        return x * inverse;
    };
    const ConeShape shape = cone_shape(p.cone, D);
    const Constants<S> c = {
        lame_constants<S>(p),
        as_lanes<S>(over_two_mu(U(D) * p.lambda() + two_mu)),
        as_lanes<S>(over_two_mu(p.cohesion)),
        S(T(p.volume_correction ? 1 : 0)),
        as_lanes<S>(alpha_of(sin_quadrant(p.friction_angle * degree), p.cone, D)),
        as_lanes<S>(p.h0 * degree),
        as_lanes<S>(p.h1 * degree),
        as_lanes<S>(p.h2),
        as_lanes<S>(p.h3 * degree),
        S(T(shape.gain)),
        S(T(shape.bend)),
        any(p.friction_angle < U(0))};
    return c.stiffened(stiffness);
  }

  // MULTI 94, kept in [0, 89] degrees.
  template <class S>
  FIRN_INLINE static S friction(const Constants<S>& c, S q) {
    if (!c.hardens) return c.alpha;
    const S phi = c.h0 + (c.h1 * q - c.h3) * exp_of(-c.h2 * q);
    const S sin_phi = sin_quadrant(clamp(phi, S(0), S(ScalarOf<S>(89 * kDegree))));
    return c.gain * sin_phi / (S(1) - c.bend * sin_phi);
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    return Hencky::energy_of_strain(c.lame.mu, c.lame.lambda,
                                    principal_log_strain(principal(times_own_transpose(state.F))));
  }

  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const Principal<S, D> b = principal(times_own_transpose(state.F));
    Vec<S, D> deviator = principal_log_strain(b);
    const S t = sum(deviator);
    for (int i = 0; i < D; ++i) deviator[i] = deviator[i] - t * S(T(1.0 / D));
    const S size2 = dot(deviator, deviator) + S(detail::kTinySquare<T>);
    const S size = sqrt_of(size2);

    const S alpha_k = friction(c, state.scalar[0]) * c.k;
    const S tip = c.cohesion_strain / max_of(alpha_k, S(T(1e-6)));
    const S t_whole = t + c.correction * state.scalar[1];
    const auto at_tip = t_whole > tip;
    const S t_after = select(at_tip, tip, t_whole);
    const S radius = max_of(c.cohesion_strain - alpha_k * t_after, S(0));
    const S kappa = select(at_tip, S(0), min_of(radius / size, S(1)));
    const auto yields = at_tip | (kappa < S(1));

    // F <- exp(change of the strain) F; of lanes that keep their strain exp is exactly I.
    const S t_change = t_after - t;
    if (any(yields | (t_change < S(0)) | (t_change > S(0)))) {
      Vec<S, D> factor;
      for (int i = 0; i < D; ++i)
        factor[i] = exp_of((kappa - S(1)) * deviator[i] + t_change * S(T(1.0 / D)));
      state.F = assemble(b, factor) * state.F;
      const S flow2 = square((S(1) - kappa) * size) + square(t_change) * S(T(1.0 / D));
      state.scalar[0] = state.scalar[0] + sqrt_of(flow2);  // the norm of the change
    }
    state.scalar[1] = c.correction * (t_whole - t_after);

    StressUpdate<S, D> r;
    const S two_mu_kappa = S(2) * c.lame.mu * kappa;
    const S pressure = (S(T(2.0 / D)) * c.lame.mu + c.lame.lambda) * t_after;
    for (int i = 0; i < D; ++i) deviator[i] = two_mu_kappa * deviator[i] + pressure;
    r.tau = assemble(b, deviator);
    const S largest = two_mu_kappa * size;
    r.wave_modulus =
        Hencky::wave_modulus(c.lame.mu, c.lame.lambda, pressure - largest, pressure + largest);
    r.plastic = select(yields, S(1), S(0));
    return r;
  }

  // 0 inside the cone, 1 on it, 2 at its tip (OPT figs. 4.11, 4.13, 4.14): where the last
  // projection left the state. Never yielded is inside, though sand without stress is at the tip.
  template <int D>
  static double yield_case(const Constants<double>& c,
                           const MaterialState<double, D, kScalars>& state) {
    constexpr double kNear = 1e-3, kRounding = 1e-6;  // of the radius, and of strains from floats
    if (!(state.scalar[0] > kRounding)) return 0;
    Vec<double, D> e = principal_log_strain(principal(times_own_transpose(state.F)));
    const double t = sum(e), alpha_k = friction(c, state.scalar[0]) * c.k;
    const double tip = c.cohesion_strain / (alpha_k > 1e-6 ? alpha_k : 1e-6);
    if (state.scalar[1] > kRounding || t > tip - kRounding) return 2;
    double size2 = 0;
    for (int i = 0; i < D; ++i) size2 += square(e[i] - t / D);
    const double radius = c.cohesion_strain - alpha_k * t;
    return sqrt_of(size2) > (1 - kNear) * radius - kRounding ? 1 : 0;
  }
};

}  // namespace firn
