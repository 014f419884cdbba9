// Meshes of triangles and tetrahedra from files and to files: Gmsh (.msh 2.2 and 4.1), VTK (.vtk,
// .vtu), Medit (.mesh, .meshb), TetGen and Triangle (.node with .ele).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "geometry/simplex_mesh.h"

namespace firn {

template <int D>
struct LoadedSimplexMesh {
  SimplexMesh<D> mesh;                // without problems (geometry/simplex_check.h)
  std::vector<std::string> warnings;  // what was mended, one line each
};

// In the file's own units and axes. 3D: tetrahedra, 2D: triangles in a plane of constant z; cells
// of fewer dimensions are passed over, others refused. Quadratic cells are read as their corners.
// Cells that are inside out are turned round, points that no cell names dropped. Of .node and .ele
// either is given; the other lies beside it.
template <int D>
Result<LoadedSimplexMesh<D>> read_simplex_mesh(const std::filesystem::path& path);

// The reader on bytes in memory. The extension of `path` chooses the format; `beside` is the .ele
// file when `path` is a .node file.
template <int D>
Result<LoadedSimplexMesh<D>> parse_simplex_mesh(std::string_view bytes,
                                                const std::filesystem::path& path,
                                                std::string_view beside = {});

// Empty, or why no mesh can be written there by this name.
std::string simplex_name_fault(const std::filesystem::path& path);

// In the format that the extension says: .msh (2.2, text), .vtk (binary), .vtu (binary), .mesh,
// .node or .ele (both files). Numbers are exact: what is read back is the same mesh. Files appear
// when they are complete. The answer: the files.
template <int D>
Result<std::vector<std::filesystem::path>> write_simplex_mesh(const std::filesystem::path& path,
                                                              const SimplexMesh<D>& mesh);

}  // namespace firn
