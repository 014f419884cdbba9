#pragma once

#include "cuda/memory.h"
#include "mpm_cuda/implicit_material.h"
#include "mpm_cuda/implicit_material_launch.h"

namespace firn {

// f(model): what kernels take of a set's parameters, in the type of its model.
template <class T, int D, class F>
void with_model(const ImplicitSet<T, D>& of, const F& f) {
  if (of.set.capacity == 0) return;
  visit_model(static_cast<int>(of.parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    const auto& model = std::get<typename Model::Parameters>(of.parameters);
    f(EitherModel<Model, T, D>{
        {Model::template constants<T, D>(model, T(1)), T(viscosity_of<Model>(model))},
        {spread_parameters<Model, T>(model)}});
  });
  must(cudaGetLastError(), "materials of an implicit step");
}
template <class Model, class T, int D>
std::type_identity<Model> model_of(const EitherModel<Model, T, D>&);

template <class T, int D>
int ImplicitMaterials<T, D>::sums(const SetView<T>& set) {
  return static_cast<int>((set.capacity + kMaterialThreads - 1) / kMaterialThreads);
}
template <class T, int D>
int ImplicitMaterials<T, D>::tangent_columns(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()), [](auto tag) {
    return TangentOf<typename decltype(tag)::type, T, D>::kCount;
  });
}
template <class T, int D>
bool ImplicitMaterials<T, D>::holds(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()),
                     [](auto tag) { return holds_law<typename decltype(tag)::type>; });
}

template <class T, int D>
void ImplicitMaterials<T, D>::evaluate(const ImplicitSet<T, D>& of, const ParticleColumns<T>& rates,
                                       const T* held, T* next_held, double* energies,
                                       double* next_energies) {
  with_model(of, [&](const auto& model) {
    using Model = typename decltype(model_of(model))::type;
    evaluate_kernel<Model, T, D><<<sums(of.set), kMaterialThreads, 0, of.stream>>>(
        of.view, of.set, model, rates, held, next_held, energies, next_energies);
  });
}
template <class T, int D>
void ImplicitMaterials<T, D>::linearize(const ImplicitSet<T, D>& of,
                                        const ParticleColumns<T>& rates, const T* held,
                                        bool clamped, const ParticleColumns<T>& tangents) {
  with_model(of, [&](const auto& model) {
    using Model = typename decltype(model_of(model))::type;
    linearize_kernel<Model, T, D><<<sums(of.set), kMaterialThreads, 0, of.stream>>>(
        of.view, of.set, model, rates, held, clamped, tangents);
  });
}
template <class T, int D>
void ImplicitMaterials<T, D>::start_holding(const ImplicitSet<T, D>& of, T* held) {
  with_model(of, [&](const auto& model) {
    using Model = typename decltype(model_of(model))::type;
    if constexpr (holds_law<Model>)
      start_holding_kernel<Model, T, D>
          <<<sums(of.set), kMaterialThreads, 0, of.stream>>>(of.view, of.set, model, held);
  });
}
template <class T, int D>
void ImplicitMaterials<T, D>::stiffness(const ImplicitSet<T, D>& of, double* stiffnesses) {
  with_model(of, [&](const auto& model) {
    using Model = typename decltype(model_of(model))::type;
    stiffness_kernel<Model, T, D>
        <<<sums(of.set), kMaterialThreads, 0, of.stream>>>(of.view, of.set, model, stiffnesses);
  });
}

}  // namespace firn
