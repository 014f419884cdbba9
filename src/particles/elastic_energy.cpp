#include "particles/elastic_energy.h"

namespace firn {
namespace {

template <class Model, class T, int D>
double model_energy(const MaterialSet<T, D>& material, std::uint32_t begin, std::uint32_t end) {
  const ParticleSet<T, D>& set = material.particles;
  const Columns<T>&gradient = set[column::gradient], &scalar = set[column::scalar],
        &stiffness = set[column::stiffness], &varied = set[column::varied];
  if (scalar.components() < Model::kScalars || gradient.components() < (Model::kHasF ? D * D : 0) ||
      stiffness.components() == 0)
    return 0;
  const ParticleParameters<Model> model(std::get<typename Model::Parameters>(material.parameters),
                                        material.varied);
  double energy = 0;
  for (std::uint32_t p = begin; p < end; ++p) {
    MaterialState<double, D, Model::kScalars> state;
    if constexpr (Model::kHasF)
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) state.F(i, j) = gradient[i * D + j][p];
    for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = scalar[k][p];
    const auto constants =
        Model::template constants<double, D>(model.of(varied, p), double(stiffness[0][p]));
    energy += double(set.volume[0][p]) * Model::template energy<double, D>(constants, state);
  }
  return energy;
}

}  // namespace

template <class T, int D>
double elastic_energy(const MaterialSet<T, D>& set, std::uint32_t begin, std::uint32_t end) {
  return visit_model(static_cast<int>(set.parameters.index()), [&](auto tag) {
    return model_energy<typename decltype(tag)::type, T, D>(set, begin, end);
  });
}

#define FIRN_INSTANTIATE(T, D) \
  template double elastic_energy<T, D>(const MaterialSet<T, D>&, std::uint32_t, std::uint32_t);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
