// How a solver is made, for the files that compile it.
#pragma once

#include "mpm_cuda/solver_impl.h"

namespace firn {

template <class T, int D>
Result<std::unique_ptr<DeviceSolver<T, D>>> make_device_solver(const DeviceSetup& setup) {
  const Result<std::string> name = device_name();
  if (!name) return name.errors();
  try {
    if (!setup.around.sinks.empty() || setup.settings.particle_collisions ||
        !are_fixed_planes(*setup.around.obstacles))
      ask_for_stack(levels(*setup.around.obstacles, setup.around.sinks));
    return std::unique_ptr<DeviceSolver<T, D>>(std::make_unique<CudaSolver<T, D>>(setup));
  } catch (const CudaFailure& failure) {
    return Errors{failure.what()};
  }
}

}  // namespace firn
