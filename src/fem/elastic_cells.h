// The cells of a body and their elastic energy: forces, second derivatives, what a step leaves in
// them. Cells are taken a pack at a time; chunks of packs that share no node have one colour and
// may be added up side by side, so that sums do not depend on threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/buffer.h"
#include "fem/block_matrix.h"
#include "fem/fem_body.h"
#include "material/models.h"

namespace firn {

// What a cell is like, for frames: mean over its points.
struct CellValues {
  double volume_ratio = 1;                // det F
  double deformation[9] = {};             // F, row by row
  double stress[6] = {0, 0, 0, 0, 0, 0};  // Cauchy, SymMat's order, Pa
  double von_mises = 0;                   // Pa
};

// Of a Cauchy stress; in 2D with the stress across the plane that Hooke's law gives.
template <int D>
double von_mises(const double* stress, double poisson_ratio);

template <int D>
class ElasticCells {
 public:
  virtual ~ElasticCells() = default;

  virtual std::size_t count() const = 0;
  // Energy at x, J; adds its derivatives to g. Where the material does not hold it is
  // kInadmissibleEnergy or more.
  virtual double energy(const double* x, double* g) const = 0;
  // The pattern of the matrices that are added to.
  virtual void use(const BlockMatrix<D>& pattern) = 0;
  // Adds the second derivatives at x, `factor` times; with `definite` those of every point made
  // positive semidefinite.
  virtual void add_stiffness(const double* x, bool definite, double factor,
                             BlockMatrix<D>& to) const = 0;
  // Whether there is a resistance to the rate of strain, and its second derivatives by velocities,
  // at x.
  virtual bool is_viscous() const { return false; }
  virtual void add_viscosity(const double* /*x*/, BlockMatrix<D>& /*to*/) const {}
  // dt of the step to come, s: what relaxes depends on it.
  virtual void begin_step(double /*dt*/) {}
  // The step has led to x.
  virtual void end_step(const double* /*x*/) {}
  virtual std::vector<CellValues> values(const double* x) const = 0;

  // What a checkpoint keeps beside the places of nodes.
  virtual std::vector<double> save() const { return {}; }
  virtual bool load(const std::vector<double>& state) { return state.empty(); }
  virtual std::size_t bytes() const = 0;
};

// Of a body whose cells name its nodes by `cells` among `node_count` of all bodies; none where the
// model is no solid (fem/elastic_models.h).
template <int D>
std::unique_ptr<ElasticCells<D>> make_elastic_cells(const FemBody<D>& body,
                                                    const std::vector<std::uint32_t>& cells,
                                                    const ModelParameters& parameters,
                                                    std::size_t node_count);

}  // namespace firn
