// Seconds that work of a benchmark takes: of the processor where one thread does it all, which
// other programs spoil little, and by the clock where several do or a device.
#pragma once

#include <chrono>
#include <ctime>

#include "exec/parallel.h"
#include "solver/device.h"

namespace firn {

class BenchClock {
 public:
  explicit BenchClock(Device device)
      : of_processor_(device == Device::cpu && thread_count() == 1), start_(now()) {}

  double seconds() const { return now() - start_; }

 private:
  double now() const {
    if (of_processor_) return double(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  bool of_processor_;
  double start_;
};

}  // namespace firn
