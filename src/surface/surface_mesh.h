// Closed triangle meshes of the zero surface of a level set.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "surface/level_set.h"

namespace firn {

struct SurfaceMesh {
  using Triangle = std::array<std::uint32_t, 3>;  // counter-clockwise seen from outside

  std::vector<Vec3f> vertices;  // m
  std::vector<Vec3f> velocity;  // m/s, of each vertex; empty: not known
  std::vector<Triangle> triangles;
};

// Marching cubes. Every side of a triangle belongs to exactly two triangles.
SurfaceMesh make_mesh(const LevelSet& level_set);

// Gives each vertex the mean velocity of the particles around it, weighted by the kernel of the
// level set. `velocity` belongs to the points that were binned.
void add_velocity(SurfaceMesh& mesh, const PointBins& bins, const std::vector<Vec3f>& velocity,
                  double voxel, double radius);

// The enclosed volume, m^3; negative when the mesh is inside out.
double mesh_volume(const SurfaceMesh& mesh);

}  // namespace firn
