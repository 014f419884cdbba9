// A number that may vary in space and time: a constant, or a program in x, y, z (m) and t (s).
#pragma once

#include "base/vec.h"
#include "expr/program.h"

namespace firn {

struct VaryingValue {
  static constexpr int kTime = 3;  // number of the variable t

  double value = 0;  // where there is no program
  bool has_program = false;
  Program program{};

  FIRN_HD double at(const Vec3d& x, double t) const {
    if (!has_program) return value;
    const double variables[4] = {x[0], x[1], x[2], t};
    return evaluate(program, variables);
  }

  bool varies_in_space() const {
    return has_program &&
           (depends_on(program, 0) || depends_on(program, 1) || depends_on(program, 2));
  }
  bool varies_in_time() const { return has_program && depends_on(program, kTime); }
};

}  // namespace firn
