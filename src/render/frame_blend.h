// Frames between frames.
#pragma once

#include "particles/point_table.h"

namespace firn {

// The particles of `from` part of the way to where they are in `to`, matched by their ids; those
// that `to` does not have stay. Without ids the nearer of the two frames.
PointTable blend_frames(const PointTable& from, const PointTable& to, double share);

// Time of a frame as it says itself, s; 0 when it does not.
double frame_time(const PointTable& table);

}  // namespace firn
