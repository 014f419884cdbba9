// The expression language:
//   numbers, the variables of the place, pi, e
//   + - * / ^ (power, right to left, before the sign: -2^2 = -4), parentheses
//   < <= > >= == != && || ! (true is 1, false 0; what is not 0 is true), a ? b : c
//   sin cos tan asin acos atan(x) atan2(y, x) (radians), sqrt exp log (natural) abs floor ceil
//   min max (two or more), clamp(x, low, high), pow(x, y), mod(x, y) (has the sign of y)
//   step(edge, x), smoothstep(low, high, x), length(x, y[, z])
//   noise(x[, y[, z]]): smooth, in [-1, 1], features of size 1
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/program.h"

namespace firn {

// The program of `text`, or one line "at character N: what is wrong".
Result<Program> parse_expression(std::string_view text, const std::vector<std::string>& variables);

}  // namespace firn
