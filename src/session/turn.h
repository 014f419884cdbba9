// Simulations of one process take turns: the pool of threads serves one of them at a time.
#pragma once

#include <mutex>

namespace firn {

// Held during a step, and while a scene is read or a world made.
inline std::mutex& simulation_turn() {
  static std::mutex turn;
  return turn;
}

}  // namespace firn
