// Meshed solids as a world sees them. The solver's own numbers are doubles; particles, the nodes of
// meshes, show them.
#pragma once

#include "fem/fem_solver.h"
#include "solver/solver.h"

namespace firn {

template <class T, int D>
class CpuFem final : public Solver<T, D> {
 public:
  // `bodies` is not empty and has no FemModel::problem.
  CpuFem(const FemSettings& settings, std::vector<FemBody<D>> bodies, const Surroundings& around,
         Particles<T, D> particles);

  Result<StepReport> start(const std::vector<bool>& estimate_volume) override;
  Errors resume(const StateImage& image) override;
  void save(StateImage& image) const override { solver_.save(image); }
  StepRule step_rule(const std::vector<double>& least_density) const override;
  Result<StretchResult> run(const Stretch& stretch) override;
  const Particles<T, D>& particles() const override { return all_; }
  std::vector<SolverMesh> meshes() const override;
  std::optional<double> elastic_energy() const override { return solver_.elastic_energy(); }
  Errors kick(const std::vector<Vec3d>& kicks) override;
  Result<std::vector<double>> volume_around(const std::vector<Vec3d>& points,
                                            double radius) override;
  // Scenes of meshed solids have neither emitters nor sinks.
  Errors exchange(ParticleTraffic<T, D>&, RemovedParticles&, StepReport&) override { return {}; }
  std::size_t bytes() const override;
  FemSolver<D>& method() { return solver_; }

 private:
  // To the columns of the particles; false where one is too far away.
  bool show_nodes();
  // Deformation and stress, where particles have such columns.
  void show_values();
  void push(const Stretch& stretch);

  Surroundings around_;
  Particles<T, D> all_;
  FemSolver<D> solver_;
};

}  // namespace firn
