// Shapes as a scene file states them: full extents, centre, rotation in degrees.
#pragma once

#include <cmath>

#include "base/describe.h"
#include "geometry/shape.h"

namespace firn {

// What an object may fill. In 2D a box is a rectangle, a ball a disc and a cylinder the rectangle
// of its diameter and height.
struct ShapeSettings {
  ShapeKind kind = ShapeKind::box;
  Vec3d size{{1, 1, 1}};      // box: full extents, m
  double radius = 0.5;        // ball, cylinder, m
  double height = 1;          // cylinder along its own y axis, m
  Vec3d center{{0, 0, 0}};    // m; plane: a point on it
  Vec3d rotation{{0, 0, 0}};  // degrees about the fixed axes x, then y, then z

  template <class V>
  void describe(V& v) {
    describe_kinds(v, {"box", "ball", "cylinder"}, [](auto&) {});
  }

 protected:
  // `more` describes what the user of the shape adds to the kind at hand.
  template <class V, class More>
  void describe_kinds(V& v, std::vector<std::string> names, More more) {
    int chosen = static_cast<int>(kind);
    v.require("type");
    v.alternatives("type", chosen,
                   {std::move(names),
                    "kind of shape; rectangle and disc are box and ball of a 2D scene",
                    {{"rectangle", static_cast<int>(ShapeKind::box), 2},
                     {"disc", static_cast<int>(ShapeKind::ball), 2}}},
                   [&](auto& w, int alternative) {
                     kind = static_cast<ShapeKind>(alternative);
                     if (kind != ShapeKind::plane) describe_volume(w);
                     more(w);
                   });
  }

 private:
  template <class V>
  void describe_volume(V& v) {
    if (kind == ShapeKind::box) {
      v.require("size");
      v.vector("size", size, {"full extents", "m", 0, INFINITY, true});
    } else {
      v.require("radius");
      v.number("radius", radius, {"radius", "m", 0, INFINITY, true});
    }
    if (kind == ShapeKind::cylinder) {
      v.require("height");
      v.number("height", height, {"height along the shape's own y axis", "m", 0, INFINITY, true});
    }
    v.vector("center", center, {"position of the centre", "m"});
    v.rotation("rotation", rotation, {"rotation about the axes x, then y, then z", "degrees"});
    if (kind == ShapeKind::box)
      v.corners("min", "max", size, center, {"corner, instead of size and center", "m"});
  }
};

// What a collider may be: also a half-space, or everything outside a shape.
struct ColliderShapeSettings : ShapeSettings {
  Vec3d normal{{0, 1, 0}};  // plane: out of the solid
  bool inside = false;      // a container: solid outside the shape

  template <class V>
  void describe(V& v) {
    describe_kinds(v, {"box", "ball", "cylinder", "plane"}, [&](auto& w) {
      if (kind != ShapeKind::plane)
        return w.flag("inside", inside, "the inside is free and the outside solid: a container");
      w.vector("point", center, {"a point of the plane", "m"});
      w.vector("normal", normal, {"direction out of the solid"});
    });
  }
};

// The shapes in their places, ready to measure distances.
Shape placed(const ShapeSettings& settings, int dimension);
Shape placed(const ColliderShapeSettings& settings, int dimension);

}  // namespace firn
