// Settings that are a number or an expression.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/vec.h"
#include "expr/varying.h"

namespace firn {

// An expression when `expression` is not empty; in which variables, the place says.
struct NumberOrExpression {
  double value = 0;
  std::string expression;

  bool is_constant() const { return expression.empty(); }
  bool operator==(const NumberOrExpression&) const = default;
};

using VaryingVector = std::array<NumberOrExpression, 3>;

VaryingVector constant_vector(const Vec3d& value);

// x, y, z (m), t (s); and the first three alone.
const std::vector<std::string>& space_time_variables();
const std::vector<std::string>& space_variables();

// What is wrong with an expression, with the place in it; "" when nothing is.
std::string expression_problem(const std::string& expression,
                               const std::vector<std::string>& variables);

// Ready to evaluate, for settings in x, y, z, t or the first of them. An expression without
// variables becomes its value.
Result<VaryingValue> compiled(const NumberOrExpression& setting);

}  // namespace firn
