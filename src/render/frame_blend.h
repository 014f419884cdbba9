// Frames between frames.
#pragma once

#include "particles/frame.h"

namespace firn {

// The particles of `from` part of the way to where they are in `to`, matched by their ids; those
// that `to` does not have stay. Meshes follow their corners. Bodies go along cubics that have their
// velocities at both ends, and turn evenly, as often as their spin says. Without ids the nearer of
// the two frames.
Frame blend_frames(const Frame& from, const Frame& to, double share);

// Time of a frame as it says itself, s; 0 when it does not.
double frame_time(const PointTable& table);

}  // namespace firn
