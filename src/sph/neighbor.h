// An entry of a list of neighbours.
#pragma once

#include <cstdint>

#include "base/macros.h"

namespace firn {

// Lists hold what is within the support and a skin, cells.
inline constexpr double kListSkin = 0.06, kListReach = 1 + kListSkin;

// A neighbour: its number, and the block it is in as seen from one's own (particles/blocks.h).
// Numbers take what the 27 blocks around leave of 32 bits.
struct Neighbor {
  static constexpr int kNumberBits = 27;
  static constexpr std::uint32_t kMost = (1u << kNumberBits) - 1;

  FIRN_INLINE static std::uint32_t make(std::uint32_t number, int block) {
    return number | static_cast<std::uint32_t>(block) << kNumberBits;
  }
  FIRN_INLINE static std::uint32_t number(std::uint32_t n) { return n & kMost; }
  FIRN_INLINE static int block(std::uint32_t n) { return static_cast<int>(n >> kNumberBits); }
};

}  // namespace firn
