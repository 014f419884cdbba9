#include "sim/frame_meshes.h"

namespace firn {
namespace {

// The cells whose corners are all there, as rows. `kept` are the numbers of these cells.
std::vector<std::uint32_t> rows_of_cells(const std::vector<std::uint64_t>& corners,
                                         std::size_t corners_a_cell,
                                         const std::vector<std::uint64_t>& ids,
                                         std::vector<std::size_t>& kept) {
  std::vector<std::uint32_t> rows;
  for (std::size_t cell = 0; (cell + 1) * corners_a_cell <= corners.size(); ++cell) {
    const std::size_t before = rows.size();
    for (std::size_t k = 0; k < corners_a_cell; ++k) {
      const std::uint64_t id = corners[cell * corners_a_cell + k];
      const auto found = std::lower_bound(ids.begin(), ids.end(), id);
      if (found == ids.end() || *found != id) break;
      rows.push_back(static_cast<std::uint32_t>(found - ids.begin()));
    }
    if (rows.size() == before + corners_a_cell)
      kept.push_back(cell);
    else
      rows.resize(before);
  }
  return rows;
}

void keep_rows(PointTable& table, const std::vector<std::size_t>& kept) {
  for (Column& column : table.columns)
    std::visit(
        [&](auto& values) {
          for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
          values.resize(kept.size());
        },
        column.values);
  table.count = kept.size();
}

}  // namespace

std::vector<FrameMesh> frame_meshes(std::vector<SolverMesh> meshes,
                                    const std::vector<std::uint64_t>& ids) {
  std::vector<FrameMesh> list;
  for (SolverMesh& mesh : meshes) {
    FrameMesh& made = list.emplace_back();
    std::vector<std::size_t> triangles, tetrahedra;
    made.name = std::move(mesh.name);
    made.triangles = rows_of_cells(mesh.triangles, 3, ids, triangles);
    made.tetrahedra = rows_of_cells(mesh.tetrahedra, 4, ids, tetrahedra);
    made.values = std::move(mesh.values);
    keep_rows(made.values, mesh.tetrahedra.empty() ? triangles : tetrahedra);
  }
  return list;
}

}  // namespace firn
