// Colliders as a scene file states them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/describe_scene.h"
#include "base/schemes.h"
#include "collision/contact.h"
#include "scene/look_settings.h"
#include "scene/motion_settings.h"
#include "scene/shape_settings.h"

namespace firn {

// One shape of a collider that changes its own.
struct ShapeKeyframe {
  double time = 0;
  ColliderShapeSettings shape;

  template <class V>
  void describe(V& v) {
    v.require("time", "shape");
    v.number("time", time, {"when", "s"});
    v.object("shape", shape, "shape at that time");
  }
};

struct ColliderSettings {
  std::string name;
  ColliderShapeSettings shape;
  std::vector<ShapeKeyframe> deformation;
  ContactKind contact = ContactKind::separate;
  ObstacleMethod method = ObstacleMethod::automatic;
  std::string species;  // empty: all
  NumberOrExpression friction;
  NumberOrExpression stickiness;
  Vec3d surface_velocity{{0, 0, 0}};
  std::optional<MotionSettings> motion;
  bool visible = true;
  std::optional<ColliderLook> look;  // none: like all others

  template <class V>
  void describe(V& v) {
    v.require("shape");
    v.text("name", name, "unique name of the collider");
    v.object("shape", shape, "solid part of space");
    v.list("deformation", deformation,
           {"shapes at times, between which the distance to the surface is interpolated; "
            "at least two"});
    v.choice("contact", contact, {"sticky", "slip", "separate", "pin"},
             "sticky: no motion; slip: tangential motion; separate: may also leave; pin: holds "
             "what is inside and lets the rest pass, for the fixed ends of a body");
    v.choice("method", method, {"automatic", "constraint", "penalty"},
             "solver fem: vertices are held at the surface exactly, or pushed out of it by a "
             "force that grows with the depth; automatic: as the motion of the collider allows");
    v.text("species", species,
           "the only species that it stops, of those that share space; all when not given");
    v.varying("friction", friction, {"Coulomb friction coefficient", "", 0},
              space_time_variables());
    v.varying("stickiness", stickiness,
              {"above 1/2 the collider is sticky there and then", "", 0, 1},
              space_time_variables());
    v.vector("surface_velocity", surface_velocity,
             {"velocity of the surface along itself, as of a conveyor belt", "m/s"});
    v.object("motion", motion, "how the collider moves");
    v.flag("visible", visible, "whether pictures show it");
    v.edits(Edits::outside);
    v.object("look", look, "how pictures show it, where it differs from other colliders");
  }
};

}  // namespace firn
