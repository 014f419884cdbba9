// The same scenes on the CPU and on a CUDA device: after a few steps both must hold the same state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cases/compare_devices.h"

namespace firn {

// Every model, in 2D and 3D, single and double, with each kernel that the device knows, and the
// scenes of agreement_scenes.h, and the operators. With names only those ("moving_box", "quadratic
// sand", "operators"), or all that begin with such a word ("implicit"). Several
// run at the same time; each is told as soon as it is known, one after the other.
void check_agreement(const std::vector<std::string>& names,
                     const std::function<void(const Agreement&)>& tell);

}  // namespace firn
