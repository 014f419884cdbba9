// The readers of simplex_file.h, one file format each, on bytes in memory, and what they fill.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/vec.h"
#include "mesh_io/simplex_file.h"

namespace firn {

// A kind of cell that a format knows.
struct CellKind {
  const char* name;
  int dimension;
  bool is_simplex;  // a triangle or tetrahedron, whose corners come first
  int nodes;        // 0: as many as the file says
};

// Points and cells under the numbers that a file gives them, before they are known to be a mesh.
class CellList {
 public:
  // `word` is what the format calls a cell.
  explicit CellList(int dimension, const char* word = "element")
      : dimension_(dimension), word_(word) {}

  void call_cells(const char* word) { word_ = word; }
  void add_point(std::int64_t number, const Vec3d& x);
  // Passes over what has fewer dimensions. Empty, or why the mesh is of no use.
  std::string add_cell(std::int64_t number, const CellKind& kind, const std::int64_t* corners);
  std::size_t points() const { return points_.size(); }

  // Checked and mended. Lines do not name the file.
  template <int D>
  Result<LoadedSimplexMesh<D>> mesh() const;

 private:
  struct Cell {
    std::int64_t number;
    std::array<std::int64_t, 4> corners;
  };

  std::string cell_name(std::size_t cell) const;
  std::string no_cells() const;
  // Fills in the points' places for their numbers. Empty, or what is wrong.
  std::string resolve(std::vector<std::array<std::uint32_t, 4>>& cells) const;
  template <int D>
  std::string take_points(SimplexMesh<D>& mesh) const;

  int dimension_;
  const char* word_;
  std::vector<Vec3d> points_;
  std::vector<std::int64_t> numbers_;  // of points
  std::vector<Cell> cells_;
  std::size_t passed_over_ = 0;
  bool quadratic_ = false;
};

// Each: empty, or what is wrong with the file.
std::string parse_gmsh(std::string_view bytes, CellList& cells);
std::string parse_vtk_cells(std::string_view bytes, CellList& cells);
std::string parse_vtu_cells(std::string_view bytes, CellList& cells);
std::string parse_medit(std::string_view text, CellList& cells);
std::string parse_medit_binary(std::string_view bytes, CellList& cells);
// The .node and the .ele file.
std::string parse_tetgen(std::string_view nodes, std::string_view elements, CellList& cells);

// What VTK calls a kind of cell; null: none that is known.
const CellKind* vtk_cell_kind(std::int64_t type);

// "element 7: the file ends early, or a value is no number"
std::string ends_early(const char* word, std::int64_t number);

}  // namespace firn
