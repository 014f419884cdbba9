#include "scene/varied_settings.h"

#include <algorithm>
#include <cmath>

#include "expr/parser.h"

namespace firn {
namespace {

// An end of a range that is not allowed itself is kept away from: by this share of the end, or of
// a common value of the parameter where the end is 0. A ratio of 0.4995 is as good as
// incompressible, a modulus of a millionth as good as none.
constexpr double kShareOfEnd = 1e-3, kShareOfValue = 1e-6;

double inset(double end, double common) {
  return end != 0 ? kShareOfEnd * std::abs(end) : kShareOfValue * std::abs(common);
}

// `common` is a value that the parameter has somewhere.
VariedParameter with_range(const NumberInfo& info, double common) {
  VariedParameter varied;
  varied.low = std::max(info.min, info.least_varied);
  varied.high = info.max;
  if (info.above_min && varied.low == info.min) varied.low += inset(info.min, common);
  if (info.below_max) varied.high -= inset(info.max, common);
  return varied;
}

double common_value(const MaterialSettings& material, int number) {
  const int model = static_cast<int>(material.parameters.index());
  const ParameterNumber own = parameter_numbers(default_parameters(model))[number];
  return own.info.contains(own.value) && own.value != 0 ? own.value : 1;
}

// Those that are constant after all are only of use where all parameters are.
VariedParameters compiled_parameters(const SceneSettings& scene, int material) {
  const MaterialSettings& settings = scene.materials[material];
  if (settings.expressions.empty()) return {};
  const std::vector<ParameterNumber> numbers = parameter_numbers(settings.parameters);
  const std::vector<std::string> variables = parameter_variables(scene.scalars);
  VariedParameters list;
  for (const ParameterExpression& entry : settings.expressions) {
    const auto number = std::find_if(numbers.begin(), numbers.end(),
                                     [&](const auto& known) { return known.name == entry.name; });
    const Result<Program> program = parse_expression(entry.expression, variables);
    if (number == numbers.end() || !program) continue;
    const int place = static_cast<int>(number - numbers.begin());
    VariedParameter varied = with_range(number->info, common_value(settings, place));
    varied.name = entry.name;
    varied.number = place;
    varied.program = *program;
    const double none[kMostVariables] = {};
    const double value = evaluate(varied.program, none);
    varied.plain =
        std::clamp(std::isfinite(value) ? value : number->value, varied.low, varied.high);
    list.push_back(std::move(varied));
  }
  return list;
}

bool is_constant(const Program& program) {
  return std::none_of(program.code, program.code + program.length,
                      [](const Instruction& in) { return in.op == Op::variable; });
}

}  // namespace

std::vector<std::string> parameter_variables(const std::vector<std::string>& scalars) {
  std::vector<std::string> names{"phi", "x", "y", "z", "t"};
  names.insert(names.end(), scalars.begin(), scalars.end());
  return names;
}

VariedParameters varied_parameters(const SceneSettings& scene, int material) {
  VariedParameters list = compiled_parameters(scene, material);
  std::erase_if(list, [](const VariedParameter& varied) { return is_constant(varied.program); });
  return list;
}

ModelParameters plain_parameters(const SceneSettings& scene, int material) {
  ModelParameters parameters = scene.materials[material].parameters;
  const VariedParameters varied = compiled_parameters(scene, material);
  if (varied.empty()) return parameters;
  visit_model(parameters, [&](auto& p) {
    double* at[kMostNumbers];
    find_numbers(p, at);
    for (const VariedParameter& parameter : varied) *at[parameter.number] = parameter.plain;
  });
  return parameters;
}

std::string parameters_problem(const SceneSettings& scene, int material) {
  const VariedParameters varied = varied_parameters(scene, material);
  const ModelParameters plain = plain_parameters(scene, material);
  if (std::string problem = check_parameters(plain); !problem.empty()) return problem;
  return visit_model(plain, [&](const auto& p) -> std::string {
    if constexpr (requires { p.given_lambda; })
      if (varies(varied, "mu") && p.lambda() < 0)
        return "where mu is an expression lambda must not be negative: mu may fall below -1.5 "
               "lambda, and the material has no bulk modulus there";
    return "";
  });
}

}  // namespace firn
