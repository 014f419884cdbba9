// Settings that are a number or an expression.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/vec.h"
#include "expr/varying.h"

namespace firn {

// An expression when `expression` is not empty; in which variables, the place says.
struct NumberOrExpression {
  double value = 0;
  std::string expression;

  NumberOrExpression(double number = 0, std::string text = "")
      : value(number), expression(std::move(text)) {}
  bool is_constant() const { return expression.empty(); }
  bool operator==(const NumberOrExpression&) const = default;
};

using VaryingVector = std::array<NumberOrExpression, 3>;

// x, y, z (m), t (s); and the first three alone.
const std::vector<std::string>& space_time_variables();
const std::vector<std::string>& space_variables();

// What is wrong with an expression, with the place in it; "" when nothing is.
std::string expression_problem(const std::string& expression,
                               const std::vector<std::string>& variables);

// Ready to evaluate, for settings in x, y, z, t or the first of them. An expression without
// variables becomes its value.
Result<VaryingValue> compiled(const NumberOrExpression& setting);

// A vector ready to evaluate; a component that does not parse is 0 (readers refuse those).
struct VaryingField {
  VaryingValue component[3];

  explicit VaryingField(const VaryingVector& settings);
  Vec3d at(const Vec3d& x, double t) const;
  bool varies_in_space() const;
  bool varies_in_time() const;
};

bool is_finite(const Vec3d& v);
// "(0.5, 1, 0)", for messages.
std::string place_text(const Vec3d& x);

}  // namespace firn
