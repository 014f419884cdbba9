// One program for many sets of variables: each instruction is read once for a whole batch.
#pragma once

#include <algorithm>

#include "expr/program.h"

namespace firn {

inline constexpr int kBatch = 64;

// values[i] = evaluate(program, {variables[0][i], variables[1][i], ...}) for i < count <= kBatch.
// Variables that the program does not name may be null.
inline void evaluate_batch(const Program& program, const double* const* variables, int count,
                           double* values) {
  double stack[Program::kMaxStack][kBatch];
  int top = -1;
  for (int k = 0; k < program.length; ++k) {
    const Instruction in = program.code[k];
    const int arity = arity_of(in.op);
    top += 1 - arity;
    double* const a = stack[top];
    if (arity == 0 && in.op == Op::constant) {
      std::fill(a, a + count, program.constants[in.index]);
    } else if (arity == 0) {
      std::copy(variables[in.index], variables[in.index] + count, a);
    } else if (arity == 1) {
      for (int i = 0; i < count; ++i) a[i] = detail::apply(in.op, a[i]);
    } else if (arity == 2) {
      const double* const b = stack[top + 1];
      // What most expressions are made of runs as vectors.
      if (in.op == Op::multiply)
        for (int i = 0; i < count; ++i) a[i] *= b[i];
      else if (in.op == Op::add)
        for (int i = 0; i < count; ++i) a[i] += b[i];
      else if (in.op == Op::subtract)
        for (int i = 0; i < count; ++i) a[i] -= b[i];
      else
        for (int i = 0; i < count; ++i) a[i] = detail::apply(in.op, a[i], b[i]);
    } else {
      const double *const b = stack[top + 1], *const c = stack[top + 2];
      for (int i = 0; i < count; ++i) a[i] = detail::apply(in.op, a[i], b[i], c[i]);
    }
  }
  if (top < 0)
    std::fill(values, values + count, 0.0);
  else
    std::copy(stack[top], stack[top] + count, values);
}

}  // namespace firn
