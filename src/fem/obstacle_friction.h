// Friction between nodes and obstacles within the objective. A node that is pressed against a body
// has an anchor, a point of the body; friction pulls it back to that, and the anchor follows what
// slides. The force that presses is found again after every solve (OPT applies friction afterwards;
// blocks that should rest then creep).
#pragma once

#include <vector>

#include "fem/body_at_end.h"
#include "fem/smooth_friction.h"

namespace firn {

template <int D>
class ObstacleFriction {
 public:
  void start(std::shared_ptr<const ColliderSet> obstacles);
  // A step of dt begins at x, in which contacts at rest may give way by `still` m; forces are those
  // of the last one until more is known.
  void begin_step(const double* x, double dt, double time, double still);
  bool rubs() const { return rubs_; }

  // Takes the forces that a solution needs. Gives by how much they changed, of all together.
  double update(const std::vector<ObstacleForce<D>>& forces);
  double energy(const double* x) const;
  void add_gradient(const double* x, double* g) const;  // N
  // f(node, matrix): second derivatives at x, N/m.
  template <class F>
  void for_blocks(const double* x, F&& f) const {
    for (const Rub& rub : rubs_of_step_)
      if (rub.limit > 0) f(rub.node, block(rub, x));
  }
  // What bodies gave to nodes in the solution x, N.
  template <class F>
  void for_forces(const double* x, F&& f) const {
    for (const Rub& rub : rubs_of_step_)
      if (rub.limit > 0) f(rub.node, rub.collider, pull(rub, x));
  }
  // Anchors follow what slid; contacts that bear nothing are forgotten.
  void end_step(const double* x);

  std::vector<double> save() const;
  bool load(const std::vector<double>& state, std::size_t nodes);

 private:
  using V = Vec<double, D>;
  struct Rub {
    std::uint32_t node;
    int collider;
    Vec3d point;  // of the body: the anchor
    V anchor;     // at the end of the step, m
    V normal;
    double force;  // that presses, N
    double limit;  // of friction, N
  };
  V slide(const Rub& rub, const double* x) const;
  V pull(const Rub& rub, const double* x) const;
  Mat<double, D> block(const Rub& rub, const double* x) const;
  double coefficient(int collider, const Vec3d& x) const;
  void place(Rub& rub) const;

  std::shared_ptr<const ColliderSet> obstacles_;
  SmoothFriction law_;
  bool rubs_ = false;
  double dt_ = 0, time_ = 0;
  const double* before_ = nullptr;  // places at the start of the step
  std::vector<Rub> rubs_of_step_;   // by node, then collider
};

}  // namespace firn
