#include "fem/elastic_cells.h"

#include <cmath>

#include "fem/elastic_models.h"

namespace firn {

template <int D>
double von_mises(const double* s, double poisson_ratio) {
  const double across = D == 3 ? s[2] : poisson_ratio * (s[0] + s[1]);
  double shear2 = 0;
  for (int k = D; k < D * (D + 1) / 2; ++k) shear2 += s[k] * s[k];
  return std::sqrt(0.5 * ((s[0] - s[1]) * (s[0] - s[1]) + (s[1] - across) * (s[1] - across) +
                          (across - s[0]) * (across - s[0])) +
                   3 * shear2);
}
template double von_mises<2>(const double*, double);
template double von_mises<3>(const double*, double);

template <int D>
std::unique_ptr<ElasticCells<D>> make_elastic_cells(const FemBody<D>& body,
                                                    const std::vector<std::uint32_t>& cells,
                                                    const ModelParameters& parameters,
                                                    std::size_t node_count) {
  std::unique_ptr<ElasticCells<D>> made;
  visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    if constexpr (is_solid_of_cells<Model>()) {
      const auto& p = std::get<typename Model::Parameters>(parameters);
      made = body.order == 2 ? make_cells_of<Model, D, 2>(body, cells, p, node_count)
                             : make_cells_of<Model, D, 1>(body, cells, p, node_count);
    }
  });
  return made;
}

template std::unique_ptr<ElasticCells<2>> make_elastic_cells<2>(const FemBody<2>&,
                                                                const std::vector<std::uint32_t>&,
                                                                const ModelParameters&,
                                                                std::size_t);
template std::unique_ptr<ElasticCells<3>> make_elastic_cells<3>(const FemBody<3>&,
                                                                const std::vector<std::uint32_t>&,
                                                                const ModelParameters&,
                                                                std::size_t);

}  // namespace firn
