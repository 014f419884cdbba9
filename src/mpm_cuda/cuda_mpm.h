// MPM on a CUDA device, as a world sees it. Starts, and what comes in later, are prepared
// on the CPU.
#pragma once

#include "mpm/cpu_mpm.h"
#include "mpm_cuda/device_solver.h"

namespace firn {

template <class T, int D>
class CudaMpm final : public Solver<T, D> {
 public:
  CudaMpm(const MpmSettings& settings, const Surroundings& around, Particles<T, D> particles);

  Result<StepReport> start(const std::vector<bool>& estimate_volume) override;
  Errors resume(const StateImage& image) override;
  void save(StateImage& image) const override;
  StepRule step_rule(const std::vector<double>& least_density) const override;
  bool runs_alone() const override { return host_.method().settings().implicit.is_explicit(); }
  Result<StretchResult> run(const Stretch& stretch) override;
  const Particles<T, D>& particles() const override;
  // Until it has started the particles are the host's.
  std::size_t count() const override { return device_ ? device_->particles() : host_.count(); }
  std::pair<BlockCoord<D>, BlockCoord<D>> occupied_corners() const override {
    return device_ ? device_->occupied_corners() : host_.occupied_corners();
  }
  Errors kick(const std::vector<Vec3d>& kicks) override { return device_->kick(kicks); }
  Result<std::vector<double>> volume_around(const std::vector<Vec3d>& points,
                                            double radius) override;
  Errors exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                  StepReport& report) override;
  std::vector<std::uint64_t> transition_counts() const override {
    return host_.transition_counts();
  }
  std::size_t bytes() const override { return host_.bytes(); }
  std::size_t device_bytes() const override { return device_ ? device_->bytes() : 0; }
  double bytes_moved_per_step() const override { return host_.bytes_moved_per_step(); }

 private:
  Errors move_to_device();
  // Brings the particles over, changes them as transitions say, and sends them back.
  Errors change_materials(double time, StretchResult& result);

  Surroundings around_;
  // Its state may be older than the one on the device, until someone asks for it.
  mutable CpuMpm<T, D> host_;
  mutable bool stale_ = false;
  mutable Errors lost_;  // why the state could not be brought over
  std::unique_ptr<DeviceSolver<T, D>> device_;
};

}  // namespace firn
