// The operators of mpm/operators.h on a CUDA device. Integrators there put them on a stream of
// their own (operator_launch.h); this face carries particles and fields to the device and back, so
// that they can be compared with those of the CPU.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "cuda/device.h"
#include "mpm/state.h"

namespace firn {

template <class T, int D>
class DeviceOperators {
 public:
  virtual ~DeviceOperators() = default;
  // Particles and blocks as they are, for steps of dt.
  virtual Errors upload(const MpmState<T, D>& state, double dt) = 0;
  virtual Errors download(MpmState<T, D>& state) = 0;
  virtual Errors momentum_to_nodes(NodeField<T, D>& momentum) = 0;
  virtual Errors stress_to_nodes(NodeField<T, D>& impulse) = 0;
  virtual Errors gradient_to_particles(const NodeField<T, D>& velocity,
                                       std::vector<Columns<T>>& rate) = 0;
  // `before`: velocities of the nodes before the step, for FLIP.
  virtual Errors advance(const NodeField<T, D>& velocity, const NodeField<T, D>& before) = 0;
};

template <class T, int D>
Result<std::unique_ptr<DeviceOperators<T, D>>> make_device_operators(const MpmSettings& settings);

}  // namespace firn
