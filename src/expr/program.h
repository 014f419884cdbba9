// A parsed expression: a flat program for a stack machine, plain data of fixed size that can be
// copied to a device, and the one function that runs it.
#pragma once

#include <cmath>
#include <cstdint>

#include "expr/noise.h"

namespace firn {

// In groups by the number of operands, which arity_of relies on.
enum class Op : std::uint8_t {
  constant,
  variable,
  negate,
  logical_not,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sqrt,
  exp,
  log,
  abs,
  floor,
  ceil,
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  atan2,
  min,
  max,
  mod,
  step,
  length2,
  select,
  clamp,
  smoothstep,
  length3,
  noise,
};

FIRN_INLINE int arity_of(Op op) {
  return op <= Op::variable ? 0 : op <= Op::ceil ? 1 : op <= Op::length2 ? 2 : 3;
}

struct Instruction {
  Op op;
  std::uint8_t index;  // of a constant or variable
};

struct Program {
  static constexpr int kMaxInstructions = 512;
  static constexpr int kMaxConstants = 128;
  static constexpr int kMaxStack = 32;

  Instruction code[kMaxInstructions];
  double constants[kMaxConstants];
  std::int32_t length;
  std::int32_t constant_count;
};

namespace detail {

template <class T>
FIRN_INLINE T apply(Op op, T a) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::logical_not:
      return a == T(0) ? T(1) : T(0);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::abs:
      return std::fabs(a);
    case Op::floor:
      return std::floor(a);
    default:
      return std::ceil(a);
  }
}

template <class T>
FIRN_INLINE T apply(Op op, T a, T b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::less:
      return T(a < b);
    case Op::less_equal:
      return T(a <= b);
    case Op::greater:
      return T(a > b);
    case Op::greater_equal:
      return T(a >= b);
    case Op::equal:
      return T(a == b);
    case Op::not_equal:
      return T(a != b);
    case Op::logical_and:
      return T(a != T(0) && b != T(0));
    case Op::logical_or:
      return T(a != T(0) || b != T(0));
    case Op::atan2:
      return std::atan2(a, b);
    case Op::min:
      return b < a ? b : a;
    case Op::max:
      return a < b ? b : a;
    case Op::mod:
      return a - b * std::floor(a / b);
    case Op::step:
      return T(b >= a);
    default:
      return std::sqrt(a * a + b * b);
  }
}

template <class T>
FIRN_INLINE T apply(Op op, T a, T b, T c) {
  switch (op) {
    case Op::select:
      return a != T(0) ? b : c;
    case Op::clamp:
      return a < b ? b : a > c ? c : a;
    case Op::smoothstep: {
      const T s = (c - a) / (b - a), t = s < T(0) ? T(0) : s > T(1) ? T(1) : s;
      return t * t * (T(3) - T(2) * t);
    }
    case Op::length3:
      return std::sqrt(a * a + b * b + c * c);
    default:
      return gradient_noise(a, b, c);
  }
}

}  // namespace detail

// Value of the expression; `variables` in the order of the names given to the parser. Both branches
// of a condition are computed, and IEEE rules hold: 1/0 is infinite, log(-1) not a number.
template <class T>
FIRN_HD_CALL T evaluate(const Program& program, const T* variables) {
  T stack[Program::kMaxStack];
  int top = -1;
  for (int i = 0; i < program.length; ++i) {
    const Instruction in = program.code[i];
    switch (arity_of(in.op)) {
      case 0:
        stack[++top] = in.op == Op::constant ? T(program.constants[in.index]) : variables[in.index];
        break;
      case 1:
        stack[top] = detail::apply(in.op, stack[top]);
        break;
      case 2:
        --top;
        stack[top] = detail::apply(in.op, stack[top], stack[top + 1]);
        break;
      default:
        top -= 2;
        stack[top] = detail::apply(in.op, stack[top], stack[top + 1], stack[top + 2]);
    }
  }
  return top < 0 ? T(0) : stack[top];
}

// Whether the value can change with the variable of that number.
inline bool depends_on(const Program& program, int variable) {
  for (int i = 0; i < program.length; ++i)
    if (program.code[i].op == Op::variable && program.code[i].index == variable) return true;
  return false;
}

}  // namespace firn
