// The one closed list of constitutive models, and choosing among them at run time.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "material/fixed_corotated.h"
#include "material/fluid.h"
#include "material/hencky.h"
#include "material/herschel_bulkley.h"
#include "material/neo_hookean.h"
#include "material/sand.h"
#include "material/snow.h"
#include "material/st_venant_kirchhoff.h"
#include "material/stable_neo_hookean.h"
#include "material/viscoelastic.h"
#include "material/von_mises.h"

namespace firn {

template <class... Types>
struct TypeList {
  static constexpr int kSize = sizeof...(Types);
};
template <class Type>
struct TypeTag {
  using type = Type;
};

// A new model is one more name here.
using ModelList = TypeList<StVenantKirchhoff, Hencky, NeoHookean, FixedCorotated, Fluid, Snow, Sand,
                           VonMises, Viscoelastic, HerschelBulkley, StableNeoHookean>;

namespace detail {

template <class List>
struct ParametersOf;
template <class... Models>
struct ParametersOf<TypeList<Models...>> {
  using type = std::variant<typename Models::Parameters...>;
};

template <class... Models>
constexpr bool check_models(TypeList<Models...>) {
  return (check_model<Models>() && ...);
}
static_assert(check_models(ModelList{}));

template <class F, class First, class... Others>
decltype(auto) visit_model(int index, F&& f, TypeList<First, Others...>) {
  if constexpr (sizeof...(Others) > 0)
    if (index > 0) return visit_model(index - 1, std::forward<F>(f), TypeList<Others...>{});
  return f(TypeTag<First>{});
}

}  // namespace detail

// Parameters of any model; its index() is the model's index.
using ModelParameters = detail::ParametersOf<ModelList>::type;

inline constexpr int model_count = ModelList::kSize;

// Calls f(tag) with the type of the model in tag::type. 0 <= index < model_count.
template <class F>
decltype(auto) visit_model(int index, F&& f) {
  return detail::visit_model(index, std::forward<F>(f), ModelList{});
}
// Calls f(parameters) with the parameters in their own type.
template <class F>
decltype(auto) visit_model(ModelParameters& parameters, F&& f) {
  return std::visit(std::forward<F>(f), parameters);
}
template <class F>
decltype(auto) visit_model(const ModelParameters& parameters, F&& f) {
  return std::visit(std::forward<F>(f), parameters);
}

// Whether one of the model's scalars is a volume gained by coming apart, free of stress and used up
// first (its logarithm).
template <class Model>
inline constexpr bool keeps_dilation = requires {
  Model::kDilation;
};

// Dynamic viscosity that the transfer applies, Pa s; zero for models without.
template <class Model, class U = double>
FIRN_HD U viscosity_of(const typename Model::template ParametersOf<U>& p) {
  if constexpr (requires { Model::viscosity(p); })
    return Model::viscosity(p);
  else
    return U(0);
}

// The share of J that counts for the viscous stress.
template <class Model, class S, int D>
FIRN_INLINE S viscous_ratio(const MaterialState<S, D, Model::kScalars>& state) {
  if constexpr (Model::kHasF)
    return clamp(determinant(state.F), S(0), S(ScalarOf<S>(Model::kMostViscousJ)));
  else
    return state.scalar[0];
}
// The largest that it may be.
template <class Model>
double largest_viscous_ratio(const typename Model::Parameters& p) {
  if constexpr (Model::kHasF)
    return Model::kMostViscousJ;
  else
    return p.det_max;
}
// Whether it has a viscosity at all.
template <class Model>
inline constexpr bool is_viscous = requires(const typename Model::Parameters& p) {
  Model::viscosity(p);
};

// What a model may say of itself, beyond what it must (model_concept.h).
template <class Model>
constexpr bool smoothly_invertible() {
  if constexpr (requires { Model::kSmoothlyInvertible; })
    return Model::kSmoothlyInvertible;
  else
    return false;
}
template <class Model>
constexpr const char* bench_name() {
  if constexpr (requires { Model::kBenchName; })
    return Model::kBenchName;
  else
    return Model::kName;
}

// Parameters with which the model is elastic at all strains.
template <class Model>
typename Model::Parameters unyielding_parameters() {
  if constexpr (Model::kYields)
    return Model::unyielding();
  else
    return {};
}

int model_index_by_name(const std::string& name);  // -1: no such model
const char* model_name(int index);
const char* model_description(int index);
std::vector<std::string> model_names();
std::vector<ScalarField> model_scalar_fields(int index);
int model_dilation_scalar(int index);  // which of them is a dilation (keeps_dilation); -1: none
ModelParameters default_parameters(int index);

// What is wrong among parameters that are each in their range, or an empty string.
std::string check_parameters(const ModelParameters& parameters);

}  // namespace firn
