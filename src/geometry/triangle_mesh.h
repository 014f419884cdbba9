// Triangles as plain arrays, and what can be said of them without a tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/vec.h"
#include "geometry/shape.h"

namespace firn {

using Triangle = std::array<std::uint32_t, 3>;

struct TriangleMesh {
  std::vector<Vec3d> vertices;      // m
  std::vector<Triangle> triangles;  // counter-clockwise seen from outside
};

// Empty when the mesh can be worked with; otherwise why not (no triangles, an index without a
// vertex, a coordinate that is not finite or beyond 1e12 m).
std::string mesh_fault(const TriangleMesh& mesh);

// Around the vertices that triangles use.
Bounds mesh_bounds(const TriangleMesh& mesh);

// By the divergence theorem, m^3: exact for closed meshes, negative when normals point inwards.
double signed_volume(const TriangleMesh& mesh);

double surface_area(const TriangleMesh& mesh);

// Vertices at equal positions become one, in the order of their first use; unused ones go.
void weld_vertices(TriangleMesh& mesh);

// Removes triangles without area; returns how many.
std::size_t remove_degenerate_triangles(TriangleMesh& mesh);

// Edges that are not shared by exactly two triangles of opposite direction, equal positions taken
// as one vertex: 0 for a closed, consistently oriented mesh.
std::size_t count_open_edges(const TriangleMesh& mesh);

// Parts that share no vertex, equal positions taken as one vertex: the part of each triangle,
// numbered in the order of their first triangles.
std::vector<std::uint32_t> part_of_triangles(const TriangleMesh& mesh);
std::size_t count_parts(const TriangleMesh& mesh);

}  // namespace firn
