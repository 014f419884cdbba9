#include "particles/elastic_energy.h"

#include "particles/matter.h"

namespace firn {
namespace {

// parameters_of(p) are those of particle p. They come from outside, so that where all particles
// have the same ones the loop is compiled without a look at any of them: sums keep their last bit.
template <class Model, class T, int D, class ParametersOf>
double sum_of_energies(const ParticleSet<T, D>& set, std::uint32_t begin, std::uint32_t end,
                       const ParametersOf& parameters_of) {
  const Columns<T>&gradient = set[column::gradient], &scalar = set[column::scalar],
        &stiffness = set[column::stiffness];
  if (scalar.components() < Model::kScalars || gradient.components() < (Model::kHasF ? D * D : 0) ||
      stiffness.components() == 0)
    return 0;
  double energy = 0;
  for (std::uint32_t p = begin; p < end; ++p) {
    const auto state = load_state<Model>(set, p);
    const auto constants =
        Model::template constants<double, D>(parameters_of(p), double(stiffness[0][p]));
    energy += double(set.volume[0][p]) * Model::template energy<double, D>(constants, state);
  }
  return energy;
}

template <class Model, class T, int D>
double model_energy(const MaterialSet<T, D>& material, std::uint32_t begin, std::uint32_t end) {
  using Parameters = typename Model::Parameters;
  const ParticleSet<T, D>& set = material.particles;
  const auto& same = std::get<Parameters>(material.parameters);
  if (material.varied.empty())
    return sum_of_energies<Model>(set, begin, end,
                                  [&](std::uint32_t) -> const Parameters& { return same; });
  const ParticleParameters<Model> own(same, material.varied);
  const Columns<T>& varied = set[column::varied];
  return sum_of_energies<Model>(set, begin, end,
                                [&](std::uint32_t p) { return own.of(varied, p); });
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
