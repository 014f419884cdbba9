// What a constitutive model must bring, one concept for each thing, so that the compiler names what
// is missing (check_model). docs/materials.md has the same as a list.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

#include "material/elastic.h"

namespace firn {

// A named set of parameters; the first of a model's presets holds its defaults.
template <class Parameters>
struct PresetOf {
  const char* name;
  const char* description;
  double density;  // kg/m3, suggested
  Parameters parameters;
};

namespace model_needs {

// Stands for any reader, writer or editor of parameters (base/describe.h).
struct SomeVisitor {
  void number(const char*, double&, const NumberInfo&);
  void flag(const char*, bool&, const char*);
  template <class E, class Names>
  void choice(const char*, E&, const Names&, const char*);
};

template <class M>
using SomeState = MaterialState<float, 3, M::kScalars>;

template <class M>
concept Names = requires {
  { M::kName } -> std::convertible_to<const char*>;
  { M::kDescription } -> std::convertible_to<const char*>;
};

template <class M>
concept StateConstants = requires {
  { M::kHasF } -> std::convertible_to<bool>;
  { M::kIsotropicStress } -> std::convertible_to<bool>;
  { M::kYields } -> std::convertible_to<bool>;
  { M::kScalars } -> std::convertible_to<int>;
  { M::kScalarFields[0] } -> std::convertible_to<const ScalarField&>;
}
&&M::kScalarFields.size() == static_cast<std::size_t>(M::kScalars);

template <class M>
concept Parameters = requires(typename M::Parameters p, SomeVisitor v) {
  typename M::Parameters;
  typename M::template ParametersOf<float>;
  p.describe(v);
  { M::check(p) } -> std::same_as<std::string>;
}
&&std::default_initializable<typename M::Parameters>&&
    std::same_as<typename M::Parameters, typename M::template ParametersOf<double>>;

// Moduli by the names that Hooke's limit is tested with.
template <class M>
concept ElasticModuli = !M::kHasF || std::derived_from<typename M::Parameters, ElasticParameters>;

template <class M>
concept Presets = requires {
  { M::presets() } -> std::same_as<std::vector<PresetOf<typename M::Parameters>>>;
};

template <class M>
concept Constants = requires(const typename M::Parameters& p,
                             typename M::template Constants<float> c) {
  { M::template constants<float, 3>(p, 1.0f) } -> std::same_as<decltype(c)>;
  { c.stiffened(1.0f) } -> std::same_as<decltype(c)>;
};

template <class M>
concept Energy = requires(typename M::template Constants<float> c, const SomeState<M>& state) {
  { M::template energy<float, 3>(c, state) } -> std::same_as<float>;
};

template <class M>
concept Update = requires(typename M::template Constants<float> c, SomeState<M>& state) {
  { M::template update<float, 3>(c, state) } -> std::same_as<StressUpdate<float, 3>>;
};

template <class M>
concept Unyielding = !M::kYields || requires {
  { M::unyielding() } -> std::same_as<typename M::Parameters>;
};

template <class M>
concept Damping = M::kHasF || requires(typename M::template Constants<float> c) {
  { M::damping(c, 1.0f, 0.0f) } -> std::same_as<float>;
};

}  // namespace model_needs

template <class M>
constexpr bool check_model() {
  namespace need = model_needs;
  static_assert(need::Names<M>, "a model needs kName and kDescription");
  static_assert(need::StateConstants<M>,
                "a model needs kHasF, kIsotropicStress, kYields, kScalars and as many "
                "kScalarFields");
  static_assert(need::Parameters<M>,
                "a model needs a struct ParametersOf<U> with describe(visitor), Parameters = "
                "ParametersOf<double>, and check(parameters)");
  static_assert(need::ElasticModuli<M>,
                "Parameters of a model with kHasF derive from ElasticParameters");
  static_assert(need::Presets<M>,
                "a model needs presets(), declared in its file and defined in presets.cpp: "
                "std::vector<PresetOf<Parameters>>, the defaults first");
  static_assert(need::Constants<M>,
                "a model needs a struct Constants<S> with stiffened(S), and constants<S, D>()");
  static_assert(need::Energy<M>, "a model needs energy<S, D>(constants, state)");
  static_assert(need::Update<M>, "a model needs update<S, D>(constants, state)");
  static_assert(need::Unyielding<M>,
                "a model with kYields needs unyielding(): parameters with which it never yields, "
                "for the tests of its elasticity");
  static_assert(need::Damping<M>, "a model without F needs damping(constants, J, dt div v)");
  return true;
}

}  // namespace firn
