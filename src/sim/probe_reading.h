// What a probe finds in a frame.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace firn {

// Named values, none where there are no particles.
struct ProbeReading {
  std::string name;
  std::vector<std::pair<std::string, std::optional<double>>> values;
};

}  // namespace firn
