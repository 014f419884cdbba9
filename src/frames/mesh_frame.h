// The surface mesh of a frame's particles.
#pragma once

#include "base/result.h"
#include "particles/frame.h"
#include "scene/settings.h"
#include "surface/surface_mesh.h"

namespace firn {

struct MeshOptions {
  double radius = 0;  // of a particle, m
  double voxel = 0;   // edge of the cells that the surface is cut out of, m
  int smooth = 3;     // passes
  int material = -1;  // number of the only material to take; -1: all
};

// The radius of the particles of a scene (of one material, where one is given): that of a ball of
// their volume. Of several, that of the coarsest.
double particle_radius(const SceneSettings& scene, int material);

// Around the particles that are no corners of the frame's own meshes. A frame without particles
// gives an empty mesh. Errors do not name the file.
Result<SurfaceMesh> mesh_of_frame(const Frame& frame, const MeshOptions& options);

}  // namespace firn
