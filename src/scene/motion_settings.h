// Motion of a body as a scene file states it.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "base/describe.h"
#include "collision/motion.h"
#include "scene/rotation.h"
#include "scene/varying.h"

namespace firn {

enum class Interpolation { smooth, linear };

struct KeyframeSettings {
  double time = 0;
  Vec3d translation{{0, 0, 0}};
  RotationSettings rotation;
  double scale = 1;

  template <class V>
  void describe(V& v) {
    v.require("time");
    v.number("time", time, {"when", "s"});
    v.vector("translation", translation, {"displacement from where the body was placed", "m"});
    v.rotation("rotation", rotation, {"rotation about the pivot", "degrees"});
    v.number("scale", scale, {"size, relative to the body as placed", "", 0, INFINITY, true});
  }
};

// Keyframes, or expressions in t.
struct MotionSettings {
  std::vector<KeyframeSettings> keyframes;
  Interpolation interpolation = Interpolation::smooth;
  bool repeats = false;
  VaryingVector translation;
  VaryingVector rotation;
  NumberOrExpression scale{1, ""};
  std::optional<Vec3d> pivot;

  template <class V>
  void describe(V& v) {
    const std::vector<std::string> time{"t"};
    v.list("keyframes", keyframes, {"poses at times; at rest before the first and after the last"});
    v.choice("interpolation", interpolation, {"smooth", "linear"},
             "between keyframes: starting and stopping gently, or straight");
    v.flag("repeat", repeats, "start over after the last keyframe");
    v.varying_vector("translation", translation, {"displacement, instead of keyframes", "m"}, time);
    v.varying_rotation("rotation", rotation,
                       {"angles about x, then y, then z, instead of keyframes", "degrees"}, time);
    v.varying("scale", scale, {"size, instead of keyframes", "", 0, INFINITY, true}, time);
    v.vector("pivot", pivot, {"centre of rotation and scale; the shape's own when not given", "m"});
  }
};

// Ready to run; `center` is where the body was placed. Null when there is nothing that moves it.
std::shared_ptr<const BodyMotion> runtime_motion(const MotionSettings& settings,
                                                 const Vec3d& center);

// What is wrong with it, "/key: what" each.
std::vector<std::string> motion_problems(const MotionSettings& settings);

}  // namespace firn
