// Colliders as triangles in their own frame: made once, moved by their pose.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/shape.h"

namespace firn {

struct BodyMesh {
  std::vector<Vec3f> vertices, normals;  // m, about the shape's centre; normals out of the shape
  std::vector<std::uint32_t> indices;    // counter-clockwise seen from outside
};

// Exact for primitives up to the roundness of circles; other shapes are cut out of their signed
// distance. Planes and endless shapes give nothing. The complement counts as the shape itself.
BodyMesh make_body_mesh(const Shape& shape);

// Equal for shapes that differ only in their place and in being a complement.
std::string body_key(const Shape& shape);

}  // namespace firn
