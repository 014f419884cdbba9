#include "material/models.h"

#include <cmath>

namespace firn {

std::string check_elastic(const ElasticParameters& p) {
  if (p.is_given(p.given_mu) != p.is_given(p.given_lambda))
    return "mu and lambda go together: give both, or neither";
  if (p.is_given(p.given_mu) && !(3 * p.given_lambda + 2 * p.given_mu > 0))
    return "lambda must be larger than -2/3 mu, or the material has no bulk modulus";
  return {};
}

std::string Sand::check(const Parameters& p) {
  if (std::string problem = check_elastic(p); !problem.empty()) return problem;
  if (p.friction_angle >= 0) return {};
  if (!(p.h0 > p.h3)) return "h0 must be larger than h3";
  if (p.h1 <= 0) return {};
  if (p.h2 <= 0) return "h2 must be positive when h1 is, or the friction angle grows forever";
  const double highest = p.h0 + p.h1 / p.h2 * std::exp(-1 - p.h2 * p.h3 / p.h1);
  if (highest >= 90)
    return "h0, h1, h2, h3 let the friction angle rise to 90 degrees or more; lower h1 or raise h2";
  return {};
}

int model_index_by_name(const std::string& name) {
  for (int i = 0; i < model_count; ++i)
    if (name == model_name(i)) return i;
  return -1;
}

const char* model_name(int index) {
  return visit_model(index, [](auto tag) { return decltype(tag)::type::kName; });
}

const char* model_description(int index) {
  return visit_model(index, [](auto tag) { return decltype(tag)::type::kDescription; });
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (int i = 0; i < model_count; ++i) names.emplace_back(model_name(i));
  return names;
}

int model_dilation_scalar(int index) {
  return visit_model(index, [](auto tag) {
    using Model = typename decltype(tag)::type;
    if constexpr (keeps_dilation<Model>)
      return Model::kDilation;
    else
      return -1;
  });
}

std::vector<ScalarField> model_scalar_fields(int index) {
  return visit_model(index, [](auto tag) {
    constexpr auto& fields = decltype(tag)::type::kScalarFields;
    return std::vector<ScalarField>(fields.begin(), fields.end());
  });
}

ModelParameters default_parameters(int index) {
  return visit_model(
      index, [](auto tag) { return ModelParameters(typename decltype(tag)::type::Parameters{}); });
}

std::string check_parameters(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    return Model::check(std::get<typename Model::Parameters>(parameters));
  });
}

}  // namespace firn
