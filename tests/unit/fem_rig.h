// A body in the solver of meshed solids, without a scene around it.
#pragma once

#include <memory>
#include <vector>

#include "fem/fem_solver.h"
#include "fem_common.h"

namespace firn {

template <int D>
struct Rig {
  Rig(const FemSettings& settings, const FemBody<D>& body, const ModelParameters& material,
      double gravity = 0, std::vector<Collider> obstacles = {})
      : solver(settings, FemModel<D>({body}, {material}),
               std::make_shared<const ColliderSet>(std::move(obstacles)),
               std::make_shared<Timers>()) {
    field[1].value = gravity;
    Buffer<double> x(solver.model().nodes() * D), v(x.size());
    std::copy(solver.model().rest.begin(), solver.model().rest.end(), x.data());
    v.fill(0);
    solver.start(x, v);
  }
  // Starts again with the nodes elsewhere, v = velocity(node, axis).
  template <class Place, class Speed>
  void start(Place&& place, Speed&& speed) {
    Buffer<double> x(solver.model().nodes() * D), v(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] = place(k / D, static_cast<int>(k % D));
      v[k] = speed(k / D, static_cast<int>(k % D));
    }
    solver.start(std::move(x), std::move(v));
  }
  StepReport step(double dt) {
    FemStepInput in;
    in.dt = dt;
    in.time = time;
    in.gravity = field;
    const StepReport report = solver.step(in);
    time += dt;
    return report;
  }
  double rest(std::size_t node, int axis) const {
    return solver.model().rest[node * D + static_cast<std::size_t>(axis)];
  }
  Vec<double, D> momentum() const {
    Vec<double, D> sum = Vec<double, D>::zero();
    for (std::size_t i = 0; i < solver.model().nodes(); ++i)
      for (int a = 0; a < D; ++a)
        sum[a] += solver.model().mass[i] * solver.velocities()[i * D + std::size_t(a)];
    return sum;
  }

  FemSolver<D> solver;
  VaryingValue field[3];
  double time = 0;
};

inline FemSettings tight(TimeScheme scheme = TimeScheme::backward_euler) {
  FemSettings settings;
  settings.scheme = scheme;
  settings.tolerance = 1e-9;
  return settings;
}

inline ModelParameters rubber(double modulus, double poisson_ratio = 0.3) {
  FixedCorotated::Parameters p;
  p.youngs_modulus = modulus;
  p.poisson_ratio = poisson_ratio;
  return p;
}

inline FemBody<3> cube(int cells, int order = 1, double size = 1) {
  return body_of<3>(cut_cubes<3>({cells, cells, cells}, size / cells), order);
}

}  // namespace firn
