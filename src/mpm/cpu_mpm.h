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
  std::size_t bytes() const override { return solver_.bytes(state_); }
  double bytes_moved_per_step() const override { return solver_.bytes_moved(state_); }

  // For the same method elsewhere.
  MpmSolver<T, D>& method() { return solver_; }
  MpmState<T, D>& state() { return state_; }

 private:
  // Gravity at the middle of a step; zero where it varies in space, and the field has it.
  Vec3d gravity_at(double time);

  Surroundings around_;
  MpmSolver<T, D> solver_;
  MpmState<T, D> state_;
  GravityField gravity_;
};

}  // namespace firn
