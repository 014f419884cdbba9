// Preconditioned conjugate gradients, for operators that are positive definite in the space's
// product.
#pragma once

#include "solvers/krylov.h"

namespace firn {

// What to do at a direction that is flat or bends down.
enum class AtIndefinite {
  carry_on,  // as if nothing were; for systems that are known to be definite
  stop,      // OPT 2.2: ends with what it has, or, started from zero, with the first direction
  follow,    // ends after a step along it, as long as if it bent up as much
};

struct CgSettings : KrylovSettings {
  AtIndefinite at_indefinite = AtIndefinite::carry_on;
  double flat = 1e-12;  // of p.Ap / |p| |Ap|; vectors of float need about 1e-6
};

// Vectors that a solve works in, whatever they held. Started from zero, `r` may be the right-hand
// side.
template <class Vector>
struct CgRoom {
  Vector &r, &z, &p, &ap;
};

template <VectorSpace Space, class Operator, class Preconditioner>
class ConjugateGradient {
  using Vector = typename Space::Vector;

 public:
  ConjugateGradient(const Space& space, Operator& apply, Preconditioner& precondition,
                    const CgSettings& settings, const CgRoom<Vector>& room)
      : space_(space),
        apply_(apply),
        precondition_(precondition),
        settings_(settings),
        r_(room.r),
        z_(room.z),
        p_(room.p),
        ap_(room.ap) {}

  KrylovReport solve(const Vector& b, Vector& x) {
    if (&b != &r_) residual_of(space_, apply_, b, x, settings_.from_zero, r_);
    double rr = space_.dot(r_, r_);
    const double scale = residual_scale(space_.dot(b, b), rr);
    double rz = 0;
    KrylovReport report;
    while (!ends_here(report, settings_, rr, scale)) {
      precondition_(r_, z_);
      const double rz_before = rz;
      rz = space_.dot(r_, z_);
      const double beta = report.iterations == 0 ? 0 : rz / rz_before;
      if (!std::isfinite(beta) || !usable(rz)) return stopped(report, KrylovStop::breakdown);
      if (report.iterations == 0)
        space_.copy(z_, p_);
      else
        space_.combine(1, z_, beta, p_);
      apply_(p_, ap_);
      const Products along_p = products_along_p();
      const double p_ap = along_p.ab;
      if (!std::isfinite(p_ap)) return stopped(report, KrylovStop::breakdown);
      const Bend bend = bend_along_p(along_p);
      if (bend != Bend::up) {
        end_at(bend, std::abs(rz / p_ap), report.iterations == 0, x);
        return stopped(report, KrylovStop::indefinite);
      }
      const double alpha = rz / p_ap;
      if (!usable(alpha)) return stopped(report, KrylovStop::breakdown);
      space_.combine(alpha, p_, 1, x);
      space_.combine(-alpha, ap_, 1, r_);
      rr = space_.dot(r_, r_);
      ++report.iterations;
    }
    return report;
  }

 private:
  Products products_along_p() const {
    if (settings_.at_indefinite == AtIndefinite::carry_on) return {0, space_.dot(p_, ap_), 0};
    if constexpr (requires { space_.products(p_, ap_); })
      return space_.products(p_, ap_);
    else
      return {space_.dot(p_, p_), space_.dot(p_, ap_), space_.dot(ap_, ap_)};
  }
  Bend bend_along_p(const Products& p) const {
    if (settings_.at_indefinite == AtIndefinite::carry_on) return Bend::up;
    return bend_of(p.ab, p.aa, p.bb, settings_.flat);
  }
  void end_at(Bend bend, double alpha, bool first, Vector& x) const {
    if (settings_.at_indefinite == AtIndefinite::follow && bend == Bend::down && usable(alpha))
      space_.combine(alpha, p_, 1, x);
    else if (first && settings_.from_zero)
      space_.copy(p_, x);
  }
  static KrylovReport stopped(KrylovReport report, KrylovStop why) {
    report.stop = why;
    return report;
  }

  const Space& space_;
  Operator& apply_;
  Preconditioner& precondition_;
  const CgSettings& settings_;
  Vector &r_, &z_, &p_, &ap_;
};

template <VectorSpace Space, class Operator, class Preconditioner>
KrylovReport conjugate_gradient(const Space& space, Operator&& apply, Preconditioner&& precondition,
                                const typename Space::Vector& b, typename Space::Vector& x,
                                const CgSettings& settings,
                                const CgRoom<typename Space::Vector>& room) {
  return ConjugateGradient(space, apply, precondition, settings, room).solve(b, x);
}

template <VectorSpace Space, class Operator, class Preconditioner>
KrylovReport conjugate_gradient(const Space& space, Operator&& apply, Preconditioner&& precondition,
                                const typename Space::Vector& b, typename Space::Vector& x,
                                const CgSettings& settings) {
  auto r = space.make(), z = space.make(), p = space.make(), ap = space.make();
  return conjugate_gradient(space, apply, precondition, b, x, settings, {r, z, p, ap});
}

}  // namespace firn
