// Shapes as a scene file states them: full extents, centre, rotation in degrees.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/describe.h"
#include "geometry/bitmap_field.h"
#include "geometry/shape.h"
#include "scene/rotation.h"

namespace firn {

enum class ShapeType {
  box,
  ball,
  cylinder,
  capsule,
  cone,
  torus,
  ellipsoid,
  mesh,
  bitmap,
  heightfield,
  union_,
  intersection,
  difference,
  points,  // objects only
  plane,   // all but objects
};
enum class UpAxis { y, z };

// What a file gave; filled in when the scene is loaded.
struct ShapeAsset {
  std::shared_ptr<const DistanceField> field;  // in the file's units, see ShapeSettings::scale
  double scale = 1;                            // metres a unit of the field
  std::vector<Vec3d> points;                   // type points: in place, m

  // Colours from a second picture that covers the bitmap; rows from the top, 0xrrggbb.
  int color_width = 0, color_height = 0;
  Bounds picture{};  // what the bitmap covers, in units of the field
  std::vector<std::uint32_t> colors;
};

struct PartSettings;

// What an object may fill. In 2D a box is a rectangle, a ball a disc, a cylinder the rectangle of
// its diameter and height, a cone a trapezium, a torus a ring.
struct ShapeSettings {
  ShapeType kind = ShapeType::box;
  Vec3d size{{1, 1, 1}};    // box, ellipsoid: full extents, m
  double radius = 0.5;      // m; torus: of the circle that the tube follows
  double top_radius = 0;    // cone, m
  double tube = 0.1;        // torus: radius of the tube, m
  double height = 1;        // cylinder, capsule (with caps), cone: along its own y axis; m
  Vec3d center{{0, 0, 0}};  // m; plane: a point on it
  RotationSettings rotation;
  Vec3d normal{{0, 1, 0}};  // plane: out of the solid

  std::string file;        // relative to the scene's folder
  double scale = 1;        // mesh, points: metres a unit of the file
  double longest = 0;      // mesh: instead of the scale, longest extent, m; centred
  UpAxis up = UpAxis::y;   // mesh
  double resolution = 0;   // of the sampled distance, m; 0: as the particles or the grid need it
  double width = 1;        // bitmap, heightfield: along x, m
  double depth = 0;        // bitmap: along z in 3D, m; heightfield: along z
  double threshold = 0.5;  // bitmap: brightness that counts as inside
  bool invert = false;     // bitmap: dark is inside
  bool revolve = false;    // bitmap: its right half, turned about the middle
  PixelFilter filter = PixelFilter::bilinear;
  std::string color_file;  // bitmap: picture that colours the particles
  double base = 0;         // heightfield: thickness below its lowest height, m

  std::vector<PartSettings> parts;  // of unions, intersections and differences
  std::shared_ptr<const ShapeAsset> asset;

  template <class V>
  void describe(V& v) {
    describe_types(v, {"points"}, [](auto&) {});
  }

  bool is_from_file() const {
    return kind == ShapeType::mesh || kind == ShapeType::bitmap || kind == ShapeType::heightfield ||
           kind == ShapeType::points;
  }

 protected:
  // `last` names what comes after the common types; `more` describes what the user of the shape
  // adds to the type at hand.
  template <class V, class More>
  void describe_types(V& v, std::vector<std::string> last, More more);

 private:
  bool is_made_of_parts() const {
    return kind == ShapeType::union_ || kind == ShapeType::intersection ||
           kind == ShapeType::difference;
  }
  template <class V>
  void describe_primitive(V& v);
  template <class V>
  void describe_file(V& v);
  template <class V>
  void describe_bitmap(V& v);
};

// A part of a union, intersection or difference: also a half-space.
struct PartSettings : ShapeSettings {
  static constexpr const char* kSchemaName = "part";

  template <class V>
  void describe(V& v) {
    describe_types(v, {"plane"}, [](auto&) {});
  }
};

// What an emitter fills: whatever has a volume.
struct SourceShapeSettings : ShapeSettings {
  template <class V>
  void describe(V& v) {
    describe_types(v, {}, [](auto&) {});
  }
};

// What a collider may be: also a half-space, or everything outside a shape.
struct ColliderShapeSettings : ShapeSettings {
  bool inside = false;  // a container: solid outside the shape

  template <class V>
  void describe(V& v) {
    describe_types(v, {"plane"}, [&](auto& w) {
      if (kind != ShapeType::plane)
        w.flag("inside", inside, "the inside is free and the outside solid: a container");
    });
  }
};

// The shapes in their places, ready to measure distances. A shape whose file was not loaded is
// empty.
Shape placed(const ShapeSettings& settings, int dimension);
Shape placed(const ColliderShapeSettings& settings, int dimension);

template <class V, class More>
void ShapeSettings::describe_types(V& v, std::vector<std::string> last, More more) {
  std::vector<std::string> names{"box",   "ball",         "cylinder",  "capsule", "cone",
                                 "torus", "ellipsoid",    "mesh",      "bitmap",  "heightfield",
                                 "union", "intersection", "difference"};
  const int common = static_cast<int>(names.size());
  const bool planes = !last.empty() && last[0] == "plane";
  names.insert(names.end(), last.begin(), last.end());
  int chosen = kind == ShapeType::plane ? common : static_cast<int>(kind);
  v.require("type");
  v.alternatives("type", chosen,
                 {std::move(names),
                  "kind of shape; rectangle and disc are box and ball of a 2D scene",
                  {{"rectangle", static_cast<int>(ShapeType::box), 2},
                   {"disc", static_cast<int>(ShapeType::ball), 2}}},
                 [&](auto& w, int alternative) {
                   kind = alternative == common && planes ? ShapeType::plane
                                                          : static_cast<ShapeType>(alternative);
                   if (kind == ShapeType::plane) {
                     w.vector("point", center, {"a point of the plane", "m"});
                     w.vector("normal", normal, {"direction out of the solid"});
                   } else if (is_made_of_parts()) {
                     w.require("shapes");
                     w.list("shapes", parts,
                            {kind == ShapeType::difference ? "the first without all others"
                                                           : "shapes to combine, at least one",
                             1});
                     w.vector("center", center, {"displacement of the whole", "m"});
                     w.rotation("rotation", rotation, {"rotation of the whole", "degrees"});
                   } else if (is_from_file()) {
                     describe_file(w);
                   } else {
                     describe_primitive(w);
                   }
                   more(w);
                 });
}

template <class V>
void ShapeSettings::describe_primitive(V& v) {
  const NumberInfo above_zero{"", "m", 0, INFINITY, true};
  const auto length = [&](const char* name, double& value, const char* meaning) {
    NumberInfo info = above_zero;
    info.meaning = meaning;
    v.require(name);
    v.number(name, value, info);
  };
  if (kind == ShapeType::box || kind == ShapeType::ellipsoid) {
    v.require("size");
    v.vector("size", size, {"full extents", "m", 0, INFINITY, true});
  } else {
    length("radius", radius,
           kind == ShapeType::torus  ? "radius of the circle that the tube follows"
           : kind == ShapeType::cone ? "radius at the bottom"
                                     : "radius");
  }
  if (kind == ShapeType::torus) length("tube", tube, "radius of the tube");
  if (kind == ShapeType::cylinder || kind == ShapeType::cone)
    length("height", height, "height along the shape's own y axis");
  if (kind == ShapeType::capsule)
    length("height", height, "height along the shape's own y axis, with the round caps");
  if (kind == ShapeType::cone)
    v.number("top_radius", top_radius, {"radius at the top", "m", 0, INFINITY});
  v.vector("center", center, {"position of the centre", "m"});
  v.rotation("rotation", rotation,
             {"angles about the axes x, then y, then z, or an axis and an angle", "degrees"});
  if (kind == ShapeType::box)
    v.corners("min", "max", size, center, {"corner, instead of size and center", "m"});
}

template <class V>
void ShapeSettings::describe_file(V& v) {
  v.require("file");
  if (kind == ShapeType::mesh) {
    v.text("file", file, "OBJ, PLY, STL, glTF or GLB file, relative to the scene file");
    v.number("scale", scale, {"metres a unit of the file", "m", 0, INFINITY, true});
    v.number(
        "size", longest,
        {"longest extent, instead of scale; the mesh is then centred", "m", 0, INFINITY, true});
    v.choice("up", up, {"y", "z"}, "axis of the file that points up");
    v.number("resolution", resolution,
             {"spacing of the sampled distance; chosen when not given", "m", 0, INFINITY, true});
  } else if (kind == ShapeType::points) {
    v.text("file", file, "PLY, OBJ or CSV file of positions, relative to the scene file");
    v.number("scale", scale, {"metres a unit of the file", "m", 0, INFINITY, true});
  } else {
    describe_bitmap(v);
  }
  v.vector("center", center, {"displacement", "m"});
  v.rotation("rotation", rotation,
             {"angles about the axes x, then y, then z, or an axis and an angle", "degrees"});
}

template <class V>
void ShapeSettings::describe_bitmap(V& v) {
  v.text("file", file, "picture (PNG, JPEG, BMP, TGA, PGM), relative to the scene file");
  v.require("width");
  v.number("width", width, {"extent along x; pixels are square", "m", 0, INFINITY, true});
  if (kind == ShapeType::heightfield) {
    v.require("height");
    v.number("height", height,
             {"height of a white pixel above a black one", "m", 0, INFINITY, true});
    v.number("base", base,
             {"thickness below the black pixels; a tenth of the height when 0", "m", 0});
    return;
  }
  v.number("threshold", threshold, {"brightness from which on a pixel is inside", "", 0, 1});
  v.flag("invert", invert, "dark pixels are inside");
  v.choice("filter", filter, {"nearest", "bilinear"}, "square pixels, or a smooth outline");
  v.number("depth", depth,
           {"thickness along z in a 3D scene; its width when not given", "m", 0, INFINITY, true});
  v.flag("revolve", revolve,
         "in 3D: the right half of the picture, turned about its vertical middle");
  v.text("colors", color_file, "second picture, stretched over the first: colours of particles");
}

}  // namespace firn
