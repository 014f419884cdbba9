#include "scene/varying.h"

#include "expr/parser.h"
#include "scene/line_text.h"

namespace firn {

VaryingVector constant_vector(const Vec3d& value) {
  return {{{value[0], ""}, {value[1], ""}, {value[2], ""}}};
}

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

}  // namespace firn
