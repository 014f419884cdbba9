// What the cells around a node are like, for particles that show it: means by volume at rest.
#pragma once

#include <vector>

#include "base/mat.h"
#include "fem/fem_model.h"

namespace firn {

template <int D>
struct NodeValues {
  Mat<double, D> deformation = Mat<double, D>::zero();
  // The mean Cauchy stress times the determinant of `deformation`, Pa.
  SymMat<double, D> kirchhoff = SymMat<double, D>::isotropic(0);
};

template <int D>
std::vector<NodeValues<D>> node_values(const FemModel<D>& model, const double* x);

}  // namespace firn
