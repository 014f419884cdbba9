// All bodies of a scene as one set of nodes: masses, cells, the pattern of the matrix. Nodes are in
// an order of the solver's own, near to near.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fem/elastic_cells.h"

namespace firn {

template <int D>
struct FemModel {
  struct Body {
    FemBody<D> as_given;  // without its nodes and cells
    std::size_t nodes = 0;
    std::vector<std::uint32_t> cells;  // nodes of the model
    std::unique_ptr<ElasticCells<D>> elastic;
  };
  // `parameters`: by set of particles. Errors name bodies.
  static std::string problem(const std::vector<FemBody<D>>& bodies);
  FemModel() = default;
  FemModel(std::vector<FemBody<D>> bodies, const std::vector<ModelParameters>& parameters);

  std::size_t nodes() const { return mass.size(); }
  std::size_t bytes() const;

  std::vector<Body> bodies;
  std::vector<std::uint64_t> id;          // of each node's particle
  std::vector<std::uint32_t> node_of_id;  // ids less first_id
  std::uint64_t first_id = 0;
  std::vector<double> mass;              // kg
  std::vector<double> modulus;           // Pa, the stiffest of what is around a node
  std::vector<double> mass_damping;      // 1/s
  std::vector<double> rest;              // m, D a node
  BlockMatrix<D> pattern;                // without values of its own
  double total_mass = 0, edge = 0;       // kg; m, mean
  bool damped = false, viscous = false;  // by stiffness or viscosity

  std::uint32_t node(std::uint64_t of_id) const { return node_of_id[of_id - first_id]; }
};

}  // namespace firn
