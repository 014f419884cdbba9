// Granular SPH on a CUDA device: the same particles and obstacles as SphSolver, kept in device
// memory from one download to the next. Builds without CUDA have the same face and say so.
#pragma once

#include <memory>

#include "base/result.h"
#include "cuda/device.h"
#include "solver_cuda/device_exchange.h"
#include "sph/sph_state.h"

namespace firn {

// What a device must know before it takes particles.
template <class T>
struct DeviceSphSetup {
  SphSettings settings;
  Surroundings around;
  WallShare share;
  std::vector<WallMap> wall_maps;  // by collider
  std::vector<YieldLaw<T>> laws;   // by set
};

template <class T, int D>
class DeviceSph {
 public:
  virtual ~DeviceSph() = default;
  // `context` but for its dt. `travelled`: how far particles may have come since their neighbours
  // were looked for; beyond the skin they are looked for anew.
  virtual Errors upload(const Particles<T, D>& all, const SphContext<T>& context,
                        double travelled) = 0;
  // Those that were uploaded, as they are now.
  virtual Errors download(Particles<T, D>& all, double& travelled) = 0;
  virtual Result<StretchResult> run(const Stretch& stretch) = 0;
  virtual Errors kick(const std::vector<Vec3d>& kicks) = 0;
  // Volume of the particles around each point, in a ball; `homes` are the points' blocks.
  virtual Result<std::vector<double>> taken_volume(const std::vector<Vec3d>& points,
                                                   const std::vector<BlockCoord<D>>& homes,
                                                   double radius) = 0;
  // New particles are those behind the rows that the host's sets had before.
  virtual Result<RemovedParticles> exchange(const DeviceExchange<T, D>& exchange) = 0;
  virtual std::size_t count() const = 0;
  virtual Errors write_rows(const ParticleRows<D>& rows) = 0;
  // Corners between which the blocks with particles lie; the wrong way round where there are none.
  virtual std::pair<BlockCoord<D>, BlockCoord<D>> occupied_corners() const = 0;
  // The strongest that a particle met in the newest step, m/s.
  virtual double wind() const = 0;
  virtual std::size_t bytes() const = 0;  // of device memory
};

// Fails where there is no device.
template <class T, int D>
Result<std::unique_ptr<DeviceSph<T, D>>> make_device_sph(const DeviceSphSetup<T>& setup);

}  // namespace firn
