// The surface of a mesh of simplices: its faces, and whether they close.
#pragma once

#include "geometry/simplex_mesh.h"

namespace firn {

// A triangle, in 2D an edge, and the cell that it belongs to.
template <int D>
struct BoundaryFace {
  std::array<std::uint32_t, D> corners;  // counter-clockwise from outside; in 2D the inside is left
  std::uint32_t cell;
};

// Faces that belong to one cell only, oriented outwards, by cell and then by the corner that they
// lie opposite to.
template <int D>
std::vector<BoundaryFace<D>> boundary_faces(const SimplexMesh<D>& mesh);

// What the boundary is like. Cells must be positively oriented.
struct BoundarySurvey {
  std::size_t faces = 0, points = 0;
  std::size_t crowded_faces = 0;   // shared by three cells or more, or by two that overlap
  std::uint32_t crowded_cell = 0;  // one of those that share such a face, where there is one
  std::size_t open_ridges = 0;     // edges (2D: points) that do not join exactly two boundary faces
  std::size_t pinched_points = 0;  // where the boundary touches itself in a point
  std::int64_t euler = 0;          // points - edges + faces: 2 for a ball, 0 for a torus

  bool is_closed_manifold() const {
    return crowded_faces == 0 && open_ridges == 0 && pinched_points == 0;
  }
};

template <int D>
BoundarySurvey survey_boundary(const SimplexMesh<D>& mesh);

// Parts that share no face: how many bodies the mesh is.
template <int D>
std::size_t count_bodies(const SimplexMesh<D>& mesh);

}  // namespace firn
