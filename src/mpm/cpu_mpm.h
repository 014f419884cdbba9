// Explicit MPM on the CPU, as a world sees it.
#pragma once

#include "mpm/solver.h"
#include "solver/solver.h"

namespace firn {

template <class T, int D>
class CpuMpm final : public Solver<T, D> {
 public:
  CpuMpm(const MpmSettings& settings, const Surroundings& around, Particles<T, D> particles);

  Result<StepReport> start(const std::vector<bool>& estimate_volume) override;
  Errors resume(const StateImage& image) override;
  void save(StateImage& image) const override;
  StepRule step_rule(const std::vector<double>& least_density) const override;
  Result<StretchResult> run(const Stretch& stretch) override;
  const Particles<T, D>& particles() const override { return state_; }
  Errors kick(const std::vector<Vec3d>& kicks) override;
  Result<std::vector<double>> volume_around(const std::vector<Vec3d>& points,
                                            double radius) override;
  Errors exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                  StepReport& report) override;
  std::vector<std::uint64_t> transition_counts() const override { return changed_; }
  std::size_t bytes() const override { return solver_.bytes(state_); }
  double bytes_moved_per_step() const override { return solver_.bytes_moved(state_); }

  // For the same method elsewhere.
  MpmSolver<T, D>& method() { return solver_; }
  MpmState<T, D>& state() { return state_; }
  // Looks at transitions now. What the changed particles do to the next dt goes into `report`;
  // gives the least density by set, or nothing where none changed.
  std::vector<double> change_materials(double time, StepReport& report);

 private:
  // Gravity at the middle of a step; zero where it varies in space, and the field has it.
  Vec3d gravity_at(double time);

  bool load_counts(const StateImage& image);

  Surroundings around_;
  std::vector<std::uint64_t> changed_;  // by transition of the scene
  MpmSolver<T, D> solver_;
  MpmState<T, D> state_;
  GravityField gravity_;
};

}  // namespace firn
