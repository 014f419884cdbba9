// Granular SPH on the CPU, as a world sees it.
#pragma once

#include "solver/solver.h"
#include "sph/sph_solver.h"

namespace firn {

template <class T, int D>
class CpuSph final : public Solver<T, D> {
 public:
  CpuSph(const SphSettings& settings, const Surroundings& around, Particles<T, D> particles);

  Result<StepReport> start(const std::vector<bool>& estimate_volume) override;
  Errors resume(const StateImage& image) override;
  void save(StateImage& image) const override;
  StepRule step_rule(const std::vector<double>& least_density) const override;
  Result<StretchResult> run(const Stretch& stretch) override;
  const Particles<T, D>& particles() const override { return state_.all; }
  Errors kick(const std::vector<Vec3d>& kicks) override;
  Result<std::vector<double>> volume_around(const std::vector<Vec3d>& points,
                                            double radius) override;
  Errors exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                  StepReport& report) override;
  std::size_t bytes() const override { return solver_.bytes(state_); }

  // New particles before they join the others; what they do to the next dt goes into `report`.
  void prepare_new(ParticleTraffic<T, D>& traffic, StepReport& report) const;
  bool knows_rest_volume() const { return rest_volume_ > 0; }
  SphSolver<T, D>& method() { return solver_; }
  const SphSolver<T, D>& method() const { return solver_; }
  SphState<T, D>& state() { return state_; }

 private:
  bool are_places_finite() const;
  // The rest lattice follows from the mean volume of all particles that there were.
  void find_rest_volume();
  // That of the start, before a step finds it anew.
  void find_wind();

  Surroundings around_;
  SphSolver<T, D> solver_;
  SphState<T, D> state_;
  double rest_volume_ = 0;  // cells^D; 0: no particle yet
};

}  // namespace firn
