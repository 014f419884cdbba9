#include "fem/node_values.h"

#include <cmath>

namespace firn {
namespace {

// As a multiple of the cell's volume at rest, by its corners.
template <int D>
double cell_weight(const FemBody<D>& body, const std::uint32_t* nodes) {
  Mat<double, D> edges;
  for (int j = 0; j < D; ++j)
    for (int i = 0; i < D; ++i) edges(i, j) = body.rest[nodes[j + 1]][i] - body.rest[nodes[0]][i];
  return std::abs(determinant(edges));
}

}  // namespace

template <int D>
std::vector<NodeValues<D>> node_values(const FemModel<D>& model, const double* x) {
  std::vector<NodeValues<D>> list(model.nodes());
  std::vector<double> weights(model.nodes(), 0);
  for (const auto& body : model.bodies) {
    const std::vector<CellValues> cells = body.elastic->values(x);
    const auto size = static_cast<std::size_t>(nodes_of_cell(D, body.as_given.order));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const double weight = cell_weight(body.as_given, &body.as_given.cells[c * size]);
      for (std::size_t k = 0; k < size; ++k) {
        const std::uint32_t node = body.cells[c * size + k];
        weights[node] += weight;
        for (int e = 0; e < D * D; ++e)
          list[node].deformation(e / D, e % D) += weight * cells[c].deformation[e];
        for (int e = 0; e < SymMat<double, D>::kSize; ++e)
          list[node].kirchhoff.e[e] += weight * cells[c].stress[e];
      }
    }
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    for (int e = 0; e < D * D; ++e) list[i].deformation(e / D, e % D) /= weights[i];
    const double factor = determinant(list[i].deformation) / weights[i];
    for (double& stress : list[i].kirchhoff.e) stress *= factor;
  }
  return list;
}

template std::vector<NodeValues<2>> node_values<2>(const FemModel<2>&, const double*);
template std::vector<NodeValues<3>> node_values<3>(const FemModel<3>&, const double*);

}  // namespace firn
