#include "scene/motion_settings.h"

#include <algorithm>

#include "expr/parser.h"

namespace firn {
namespace {

bool uses_axes(const MotionSettings& settings) {
  return std::any_of(settings.keyframes.begin(), settings.keyframes.end(),
                     [](const KeyframeSettings& key) { return key.rotation.about_axis; });
}

VaryingValue time_value(const NumberOrExpression& setting) {
  const Result<Program> program = setting.is_constant()
                                      ? Result<Program>(Program{})
                                      : parse_expression(setting.expression, {"t"});
  VaryingValue value;
  value.value = setting.value;
  if (setting.is_constant() || !program) return value;
  value.program = *program;
  value.has_program = true;
  // In the world of x, y, z, t, time is the fourth variable.
  for (int i = 0; i < value.program.length; ++i)
    if (value.program.code[i].op == Op::variable) value.program.code[i].index = VaryingValue::kTime;
  return value;
}

}  // namespace

std::shared_ptr<const BodyMotion> runtime_motion(const MotionSettings& settings,
                                                 const Vec3d& center) {
  auto motion = std::make_shared<BodyMotion>();
  motion->pivot = settings.pivot.value_or(center);
  motion->smooth = settings.interpolation == Interpolation::smooth;
  motion->repeats = settings.repeats;
  motion->axis_angle = uses_axes(settings);
  for (const KeyframeSettings& key : settings.keyframes)
    motion->keys.push_back(
        {key.time, key.translation,
         key.rotation.about_axis ? key.rotation.axis_times_angle() : key.rotation.angles,
         key.scale});
  for (int i = 0; i < 3; ++i) {
    motion->values[i] = time_value(settings.translation[i]);
    motion->values[3 + i] = time_value(settings.rotation[i]);
  }
  motion->values[6] = time_value(settings.scale);
  const Pose pose = motion->at(0);
  const bool in_place = pose.scale == 1 && pose.translation == Vec3d::zero();
  return motion->at_rest() && in_place ? nullptr : motion;
}

std::vector<std::string> motion_problems(const MotionSettings& settings) {
  std::vector<std::string> problems;
  const auto& keys = settings.keyframes;
  const MotionSettings none;
  if (!keys.empty() && !(settings.translation == none.translation &&
                         settings.rotation == none.rotation && settings.scale == none.scale))
    problems.push_back("/keyframes: give keyframes, or translation, rotation and scale, not both");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string place = "/keyframes/" + std::to_string(i);
    if (i > 0 && !(keys[i].time > keys[i - 1].time))
      problems.push_back(place + "/time: must be later than that of the keyframe before it");
    const RotationSettings& r = keys[i].rotation;
    const bool turned = r.about_axis || !(r.angles == Vec3d::zero());
    if (uses_axes(settings) && turned && !r.about_axis)
      problems.push_back(place + "/rotation: give all rotations as an axis and an angle, or none");
  }
  return problems;
}

}  // namespace firn
