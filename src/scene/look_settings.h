// How pictures look, as a scene file states it. Renderers follow as far as they can.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "base/vec.h"
#include "scene/output_fields.h"

namespace firn {

struct Interval {
  double low = 0, high = 0;
};

enum class PointStyle { points, spheres, icosahedra, mesh };
enum class ColliderStyle { solid, transparent, outline, hidden };
enum class ColorMap { viridis, plasma, coolwarm, turbo, grey };

// The words of the three, in the order of the enumerators.
inline std::vector<std::string> point_style_names() {
  return {"points", "spheres", "icosahedra", "mesh"};
}
inline std::vector<std::string> collider_style_names() {
  return {"solid", "transparent", "outline", "hidden"};
}
inline std::vector<std::string> color_map_names() {
  return {"viridis", "plasma", "coolwarm", "turbo", "grey"};
}

// How some of the particles are drawn, where they differ from the rest.
struct ParticleLook {
  bool visible = true;
  double opacity = 1;
  bool casts_shadow = true, receives_shadow = true;
  std::string style;  // one of point_style_names(); empty: like all others
  // Colours of its own (MULTI 7.6.2); without color_by like all others.
  std::string color_by;                 // one of color_by_names(), or a scalar of the scene
  std::optional<Interval> color_range;  // none: from what the frames hold of these particles
  std::string color_map;                // one of color_map_names(); empty: that of the view

  template <class V>
  void describe(V& v) {
    v.flag("visible", visible, "whether pictures show it");
    v.number("opacity", opacity, {"1: nothing shines through", "", 0, 1});
    v.flag("casts_shadow", casts_shadow, "whether it takes light from others");
    v.flag("receives_shadow", receives_shadow, "whether others take light from it");
    v.word("style", style, point_style_names(), "how its particles are drawn", [] {});
    v.word(
        "color_by", color_by, color_by_names(),
        "quantity that colours these particles; like the others when not given", [] {}, "scalars");
    v.interval(
        "color_range", color_range,
        {"[low, high]: values at the ends of these colours; from the frames when not given"});
    v.word("color_map", color_map, color_map_names(),
           "colours from low to high; those of the view when not given", [] {});
  }
};

struct MaterialLook : ParticleLook {
  int material = 0;  // index into SceneSettings::materials

  template <class V>
  void describe(V& v) {
    v.require("material");
    v.reference("material", material, "materials", "name of an entry of materials");
    ParticleLook::describe(v);
  }
};

// How one collider is drawn, where it differs from the rest.
struct ColliderLook {
  std::string style;           // one of collider_style_names(); empty: like all others
  double opacity = -1;         // of a transparent one; -1: like all others
  std::optional<Vec3d> color;  // none: as its file says, or like all others
  bool casts_shadow = true, receives_shadow = true;

  template <class V>
  void describe(V& v) {
    v.word("style", style, collider_style_names(), "how it is drawn", [] {});
    v.number("opacity", opacity, {"of a transparent collider", "", 0, 1});
    v.color("color", color, "its colour, in place of that of its file or of all colliders");
    v.flag("casts_shadow", casts_shadow, "whether it takes light from others");
    v.flag("receives_shadow", receives_shadow, "whether others take light from it");
  }
};

struct LookSettings {
  PointStyle style = PointStyle::spheres;
  ColliderStyle colliders = ColliderStyle::solid;
  double collider_opacity = 0.3;  // of transparent colliders
  Vec3d collider_color{{0.80, 0.81, 0.82}};
  bool shadows = true;
  double shadow_softness = 1;  // times the usual width of the penumbra
  bool ambient_occlusion = true;
  bool ground = true;  // a floor where no collider makes one
  double exposure = 1;
  std::vector<MaterialLook> materials;

  template <class V>
  void describe(V& v) {
    v.choice("style", style, point_style_names(), "how particles are drawn");
    v.choice("colliders", colliders, collider_style_names(), "how colliders are drawn");
    v.number("collider_opacity", collider_opacity, {"of transparent colliders", "", 0, 1});
    v.color("collider_color", collider_color, "colour of colliders");
    v.flag("shadows", shadows, "whether light is blocked");
    v.number("shadow_softness", shadow_softness,
             {"width of the soft rim of shadows, times the usual", "", 0, 10});
    v.flag("ambient_occlusion", ambient_occlusion, "whether hollows are darker");
    v.flag("ground", ground, "whether a floor is drawn where no collider makes one");
    v.number("exposure", exposure, {"brightness of the light, times the usual", "", 0, 100, true});
    v.list("materials", materials, {"materials that are drawn differently"});
  }
};

}  // namespace firn
