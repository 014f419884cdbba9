// Simulations of one process alternate: each has all threads of the pool for its step, instead of
// one the pool and the others a single thread each.
#pragma once

#include <mutex>

namespace firn {

// Held during a step, and while a scene is read or a world made.
inline std::mutex& simulation_lock() {
  static std::mutex lock;
  return lock;
}

}  // namespace firn
