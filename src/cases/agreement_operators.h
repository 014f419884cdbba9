// The operators between particles and nodes (mpm/operators.h) on the CPU and on a CUDA device.
#pragma once

#include <vector>

#include "cases/compare_devices.h"

namespace firn {

// Every transfer and kernel, in 2D and 3D, single and double, with sums in any and in a fixed
// order. Tests compare those of the CPU with whole steps.
std::vector<Agreement> check_operators();

}  // namespace firn
