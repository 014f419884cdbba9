// The models that cells may be made of, and where each is compiled.
#pragma once

#include "fem/elastic_cells.h"

namespace firn {

// Elastic solids, and the one whose stress relaxes. What yields flows out of its mesh.
template <class Model>
constexpr bool is_solid_of_cells() {
  return std::is_same_v<Model, StVenantKirchhoff> || std::is_same_v<Model, Hencky> ||
         std::is_same_v<Model, NeoHookean> || std::is_same_v<Model, FixedCorotated> ||
         std::is_same_v<Model, StableNeoHookean> || std::is_same_v<Model, Viscoelastic>;
}

template <class Model, int D, int Order>
std::unique_ptr<ElasticCells<D>> make_cells_of(const FemBody<D>& body,
                                               const std::vector<std::uint32_t>& cells,
                                               const typename Model::Parameters& parameters,
                                               std::size_t node_count);

}  // namespace firn
