// What the CPU renderer draws as triangles: surfaces around particles, icosahedra and slices.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/color.h"
#include "render/visibility.h"

namespace firn {

// Set, and kSurfaceBit not: the rest numbers a triangle of the bodies.
constexpr std::uint32_t kTriangleBit = 0x40000000u;

// A particle with its deformation.
struct DeformedPoint {
  Vec3f position;  // m from the local origin
  float axes[9];   // column by column: F times the radius, m
  Rgb8 color;
};

// The mesh's triangles come first, then 20 of each deformed point.
struct Bodies {
  std::vector<Vec3f> vertices;  // m from the local origin
  std::vector<Vec3f> normals;   // unit; zero: a colour as it is, without any light
  std::vector<Rgb8> colors;     // one a vertex, as normals
  std::vector<std::uint32_t> indices;
  std::vector<DeformedPoint> icosahedra;
  bool casts_shadows = true;

  std::size_t count() const { return indices.size() / 3 + 20 * icosahedra.size(); }
  std::array<Vec3f, 3> corners(std::size_t triangle) const;
};

// What is seen at a place of a triangle.
struct BodyPaint {
  Vec3f color;   // linear
  Vec3f normal;  // unit, as its body has it; zero: no light
};
BodyPaint paint_of(const Bodies& bodies, std::size_t triangle, const Vec3f& place);

// Nearest wins; the same for any number of threads. Triangles that reach behind the
// eye are left out.
void draw_bodies(const Bodies& bodies, const Projection& projection, VisibilityBuffer& buffer);

}  // namespace firn
