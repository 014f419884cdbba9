// The MPM step on a CUDA device: the same state, models and obstacles as MpmSolver, kept in device
// memory from one download to the next. Builds without CUDA have the same face and say so.
#pragma once

#include <memory>

#include "base/result.h"
#include "cuda/device.h"
#include "mpm/state.h"
#include "mpm/viscous_limit.h"
#include "solver_cuda/device_exchange.h"

namespace firn {

// What a device must know before it takes particles.
struct DeviceSetup {
  MpmSettings settings;
  Surroundings around;
};

template <class T, int D>
class DeviceSolver {
 public:
  virtual ~DeviceSolver() = default;
  virtual Errors upload(const MpmState<T, D>& state) = 0;
  virtual Errors download(MpmState<T, D>& state) = 0;
  // `viscous_rooms` by set (ViscousSet::room).
  virtual Result<StretchResult> run(const Stretch& stretch,
                                    const std::vector<double>& viscous_rooms) = 0;
  // By set, of the particles as they are now.
  virtual std::vector<MostViscous> most_viscous() const = 0;
  // Adds kicks[id] to the velocities of particles, m/s.
  virtual Errors kick(const std::vector<Vec3d>& kicks) = 0;
  // Corners between which the blocks with particles lie; the wrong way round where there are none.
  virtual std::pair<BlockCoord<D>, BlockCoord<D>> occupied_corners() const = 0;
  // Volume of the particles around each point, in a ball; `homes` are the points' blocks.
  virtual Result<std::vector<double>> taken_volume(const std::vector<Vec3d>& points,
                                                   const std::vector<BlockCoord<D>>& homes,
                                                   double radius) = 0;
  virtual Result<RemovedParticles> exchange(const DeviceExchange<T, D>& exchange) = 0;
  virtual std::size_t particles() const = 0;
  virtual std::size_t bytes() const = 0;  // of device memory
};

// Fails where there is no device, or where it cannot do yet what the settings ask for.
template <class T, int D>
Result<std::unique_ptr<DeviceSolver<T, D>>> make_device_solver(const DeviceSetup& setup);

}  // namespace firn
