// Cameras, and how to place one so that the particles fill the picture.
#pragma once

#include <string>
#include <vector>

#include "base/vec.h"
#include "geometry/shape.h"
#include "particles/point_table.h"

namespace firn {

struct Camera {
  Vec3d eye{{0, 0, 1}};
  Vec3d target{{0, 0, 0}};
  Vec3d up{{0, 1, 0}};
  double field_of_view = 40;  // degrees, vertical
  double ortho_height = 0;    // m; above 0: orthographic, this much fits the picture's height
};

// Named places around the scene: "three_quarter", "front", "side", "top".
const std::vector<std::string>& camera_names();

// Looks from a named place so that all of `places` are in the picture with a margin. The name must
// be one of camera_names().
Camera framing_camera(const std::vector<Vec3d>& places, double aspect, double field_of_view,
                      const std::string& name = "three_quarter");

// Orthographic view along -z for 2D scenes.
Camera flat_camera(const Bounds& box, double aspect);

// The box that holds all but the outermost half percent of the points on each side of each axis:
// a few stray particles do not shrink the picture. An empty table gives a unit box.
Bounds robust_bounds(const PointTable& table);

// A few thousand of the points inside a box: what a camera should frame.
std::vector<Vec3d> places_inside(const PointTable& table, const Bounds& box);
std::vector<Vec3d> corners_of(const Bounds& box);

Vec3d center_of(const Bounds& box);
double diagonal_of(const Bounds& box);

}  // namespace firn
