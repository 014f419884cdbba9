// Granular SPH on a CUDA device, as a world sees it.
#pragma once

#include "sph/cpu_sph.h"
#include "sph_cuda/device_sph.h"

namespace firn {

template <class T, int D>
class CudaSph final : public Solver<T, D> {
 public:
  CudaSph(const SphSettings& settings, const Surroundings& around, Particles<T, D> particles)
      : around_(around), host_(settings, around, std::move(particles)) {}

  Result<StepReport> start(const std::vector<bool>& estimate_volume) override;
  Errors resume(const StateImage& image) override;
  void save(StateImage& image) const override;
  StepRule step_rule(const std::vector<double>& least_density) const override {
    return host_.step_rule(least_density);
  }
  bool runs_alone() const override { return true; }
  Result<StretchResult> run(const Stretch& stretch) override;
  const Particles<T, D>& particles() const override;
  std::size_t count() const override { return device_ ? device_->count() : host_.count(); }
  std::pair<BlockCoord<D>, BlockCoord<D>> occupied_corners() const override {
    return device_ ? device_->occupied_corners() : host_.occupied_corners();
  }
  Errors kick(const std::vector<Vec3d>& kicks) override;
  Result<std::vector<double>> volume_around(const std::vector<Vec3d>& points,
                                            double radius) override;
  bool writes_rows() const override { return true; }
  Errors write_rows(int, const ParticleRows<D>& rows) override { return device_->write_rows(rows); }
  Errors exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                  StepReport& report) override;
  std::size_t bytes() const override { return host_.bytes(); }
  std::size_t device_bytes() const override { return device_ ? device_->bytes() : 0; }

 private:
  Errors exchange_first(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                        StepReport& report);
  Errors make_device();
  Errors send();

  Surroundings around_;
  // Its state may be older than the one on the device, until someone asks for it.
  mutable CpuSph<T, D> host_;
  mutable bool stale_ = false;
  mutable Errors lost_;  // why the state could not be brought over
  std::unique_ptr<DeviceSph<T, D>> device_;
};

}  // namespace firn
