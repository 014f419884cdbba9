// The commands of the engine's program. Each gives the status that the program ends with.
#pragma once

#include <string>
#include <vector>

namespace firn::engine {

using Words = std::vector<std::string>;

inline constexpr int kDone = 0, kFailed = 1, kBadUsage = 2;

int run_pack(const Words& words);     // PACK and options
int agree_packs(const Words& packs);  // on CPU and device
int growth();

}  // namespace firn::engine
