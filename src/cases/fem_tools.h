// Meshed solids in their solver alone, without a scene around them: what its cases share.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cases/case_tools.h"
#include "fem/fem_solver.h"
#include "geometry/simplex_mesh.h"

namespace firn {

// A box from the origin, of so many cells along its axes: five tetrahedra a cube, two triangles a
// square.
template <int D>
FemBody<D> fem_block(const Vec<double, D>& size, double edge, int order, double density = 1000);
// Any mesh.
template <int D>
FemBody<D> fem_body_of(const SimplexMesh<D>& mesh, int order, double density = 1000);

FemSettings fem_settings(double tolerance, TimeScheme scheme = TimeScheme::backward_euler);

// Everything within a box, corner to corner, held or moved with `motion`.
Collider fem_pin(const Vec3d& low, const Vec3d& high, int owner = 0);
// Solid below y = 0.
Collider fem_floor(double friction, int owner = 0);
// To pass through two poses at two times, straight between them.
std::shared_ptr<const BodyMotion> fem_motion(const KeyPose& from, const KeyPose& to);

template <int D>
class FemRun {
 public:
  using Point = Vec<double, D>;

  FemRun(const FemSettings& settings, std::vector<FemBody<D>> bodies,
         const ModelParameters& material, ColliderSet obstacles = {});

  // Starts again; functions of a node's number.
  void start(const std::function<Point(std::size_t)>& place,
             const std::function<Point(std::size_t)>& velocity);
  // One step, taken even where it misses its tolerance.
  StepReport step(double dt);

  std::size_t nodes() const { return solver.model().nodes(); }
  double mass(std::size_t node) const { return solver.model().mass[node]; }
  Point rest(std::size_t node) const { return point(solver.model().rest, node); }
  Point place(std::size_t node) const { return point(solver.places(), node); }
  Point velocity(std::size_t node) const { return point(solver.velocities(), node); }
  Point momentum() const;
  double kinetic() const;
  double energy() const { return kinetic() + solver.elastic_energy(); }
  // Force that an obstacle got in the last step, N, and its torque.
  Vec3d force_on(int owner) const { return solver.impulses()[std::size_t(owner)].linear * -by_dt_; }
  Vec3d torque_on(int owner) const {
    return solver.impulses()[std::size_t(owner)].angular * -by_dt_;
  }
  // Mean by mass of what nodes are moved by, of those that `which` says.
  Point mean_way(const std::function<bool(const Point& rest)>& which) const;
  // Cells that are turned inside out or flat.
  std::size_t inverted() const;

 private:
  std::shared_ptr<ColliderSet> obstacles_;
  double by_dt_ = 0;
  template <class List>
  Point point(const List& list, std::size_t node) const {
    Point p;
    for (int a = 0; a < D; ++a) p[a] = list[node * D + std::size_t(a)];
    return p;
  }

 public:
  FemSolver<D> solver;
  VaryingValue gravity[3];
  double time = 0;
};

extern template class FemRun<2>;
extern template class FemRun<3>;

}  // namespace firn
