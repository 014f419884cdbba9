// What the solvers ask of vectors. A space makes them, adds them and has the inner product; where
// they live (threads, a device) and what they mean is the space's own matter.
//
//   Vector make()                                 a vector of zeros
//   void copy(const Vector& from, Vector& to)
//   void combine(double a, const Vector& x, double b, Vector& y)      y = a x + b y
//   void scale(double a, Vector& y)               y = a y
//   double dot(const Vector& a, const Vector& b)
//
// The product decides what is symmetric: conjugate gradients, conjugate residuals and MINRES need
// operators and preconditioners that are self-adjoint in it. For velocities of nodes with masses
// that is sum m a.b, in which M^-1 K is self-adjoint though its matrix is not symmetric.
// Operators and preconditioners are callables (const Vector& in, Vector& out).
#pragma once

#include <concepts>
#include <functional>

namespace firn {

// |a|^2, a.b and |b|^2.
struct Products {
  double aa = 0, ab = 0, bb = 0;
};

template <class S>
concept VectorSpace = requires(const S space, const typename S::Vector& from,
                               typename S::Vector& to) {
  { space.make() } -> std::same_as<typename S::Vector>;
  space.copy(from, to);
  space.combine(1.0, from, 1.0, to);
  space.scale(1.0, to);
  { space.dot(from, from) } -> std::convertible_to<double>;
};

// Asked once an iteration; true ends a solve with what it has. Empty: never.
using Cancelled = std::function<bool()>;

inline bool asks_to_stop(const Cancelled& cancelled) {
  return cancelled && cancelled();
}

// The preconditioner that changes nothing.
template <VectorSpace Space>
auto no_preconditioner(const Space& space) {
  return [&space](const typename Space::Vector& in, typename Space::Vector& out) {
    space.copy(in, out);
  };
}

// r = b - A x, without asking the operator where x is zero.
template <VectorSpace Space, class Operator>
void residual_of(const Space& space, Operator&& apply, const typename Space::Vector& b,
                 const typename Space::Vector& x, bool x_is_zero, typename Space::Vector& r) {
  if (x_is_zero) {
    space.copy(b, r);
    return;
  }
  apply(x, r);
  space.combine(1, b, -1, r);
}

}  // namespace firn
