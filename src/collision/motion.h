// The prescribed motion of a body over time: keyframes, or expressions of t.
#pragma once

#include <array>
#include <vector>

#include "collision/pose.h"
#include "expr/varying.h"

namespace firn {

struct KeyPose {
  double time = 0;               // s
  Vec3d translation{{0, 0, 0}};  // m, from where the body was placed
  Vec3d rotation{{0, 0, 0}};     // degrees, see BodyMotion::axis_angle
  double scale = 1;
};

struct BodyMotion {
  std::vector<KeyPose> keys;  // ascending in time; empty: the expressions hold
  bool smooth = true;         // cubic between the keys, without overshoot; else straight
  bool repeats = false;       // from the last key on to the first
  bool axis_angle = false;    // rotations are axis times angle; else angles about x, then y, then z
  Vec3d pivot{{0, 0, 0}};     // m, centre of rotation and scale

  // translation x, y, z; rotation about x, y, z; scale: programs in t alone.
  std::array<VaryingValue, 7> values{};

  Pose at(double t) const;
  // Whether it is in the same place all the time.
  bool at_rest() const;
};

// Between keys at times[0..n): piecewise cubic with slopes that keep it monotone between two keys
// (Fritsch and Carlson), or straight; constant before and after. For one component.
double interpolate_keys(const std::vector<double>& times, const std::vector<double>& values,
                        bool smooth, double t);

}  // namespace firn
