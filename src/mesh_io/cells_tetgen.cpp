// TetGen and Triangle: points in .node, cells in .ele, counted from 0 or 1.
#include "mesh_io/number_stream.h"
#include "mesh_io/simplex_formats.h"

namespace firn {
namespace {

constexpr CellKind kTetgenTriangle{"triangle", 2, true, 3},
    kTetgenTriangle6{"triangle", 2, true, 6}, kTetgenTetrahedron{"tetrahedron", 3, true, 4},
    kTetgenTetrahedron10{"tetrahedron", 3, true, 10};

// Rows have further numbers behind those that count; they end with the line.
std::string read_tetgen_nodes(std::string_view text, CellList& cells, std::int64_t& dimension) {
  NumberStream in(text, NumberForm::text, '#');
  std::int64_t count = 0, number = 0;
  if (!in.integer(count) || !in.integer(dimension) || dimension < 2 || dimension > 3)
    return ".node file: its first line is not \"points dimension attributes markers\"";
  in.skip_line();
  for (std::int64_t i = 0; i < count; ++i) {
    Vec3d x = Vec3d::zero();
    if (!in.integer(number)) return ends_early("point", i);
    for (std::int64_t k = 0; k < dimension; ++k)
      if (!in.real(x[static_cast<int>(k)])) return ends_early("point", number);
    in.skip_line();
    cells.add_point(number, x);
  }
  return "";
}

const CellKind* tetgen_kind(std::int64_t dimension, std::int64_t corners) {
  if (dimension == 2)
    return corners == 3 ? &kTetgenTriangle : corners == 6 ? &kTetgenTriangle6 : nullptr;
  return corners == 4 ? &kTetgenTetrahedron : corners == 10 ? &kTetgenTetrahedron10 : nullptr;
}

}  // namespace

std::string parse_tetgen(std::string_view nodes, std::string_view elements, CellList& cells) {
  std::int64_t dimension = 0, count = 0, nodes_of_cell = 0, number = 0, corners[10] = {};
  const std::string fault = read_tetgen_nodes(nodes, cells, dimension);
  if (!fault.empty()) return fault;
  NumberStream in(elements, NumberForm::text, '#');
  if (!in.integer(count) || !in.integer(nodes_of_cell))
    return ".ele file: its first line is not \"elements corners attributes\"";
  const CellKind* kind = tetgen_kind(dimension, nodes_of_cell);
  if (kind == nullptr)
    return ".ele file: elements of " + std::to_string(nodes_of_cell) + " corners in " +
           std::to_string(dimension) + " dimensions are not read; write linear or quadratic ones";
  in.skip_line();
  for (std::int64_t i = 0; i < count; ++i) {
    if (!in.integer(number)) return ends_early("element", i);
    for (int k = 0; k < kind->nodes; ++k)
      if (!in.integer(corners[k])) return ends_early("element", number);
    in.skip_line();
    const std::string refused = cells.add_cell(number, *kind, corners);
    if (!refused.empty()) return refused;
  }
  return "";
}

}  // namespace firn
