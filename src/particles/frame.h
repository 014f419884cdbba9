// A frame: points with named columns, meshes between some of them, and where bodies are. It passes
// whole between worlds, files, renderers and windows.
#pragma once

#include "base/quaternion.h"
#include "particles/point_table.h"

namespace firn {

// Cells between points, whose corners are named by Corner. Points in no cell are particles.
template <class Corner>
struct CellMesh {
  std::string name;
  std::vector<Corner> triangles;   // three each, counter-clockwise from outside
  std::vector<Corner> tetrahedra;  // four each; none: the mesh is a surface
  PointTable values;  // one row a tetrahedron, or a triangle where there are none; or no columns

  std::size_t cells() const {
    return tetrahedra.empty() ? triangles.size() / 3 : tetrahedra.size() / 4;
  }
};
// In a frame corners are rows of its points, which carry every field already.
using FrameMesh = CellMesh<std::uint32_t>;
// A solver names them by ids, which stay the same however particles are sorted.
using SolverMesh = CellMesh<std::uint64_t>;

// Where a body is, relative to how the scene places it: it is turned and scaled about its centre.
struct BodyPose {
  std::string name;
  Vec3d position{{0, 0, 0}};  // of its centre, m
  Quaternion rotation;
  double scale = 1;
  Vec3d velocity{{0, 0, 0}};  // of its centre, m/s
  Vec3d spin{{0, 0, 0}};      // rad/s
};

struct Frame : PointTable {
  Frame() = default;
  Frame(PointTable points) : PointTable(std::move(points)) {}  // points alone are a frame

  std::vector<FrameMesh> meshes;
  std::vector<BodyPose> bodies;
};

// By point: whether it is a corner of any cell.
std::vector<bool> points_in_cells(const Frame& frame);

// What is wrong with the meshes of a frame; "": nothing. Corners must be points, cells complete,
// values one a cell.
std::string mesh_problem(const Frame& frame);

}  // namespace firn
