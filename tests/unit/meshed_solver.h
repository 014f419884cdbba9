// The ballistic solver with cells between its first particles: a tetrahedron of the first four and
// a sheet of two triangles of the next four, which fly with them.
#pragma once

#include "ballistic_solver.h"

namespace firn {

template <class T, int D>
class MeshedSolver final : public BallisticSolver<T, D> {
 public:
  using BallisticSolver<T, D>::BallisticSolver;

  std::vector<SolverMesh> meshes() const override {
    SolverMesh solid{"solid", {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, {0, 1, 2, 3}, {}};
    solid.values.count = 1;
    solid.values.add<float>("von_mises")[0] = 5;
    SolverMesh sheet{"sheet", {4, 5, 6, 4, 6, 7}, {}, {}};
    sheet.values.count = 2;
    sheet.values.add<float>("strain") = {1, 2};
    return {solid, sheet};
  }
};

class MeshedMaker final : public SolverMakerOf<MeshedMaker> {
 public:
  ParticlePlan plan(const SceneSettings& scene) const override {
    return BallisticMaker().plan(scene);
  }
  template <class T, int D>
  static Made<T, D> make_one(const SceneSettings& scene, const Surroundings& around,
                             Particles<T, D> particles, Device) {
    std::unique_ptr<Solver<T, D>> made = std::make_unique<MeshedSolver<T, D>>(
        around, scene.integrator.explicit_max_dt, std::move(particles));
    return made;
  }
};

// The first eight points of a scene for it, as a table of points: a tetrahedron with a right angle
// and sides of 1 m, and a square of 1 m beside it.
inline constexpr const char* kMeshedPoints =
    "x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n2,0,0\n3,0,0\n3,1,0\n2,1,0\n";

}  // namespace firn
