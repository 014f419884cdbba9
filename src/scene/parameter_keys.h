// Parameters of a model as keys of a scene: numbers, or expressions by particle.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/describe.h"
#include "material/elastic.h"
#include "scene/varying.h"

namespace firn {

// A parameter that is an expression of phi, x, y, z, t and the scene's scalars.
struct ParameterExpression {
  std::string name, expression;
};

// Shows a visitor of scenes the numbers of describe() of a model with their expressions.
template <class V>
class ParameterKeys {
 public:
  ParameterKeys(V& visitor, std::vector<ParameterExpression>& expressions)
      : visitor_(visitor), expressions_(expressions) {}

  void number(const char* name, double& value, const NumberInfo& info) {
    const std::string key = name;
    const bool lame = key == "mu" || key == "lambda";
    // Lame's constants, which come first, leave nothing for the others to say.
    const bool replaced = lame_given_ && (key == "youngs_modulus" || key == "poisson_ratio");
    NumberOrExpression shown(replaced ? NAN : value, expression_of(key));
    visitor_.parameter(name, shown, info);
    if (replaced && shown.is_constant() && std::isnan(shown.value)) return;
    if (replaced) drop_lame();
    keep(key, shown.expression);
    if (shown.is_constant()) value = shown.value;
    if (lame) lame_[key == "lambda"] = &value;
    if (lame) lame_given_ = lame_given_ || !shown.is_constant() || info.contains(value);
  }
  void flag(const char* name, bool& value, const char* meaning) {
    visitor_.flag(name, value, meaning);
  }
  template <class E, class Names>
  void choice(const char* name, E& value, const Names& names, const char* meaning) {
    visitor_.choice(name, value, names, meaning);
  }

  // One of Lame's constants brings the other along, as the moduli before have it.
  template <class P>
  void complete(P& p) const {
    if constexpr (requires { p.given_mu; }) {
      if (!lame_given_) return;
      const double mu = p.mu(), lambda = p.lambda();
      p.given_mu = mu;
      p.given_lambda = lambda;
    }
  }

 private:
  // Another modulus was given now.
  void drop_lame() {
    for (double* modulus : lame_) *modulus = kNotGiven;
    for (const char* name : {"mu", "lambda"}) keep(name, "");
    lame_given_ = false;
  }
  std::string expression_of(const std::string& name) const {
    for (const ParameterExpression& entry : expressions_)
      if (entry.name == name) return entry.expression;
    return "";
  }
  void keep(const std::string& name, const std::string& expression) {
    const auto found =
        std::find_if(expressions_.begin(), expressions_.end(),
                     [&](const ParameterExpression& entry) { return entry.name == name; });
    if (found == expressions_.end()) {
      if (!expression.empty()) expressions_.push_back({name, expression});
    } else if (expression.empty()) {
      expressions_.erase(found);
    } else {
      found->expression = expression;
    }
  }

  V& visitor_;
  std::vector<ParameterExpression>& expressions_;
  bool lame_given_ = false;
  double* lame_[2] = {};
};

}  // namespace firn
