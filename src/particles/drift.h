// Where a particle has come to that drifted out of its block, along one axis; host and device.
#pragma once

#include "particles/blocks.h"

namespace firn {

// Which block its place, in cells of the block that it was in, lies in now: -1, 0 or 1 further on.
template <int D, class T>
FIRN_INLINE int drift_step(T place) {
  return (place >= T(BlockShape<D>::kEdge)) - (place < T(0));
}
// Its place there.
template <int D, class T>
FIRN_INLINE T place_after_drift(T place, int step) {
  constexpr T kEdge = T(BlockShape<D>::kEdge);
  // A tiny negative place plus kEdge rounds to kEdge itself, the next block's zero.
  constexpr T kLast = kEdge * (T(1) - (sizeof(T) == 4 ? T(6e-8) : T(1.2e-16)));
  const T moved = place - T(step * BlockShape<D>::kEdge);
  return moved > kLast ? kLast : moved;
}

}  // namespace firn
