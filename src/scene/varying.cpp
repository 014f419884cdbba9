#include "scene/varying.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "expr/parser.h"
#include "scene/line_text.h"

namespace firn {

const std::vector<std::string>& space_time_variables() {
  static const std::vector<std::string> names{"x", "y", "z", "t"};
  return names;
}

const std::vector<std::string>& space_variables() {
  static const std::vector<std::string> names{"x", "y", "z"};
  return names;
}

std::string expression_problem(const std::string& expression,
                               const std::vector<std::string>& variables) {
  const Result<Program> program = parse_expression(expression, variables);
  return program ? "" : "expression " + in_quotes(expression) + ": " + program.errors().front();
}

Result<VaryingValue> compiled(const NumberOrExpression& setting) {
  VaryingValue result;
  result.value = setting.value;
  if (setting.is_constant()) return result;
  const Result<Program> program = parse_expression(setting.expression, space_time_variables());
  if (!program) return program.errors();
  result.program = *program;
  result.has_program = true;
  if (result.varies_in_space() || result.varies_in_time()) return result;
  result.value = result.at(Vec3d::zero(), 0);
  result.has_program = false;
  return result;
}

VaryingField::VaryingField(const VaryingVector& settings) {
  for (int a = 0; a < 3; ++a)
    if (const auto value = compiled(settings[a])) component[a] = *value;
}

Vec3d VaryingField::at(const Vec3d& x, double t) const {
  return {{component[0].at(x, t), component[1].at(x, t), component[2].at(x, t)}};
}

bool VaryingField::varies_in_space() const {
  return std::any_of(component, component + 3, [](auto& c) { return c.varies_in_space(); });
}

bool VaryingField::varies_in_time() const {
  return std::any_of(component, component + 3, [](auto& c) { return c.varies_in_time(); });
}

bool is_finite(const Vec3d& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

std::string place_text(const Vec3d& x) {
  char text[96];
  std::snprintf(text, sizeof(text), "(%.6g, %.6g, %.6g)", x[0], x[1], x[2]);
  return text;
}

}  // namespace firn
