// Obstacles that push back what gets into them, for shapes that are sampled (OPT 2.4.2): energy
// -k phi^3 of a node at phi < 0, with the derivatives of the distance as it is interpolated, found
// by differences within it.
#pragma once

#include <memory>
#include <vector>

#include "fem/body_at_end.h"

namespace firn {

template <int D>
class ObstaclePenalty {
 public:
  // `stiffness`: k of each node, N/m^2; `edge` of the mesh.
  void start(std::shared_ptr<const ColliderSet> obstacles, const std::vector<bool>& as_constraint,
             std::vector<double> stiffness, double edge);
  bool any() const { return !bodies_.empty(); }

  // Looks at all nodes at x; what follows is of these places.
  void meet(const double* x);
  double energy() const;
  void add_gradient(double* g) const;
  template <class F>
  void for_blocks(F&& f) const {
    for (const Hit& hit : hits_) f(hit.node, block(hit));
  }
  std::vector<ObstacleForce<D>> forces() const;
  double deepest() const;  // m
  // All of them so many times as stiff, from now on.
  void stiffen(double factor) { factor_ *= factor; }
  double factor() const { return factor_; }
  void set_factor(double factor) { factor_ = factor; }

 private:
  using V = Vec<double, D>;
  struct Hit {
    std::uint32_t node;
    int collider;
    double phi;
    V slope, place;
  };
  V slope_at(int collider, const V& x) const;
  Mat<double, D> block(const Hit& hit) const;
  double k_of(const Hit& hit) const { return factor_ * stiffness_[hit.node]; }

  std::shared_ptr<const ColliderSet> obstacles_;
  std::vector<int> bodies_;
  std::vector<double> stiffness_;
  double probe_ = 1e-6, factor_ = 1;
  std::vector<Hit> hits_;
};

}  // namespace firn
