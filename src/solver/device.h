// Where steps are taken.
#pragma once

namespace firn {

// Sums on a CUDA device come in the order of chance unless it is asked to be deterministic.
enum class Device { cpu, cuda, cuda_deterministic };

}  // namespace firn
