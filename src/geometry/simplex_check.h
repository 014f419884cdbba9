// Whether a mesh of simplices can be simulated.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "geometry/simplex_mesh.h"

namespace firn {

// More cells than this are refused wherever meshes are made or read.
constexpr std::size_t kMostSimplices = 50'000'000;
constexpr double kFarthestPoint = 1e12;  // m

// Empty when a solver may use the mesh; otherwise one line for each flaw, with the number of the
// cell or point (from 0): indices out of range, coordinates that are not finite or beyond 1e12 m,
// inverted and flat cells, two cells of the same corners, points that no cell names. Eight lines of
// a kind at most, then how many more there are. `name` is what a cell is called, "cell 7" if
// nothing is given.
template <int D>
Errors mesh_problems(const SimplexMesh<D>& mesh,
                     const std::function<std::string(std::size_t)>& name = {});

}  // namespace firn
