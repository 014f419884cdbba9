// Settings that are numbers or expressions.
#include <cmath>

#include "expr/parser.h"
#include "scene/varied_settings.h"
#include "scene_io/scene_read_visitor.h"

namespace firn {
namespace {

// What is wrong with the value of an expression that has no variables in it.
std::string constant_problem(const std::string& expression,
                             const std::vector<std::string>& variables, const NumberInfo& info) {
  const Result<Program> program = parse_expression(expression, variables);
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (depends_on(*program, static_cast<int>(i))) return "";
  const double value = evaluate<double>(*program, nullptr);
  const std::string problem =
      std::isfinite(value) ? range_problem(info, value) : "must be a finite number";
  return problem.empty() ? "" : "expression " + in_quotes(expression) + ": " + problem;
}

}  // namespace

// An expression without variables is held to the range as a number is; one with variables is
// checked where it is evaluated.
bool ObjectReader::take_varying(const Json& json, const std::string& pointer,
                                const NumberInfo& info, const std::vector<std::string>& variables,
                                NumberOrExpression& value) {
  if (!json.is_string()) {
    NumberOrExpression number;
    if (!json.is_number()) {
      const std::string unit = *info.unit == 0 ? "" : std::string(" in ") + info.unit;
      const std::string what = "a number" + unit + " or an expression";
      context_.add_error(pointer, expected(what.c_str(), json));
      return false;
    }
    const bool good = take_number(json, pointer, info, number.value);
    if (good) value = number;
    return good;
  }
  const std::string& expression = json.get_ref<const std::string&>();
  std::string problem = expression_problem(expression, variables);
  if (problem.empty()) problem = constant_problem(expression, variables, info);
  if (!problem.empty()) {
    context_.add_error(pointer, problem);
    return false;
  }
  value = {0, expression};
  return true;
}

void ObjectReader::varying(const char* name, NumberOrExpression& value, const NumberInfo& info,
                           const std::vector<std::string>& variables) {
  if (const Json* json = find(name)) take_varying(*json, child(name), info, variables, value);
}

void ObjectReader::parameter(const char* name, NumberOrExpression& value, const NumberInfo& info) {
  const Json* json = find(name);
  if (json == nullptr) return;
  if (json->is_number()) {
    double number = value.value;
    if (take_number(*json, child(name), info, number)) value = number;
    return;
  }
  const auto scalars = context_.dictionary_keys.find("scalars");
  const bool none = scalars == context_.dictionary_keys.end();
  take_varying(*json, child(name), info,
               parameter_variables(none ? std::vector<std::string>() : scalars->second), value);
}

void ObjectReader::varying_vector(const char* name, VaryingVector& value, const NumberInfo& info,
                                  const std::vector<std::string>& variables) {
  const Json* json = find(name);
  if (json == nullptr || !check_components(*json, child(name))) return;
  VaryingVector result{};
  bool good = true;
  for (int i = 0; i < context_.dimension; ++i)
    good &=
        take_varying((*json)[i], child(name) + "/" + std::to_string(i), info, variables, result[i]);
  if (good) value = result;
}

void ObjectReader::varying_rotation(const char* name, VaryingVector& value, const NumberInfo& info,
                                    const std::vector<std::string>& variables) {
  const Json* json = find(name);
  if (context_.dimension == 3) return varying_vector(name, value, info, variables);
  if (json != nullptr) take_varying(*json, child(name), info, variables, value[2]);
}

void ObjectReader::expressions(const char* name, std::vector<InitialField>& fields, const char*) {
  const Json* json = find(name);
  if (json == nullptr || !check_dictionary(*json, child(name), {})) return;
  fields.clear();
  for (const auto& [key, member] : json->items()) {
    const std::string pointer = child(name) + "/" + pointer_piece(key);
    InitialField field{key, {}};
    if (member.is_string()) {
      field.value.expression = member.get<std::string>();
      const std::string problem = expression_problem(field.value.expression, space_variables());
      if (!problem.empty()) context_.add_error(pointer, problem);
    } else if (member.is_number()) {
      field.value.value = member.get<double>();
    } else {
      context_.add_error(pointer, expected("a number or an expression", member));
    }
    fields.push_back(std::move(field));
  }
}

}  // namespace firn
