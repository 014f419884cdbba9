// Moved, repeated and scattered copies of a shape, as a scene file states them.
#pragma once

#include <cmath>
#include <optional>

#include "scene/shape_settings.h"

namespace firn {

struct TransformSettings {
  Vec3d translation{{0, 0, 0}};
  RotationSettings rotation;
  double scale = 1;

  template <class V>
  void describe(V& v) {
    v.vector("translation", translation, {"displacement, applied last", "m"});
    v.rotation("rotation", rotation, {"rotation about the origin, after the scale", "degrees"});
    v.number("scale", scale, {"size, about the origin, applied first", "", 0, INFINITY, true});
  }
};

inline constexpr std::int64_t kMaxCopies = 100'000;

struct RepeatSettings {
  std::int64_t count[3] = {1, 1, 1};
  Vec3d step{{1, 1, 1}};
  bool turn = false;

  template <class V>
  void describe(V& v) {
    v.require("step");
    const char* const names[3] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i)
      v.integer(names[i], count[i], {"number of copies along the axis", 1, kMaxCopies});
    v.vector("step", step, {"distance from a copy to the next along each axis", "m"});
    v.flag("turn", turn, "turn every copy at random");
  }
};

struct ScatterSettings {
  std::int64_t count = 10;
  SourceShapeSettings region;
  double distance = 0;
  bool turn = true;

  template <class V>
  void describe(V& v) {
    v.require("count", "region");
    v.integer("count", count, {"number of copies", 1, kMaxCopies});
    v.object("region", region, "where the copies go; the shape is moved from the origin");
    v.number("distance", distance,
             {"least distance between the centres of copies; so that none overlap when not given",
              "m", 0, INFINITY, true});
    v.flag("turn", turn, "turn every copy at random");
  }
};

}  // namespace firn
