// Isosurface stuffing: meshes of simplices from signed distances, with bounded angles (Labelle and
// Shewchuk, Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles, 2007).
#pragma once

#include <functional>
#include <limits>

#include "base/result.h"
#include "geometry/shape.h"
#include "geometry/simplex_mesh.h"

namespace firn {

// Angles that no cell goes beyond, whatever the shape, degrees.
constexpr double kLeastStuffingAngle = 10.7, kLargestStuffingAngle = 164.8;
constexpr double kLeastStuffingAngleFlat = 16.9, kLargestStuffingAngleFlat = 130;

// What is known of a shape that is a function.
struct DistanceSource {
  std::function<double(const Vec3d&)> distance;  // m, negative inside; called from many threads
  Bounds bounds;                                 // around the shape
  double steepness = kSteepnessOfExact;          // distances change no faster than this, m/m
  double volume = std::numeric_limits<double>::quiet_NaN();  // m^3 (2D: m^2); NaN: nobody knows
};

// `edge` is the long edge of the lattice, from which those inside are taken; the others are shorter
// (by 13 % in 3D). The surface is a closed manifold whose points lie on that of the shape. Sharp
// edges are cut off by up to half an edge length. The same mesh for any number of threads; shapes
// are meshed in their own frame, so that it turns with them. Fails in one line with the remedy when
// the edge is too coarse (nothing remains, or the volume is off by a fifth) or too fine.
template <int D>
Result<SimplexMesh<D>> stuffing_mesh(const Shape& shape, double edge);
template <int D>
Result<SimplexMesh<D>> stuffing_mesh(const DistanceSource& source, double edge);

}  // namespace firn
