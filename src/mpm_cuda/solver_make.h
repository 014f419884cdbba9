// How a solver is made, for the files that compile it.
#pragma once

#include "mpm_cuda/solver_impl.h"

namespace firn {

// Shapes may be made of shapes: the compiler cannot know how deep the calls go. What that takes of
// the memory, a gigabyte, is left alone where there are half-spaces at rest only. All solvers of a
// process share it.
inline void ask_for_stack(const DeviceSetup& setup) {
  constexpr std::size_t kBytes = 4096;  // of a thread
  if (setup.around.sinks.empty() && !setup.settings.particle_collisions &&
      std::all_of(setup.around.obstacles->all().begin(), setup.around.obstacles->all().end(),
                  is_fixed_plane))
    return;
  static const cudaError_t asked = cudaDeviceSetLimit(cudaLimitStackSize, kBytes);
  must(asked, "asking for stack");
}

template <class T, int D>
Result<std::unique_ptr<DeviceSolver<T, D>>> make_device_solver(const DeviceSetup& setup) {
  const Result<std::string> name = device_name();
  if (!name) return name.errors();
  try {
    ask_for_stack(setup);
    return std::unique_ptr<DeviceSolver<T, D>>(std::make_unique<CudaSolver<T, D>>(setup));
  } catch (const CudaFailure& failure) {
    return Errors{failure.what()};
  }
}

}  // namespace firn
