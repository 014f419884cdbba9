// States and derivatives that the material tests share.
#pragma once

#include <gtest/gtest.h>

#include "material/models.h"
#include "random_matrices.h"

namespace firn::testing {

// The models of the list as test types: all of them, and those with a deformation gradient.
template <class List, class... Kept>
struct SolidTypes;
template <class... Kept>
struct SolidTypes<TypeList<>, Kept...> {
  using type = ::testing::Types<Kept...>;
};
template <class First, class... Others, class... Kept>
struct SolidTypes<TypeList<First, Others...>, Kept...>
    : std::conditional_t<First::kHasF, SolidTypes<TypeList<Others...>, Kept..., First>,
                         SolidTypes<TypeList<Others...>, Kept...>> {};
template <class List>
struct AllTypes;
template <class... Models>
struct AllTypes<TypeList<Models...>> {
  using type = ::testing::Types<Models...>;
};
using AllModels = AllTypes<ModelList>::type;
using Solids = SolidTypes<ModelList>::type;

template <class Model, int D>
MaterialState<double, D, Model::kScalars> initial_state() {
  MaterialState<double, D, Model::kScalars> state{};
  state.F = Mat<double, D>::identity();
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = Model::kScalarFields[k].initial;
  return state;
}

template <class Model, int D>
double energy_at(const typename Model::Parameters& p, const Mat<double, D>& F) {
  auto state = initial_state<Model, D>();
  state.F = F;
  return Model::template energy<double, D>(Model::template constants<double, D>(p, 1.0), state);
}

template <class Model, int D>
StressUpdate<double, D> update_at(const typename Model::Parameters& p, const Mat<double, D>& F) {
  auto state = initial_state<Model, D>();
  state.F = F;
  return Model::template update<double, D>(Model::template constants<double, D>(p, 1.0), state);
}

// (dPsi/dF) F^T by central differences of the energy.
template <class Model, int D>
Mat<double, D> stress_by_differences(const typename Model::Parameters& p, const Mat<double, D>& F) {
  const double step = 1e-6;
  Mat<double, D> P;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) {
      Mat<double, D> up = F, down = F;
      up(i, j) += step;
      down(i, j) -= step;
      P(i, j) = (energy_at<Model>(p, up) - energy_at<Model>(p, down)) / (2 * step);
    }
  return P * transpose(F);
}

}  // namespace firn::testing
