#include "fem/body_mesh.h"

#include "fem/self_mesh.h"

namespace firn {
namespace {

// Cells of second order are shown as the linear ones between all their nodes.
template <int D>
std::vector<SelfCell<D>> shown_cells(const typename FemModel<D>::Body& body) {
  if (body.as_given.order == 2) return linear_parts<D>(body.cells);
  std::vector<SelfCell<D>> cells(body.cells.size() / (D + 1));
  for (std::size_t k = 0; k < body.cells.size(); ++k)
    cells[k / (D + 1)][k % (D + 1)] = body.cells[k];
  return cells;
}

template <int D>
void add_values(const typename FemModel<D>::Body& body, const double* x, std::size_t parts,
                PointTable& values) {
  static constexpr const char* kNames[2][6] = {
      {"stress_xx", "stress_yy", "stress_xy", "", "", ""},
      {"stress_xx", "stress_yy", "stress_zz", "stress_yz", "stress_xz", "stress_xy"}};
  const std::vector<CellValues> found = body.elastic->values(x);
  values.count = found.size() * parts;
  const auto fill = [&](const char* name, auto&& value_of) {
    auto& column = values.add<float>(name);
    for (std::size_t k = 0; k < values.count; ++k)
      column[k] = static_cast<float>(value_of(found[k / parts]));
  };
  fill("det_F", [](const CellValues& c) { return c.volume_ratio; });
  fill("von_mises", [](const CellValues& c) { return c.von_mises; });
  for (int k = 0; k < D * (D + 1) / 2; ++k)
    fill(kNames[D - 2][k], [k](const CellValues& c) { return c.stress[k]; });
}

}  // namespace

template <int D>
SolverMesh body_mesh(const typename FemModel<D>::Body& body, const std::vector<std::uint64_t>& id,
                     const double* x) {
  SolverMesh mesh;
  mesh.name = body.as_given.name;
  const std::vector<SelfCell<D>> cells = shown_cells<D>(body);
  if constexpr (D == 2) {
    for (const auto& cell : cells)
      for (const std::uint32_t node : cell) mesh.triangles.push_back(id[node]);
  } else {
    for (const auto& face : boundary_of<3>(cells))
      for (const std::uint32_t node : face) mesh.triangles.push_back(id[node]);
    for (const auto& cell : cells)
      for (const std::uint32_t node : cell) mesh.tetrahedra.push_back(id[node]);
  }
  add_values<D>(body, x, cells.size() / body.elastic->count(), mesh.values);
  return mesh;
}

template SolverMesh body_mesh<2>(const FemModel<2>::Body&, const std::vector<std::uint64_t>&,
                                 const double*);
template SolverMesh body_mesh<3>(const FemModel<3>::Body&, const std::vector<std::uint64_t>&,
                                 const double*);

}  // namespace firn
