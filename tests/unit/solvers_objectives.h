// Objectives for tests of the minimizer.
#pragma once

#include <cmath>
#include <limits>

#include "solvers/minimize.h"
#include "solvers_common.h"

namespace firn::testing {

// Hessians are stored when they are asked for.
template <class Derived>
class DenseProblem : public ProblemDefaults<Space> {
 public:
  explicit DenseProblem(const Space& space) : ProblemDefaults(space), hessian_{space.size()} {}

  double objective(const Vector& x) { return self().value(x); }
  void linearize(const Vector& x, Curvature kind) { self().fill_hessian(x, kind, hessian_); }
  void hessian(const Vector& d, Vector& out) { hessian_(d, out); }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }

  Matrix hessian_;
};

// 100 (y - x^2)^2 + (1 - x)^2 + offset, at its least in (1, 1).
class Rosenbrock : public DenseProblem<Rosenbrock> {
 public:
  using DenseProblem::DenseProblem;
  double offset = 0;

  double value(const Vector& x) const {
    const double a = x[1] - x[0] * x[0], b = 1 - x[0];
    return 100 * a * a + b * b + offset;
  }
  void gradient(const Vector& x, Vector& g) const {
    const double a = x[1] - x[0] * x[0];
    g[0] = -400 * x[0] * a - 2 * (1 - x[0]);
    g[1] = 200 * a;
  }
  void fill_hessian(const Vector& x, Curvature, Matrix& h) const {
    h(0, 0) = 1200 * x[0] * x[0] - 400 * x[1] + 2;
    h(0, 1) = h(1, 0) = -400 * x[0];
    h(1, 1) = 200;
  }
};

// x.A x / 2 - b.x
class Quadratic : public DenseProblem<Quadratic> {
 public:
  Quadratic(const Space& space, Matrix a, Vector b)
      : DenseProblem(space), a_(std::move(a)), b_(std::move(b)) {}

  double value(const Vector& x) const { return space_.dot(x, a_.times(x)) / 2 - space_.dot(b_, x); }
  void gradient(const Vector& x, Vector& g) const {
    a_(x, g);
    space_.combine(-1, b_, 1, g);
  }
  void fill_hessian(const Vector&, Curvature, Matrix& h) const { h = a_; }

 private:
  Matrix a_;
  Vector b_;
};

// Sum of (x_i^2 - 1)^2 / 4 - tilt x_i: concave around zero.
class DoubleWell : public DenseProblem<DoubleWell> {
 public:
  using DenseProblem::DenseProblem;
  double tilt = 0.01;

  double value(const Vector& x) const {
    double sum = 0;
    for (const double v : x) sum += (v * v - 1) * (v * v - 1) / 4 - tilt * v;
    return sum;
  }
  void gradient(const Vector& x, Vector& g) const {
    for (std::size_t i = 0; i < x.size(); ++i) g[i] = x[i] * (x[i] * x[i] - 1) - tilt;
  }
  void fill_hessian(const Vector& x, Curvature kind, Matrix& h) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double bend = 3 * x[i] * x[i] - 1;
      h(i, i) = kind == Curvature::definite ? std::max(bend, 0.1) : bend;
    }
  }
};

// sum x_i c_i - log(x_i), at its least in 1 / c_i; not a number below zero.
class Barrier : public DenseProblem<Barrier> {
 public:
  Barrier(const Space& space, Vector c) : DenseProblem(space), c_(std::move(c)) {}

  double value(const Vector& x) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += c_[i] * x[i] - std::log(x[i]);
    return sum;
  }
  void gradient(const Vector& x, Vector& g) const {
    for (std::size_t i = 0; i < x.size(); ++i) g[i] = c_[i] - 1 / x[i];
  }
  void fill_hessian(const Vector& x, Curvature, Matrix& h) const {
    for (std::size_t i = 0; i < x.size(); ++i) h(i, i) = 1 / (x[i] * x[i]);
  }

 private:
  Vector c_;
};

// A chain of stiff springs in the plane, pushed together at its ends far beyond what it bears
// straight; every point has a mass and one step of time to move.
class PushedChain : public DenseProblem<PushedChain> {
 public:
  PushedChain(const Space& space, double stiffness, double squeeze)
      : DenseProblem(space), stiffness_(stiffness), squeeze_(squeeze) {}

  // Straight, but for a trace of noise.
  Vector start() const {
    Vector x = random_vector(space_.size(), 3);
    for (std::size_t p = 0; p < points(); ++p) {
      x[2 * p] = rest(p) + 1e-6 * x[2 * p];
      x[2 * p + 1] *= 1e-6;
    }
    return x;
  }
  double value(const Vector& x) const {
    double sum = 0;
    for (std::size_t p = 0; p < points(); ++p)
      sum += (std::pow(x[2 * p] - rest(p), 2) + std::pow(x[2 * p + 1], 2)) / 2;
    for (std::size_t s = 0; s <= points(); ++s) {
      const double stretch = spring(x, s).length - kLength;
      sum += stiffness_ * stretch * stretch / 2;
    }
    return sum;
  }
  void gradient(const Vector& x, Vector& g) const {
    for (std::size_t p = 0; p < points(); ++p) {
      g[2 * p] = x[2 * p] - rest(p);
      g[2 * p + 1] = x[2 * p + 1];
    }
    for (std::size_t s = 0; s <= points(); ++s) {
      const Spring at = spring(x, s);
      const double pull = stiffness_ * (1 - kLength / at.length);
      for (std::size_t a = 0; a < 2; ++a) {
        if (s > 0) g[2 * (s - 1) + a] -= pull * at.along[a];
        if (s < points()) g[2 * s + a] += pull * at.along[a];
      }
    }
  }
  void fill_hessian(const Vector& x, Curvature, Matrix& h) const {
    h = Matrix{x.size()};
    for (std::size_t i = 0; i < x.size(); ++i) h(i, i) = 1;
    for (std::size_t s = 0; s <= points(); ++s) add_spring(spring(x, s), s, h);
  }

 private:
  static constexpr double kLength = 1;
  struct Spring {
    double along[2], length;
  };

  std::size_t points() const { return space_.size() / 2; }
  double rest(std::size_t p) const { return squeeze_ * static_cast<double>(p + 1); }
  // From point s - 1 to s; the ends are held.
  Spring spring(const Vector& x, std::size_t s) const {
    const double from[2] = {s > 0 ? x[2 * s - 2] : 0, s > 0 ? x[2 * s - 1] : 0};
    const bool last = s == points();
    const double to[2] = {last ? rest(s) : x[2 * s], last ? 0 : x[2 * s + 1]};
    Spring result{{to[0] - from[0], to[1] - from[1]}, 0};
    result.length = std::hypot(result.along[0], result.along[1]);
    return result;
  }
  void add_spring(const Spring& at, std::size_t s, Matrix& h) const {
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = 0; b < 2; ++b) {
        const double nn = at.along[a] * at.along[b] / (at.length * at.length);
        const double k = stiffness_ * (nn + (1 - kLength / at.length) * ((a == b ? 1 : 0) - nn));
        if (s > 0) h(2 * s - 2 + a, 2 * s - 2 + b) += k;
        if (s < points()) h(2 * s + a, 2 * s + b) += k;
        if (s > 0 && s < points()) {
          h(2 * s - 2 + a, 2 * s + b) -= k;
          h(2 * s + a, 2 * s - 2 + b) -= k;
        }
      }
  }

  double stiffness_, squeeze_;
};

}  // namespace firn::testing
