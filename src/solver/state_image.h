// The complete state of a world as named arrays and numbers: what a checkpoint stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace firn {

struct StateImage {
  using Array = std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint32_t>,
                             std::vector<std::uint64_t>>;
  std::map<std::string, Array> arrays;
  std::map<std::string, double> reals;
  std::map<std::string, std::int64_t> integers;
};

constexpr const char* kDamagedImage = "the checkpoint does not fit the scene, or is damaged";

}  // namespace firn
