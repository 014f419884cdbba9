// The columns of a set as loops over its materials see them, and the constants of its model.
#pragma once

#include "base/lane_ops.h"
#include "mpm/state.h"

namespace firn {

// Chains of dependent operations (logarithms, power laws, roots) are long and the processor looks
// ahead by about one SIMD vector of four: twice the lanes hide them.
template <class Model>
constexpr int kModelLanes = 8;

// Models whose volume may have a source.
template <class Model>
constexpr bool kSources = !Model::kHasF || keeps_dilation<Model>;

// Models that may be the fluid of a mixture.
template <class Model>
constexpr bool kSwells = !Model::kHasF;

// The columns that an update touches, each from the first particle of a range on.
template <class Model, class T, int D>
struct UpdateColumns {
  static constexpr int kGradient = Model::kHasF ? D * D : 0;
  static constexpr int kStress = SymMat<T, D>::kSize;

  const T* rate[D * D];
  const T* velocity[D];
  const T *mass, *volume, *stiffness;
  const T* source;    // null: none
  const T* swelling;  // of a fluid in a mixture, in the place of the trace of the rate; null: none
  T* dilation;        // null: no particle is loose
  int varied_count;
  const T* varied[kMostNumbers];
  T* gradient[kGradient + 1];
  T* scalar[Model::kScalars + 1];
  T* stress[kStress];
  bool one_stress;  // an isotropic stress is stored as one number

  UpdateColumns(const T* const* rate_columns, ParticleSet<T, D>& set, std::uint32_t begin)
      : mass(set.mass[0] + begin),
        volume(stressed_volume(set)[0] + begin),
        stiffness(set[column::stiffness][0] + begin),
        source(set[column::source].components() > 0 ? set[column::source][0] + begin : nullptr),
        swelling(set[column::swelling].components() > 0 ? set[column::swelling][0] + begin
                                                        : nullptr),
        dilation(set[column::dilation].components() > 0 ? set[column::dilation][0] + begin
                                                        : nullptr),
        varied_count(set[column::varied].components()),
        one_stress(set[column::stress].components() == 1) {
    for (int k = 0; k < varied_count; ++k) varied[k] = set[column::varied][k] + begin;
    for (int k = 0; k < D * D; ++k) rate[k] = rate_columns[k];
    for (int a = 0; a < D; ++a) velocity[a] = set.velocity[a] + begin;
    for (int k = 0; k < kGradient; ++k) gradient[k] = set[column::gradient][k] + begin;
    for (int k = 0; k < Model::kScalars; ++k) scalar[k] = set[column::scalar][k] + begin;
    for (int k = 0; k < set[column::stress].components(); ++k)
      stress[k] = set[column::stress][k] + begin;
  }
  // f(column) for each of them.
  template <class F>
  void for_each(F&& f) {
    for (auto& column : rate) f(column);
    for (auto& column : velocity) f(column);
    f(mass);
    f(volume);
    f(stiffness);
    if (source) f(source);
    if (swelling) f(swelling);
    if (dilation) f(dilation);
    for (int k = 0; k < varied_count; ++k) f(varied[k]);
    for (int k = 0; k < kGradient; ++k) f(gradient[k]);
    for (int k = 0; k < Model::kScalars; ++k) f(scalar[k]);
    for (int k = 0; k < (one_stress ? 1 : kStress); ++k) f(stress[k]);
  }
};

// Constants of all particles alike, made once.
template <class Model, class S, int D>
struct SameConstants {
  using T = ScalarOf<S>;
  const typename Model::template Constants<S> constants;
  const S viscosity;

  SameConstants(const MaterialSet<T, D>& set, const UpdateColumns<Model, T, D>&)
      : SameConstants(std::get<typename Model::Parameters>(set.parameters)) {}
  explicit SameConstants(const typename Model::Parameters& model)
      : constants(Model::template constants<S, D>(model, S(1))),
        viscosity(T(viscosity_of<Model>(model))) {}
  FIRN_HOST_INLINE void load(std::size_t) {}
};

// Constants from parameters that particles have their own values of.
template <class Model, class S, int D>
struct VariedConstants {
  using T = ScalarOf<S>;
  typename Model::template ParametersOf<S> parameters;
  const UpdateColumns<Model, T, D>& columns;
  S* target[kMostNumbers];
  typename Model::template Constants<S> constants;
  S viscosity;

  VariedConstants(const VariedConstants&) = delete;  // it points into itself
  VariedConstants(const MaterialSet<T, D>& set, const UpdateColumns<Model, T, D>& from)
      : parameters(
            spread_parameters<Model, S>(std::get<typename Model::Parameters>(set.parameters))),
        columns(from) {
    S* number[kMostNumbers];
    find_numbers(parameters, number);
    settle_moduli(set);
    for (int k = 0; k < columns.varied_count; ++k) target[k] = number[set.varied[k].number];
  }
  // Moduli that do not vary are turned into Lame's constants once.
  void settle_moduli(const MaterialSet<T, D>& set) {
    const auto& same = std::get<typename Model::Parameters>(set.parameters);
    if constexpr (requires { same.given_mu; }) {
      double* number[kMostNumbers];
      auto copy = same;
      find_numbers(copy, number);
      const double* const moduli[] = {&copy.given_mu, &copy.given_lambda, &copy.youngs_modulus,
                                      &copy.poisson_ratio};
      for (const VariedParameter& varied : set.varied)
        for (const double* modulus : moduli)
          if (number[varied.number] == modulus) return;
      parameters.given_mu = S(T(same.mu()));
      parameters.given_lambda = S(T(same.lambda()));
    }
  }
  // From what was loaded last: neighbours are often alike.
  FIRN_HOST_INLINE bool differs(std::size_t p) const {
    auto other = S(0) > S(0);
    for (int k = 0; k < columns.varied_count; ++k) {
      const S value = S::load(columns.varied[k] + p);
      other = other | (value < *target[k]) | (value > *target[k]);
    }
    return any(other);
  }
  FIRN_HOST_INLINE void load(std::size_t p) {
    if (p > 0 && !differs(p)) return;
    for (int k = 0; k < columns.varied_count; ++k) *target[k] = S::load(columns.varied[k] + p);
    constants = Model::template constants<S, D>(parameters, S(1));
    viscosity = viscosity_of<Model, S>(parameters);
  }
};

}  // namespace firn
