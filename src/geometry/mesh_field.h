// Triangle meshes as distance fields: the distance by a tree, the sign by winding numbers, so that
// open, overlapping and badly oriented meshes have an inside too.
#pragma once

#include "geometry/distance_field.h"
#include "geometry/triangle_mesh.h"

namespace firn {

// Inside is where the winding number exceeds 1/2: a cavity whose normals point into it is empty, a
// shell within a solid of the same orientation is part of the solid, the holes of an open mesh are
// closed by a smooth lid. Meshes whose normals point inwards on the whole are turned. The volume is
// that of the mesh when it is closed and simple, else that of the field.
Result<DistanceField> mesh_distance_field(const TriangleMesh& mesh, double spacing);

}  // namespace firn
