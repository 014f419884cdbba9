// What the particles of one material add to an implicit step (mpm/implicit_particle.h), one thread
// a particle, whatever its block. As mpm/implicit_material.cpp has it on the CPU.
#pragma once

#include "mpm/implicit_particle.h"
#include "mpm_cuda/gather.h"
#include "mpm_cuda/implicit_maps.h"

namespace firn {

constexpr int kMaterialThreads = 128;

// Constants of a model: the same for all particles, or with values of their own.
template <class Model, class T, int D>
struct EitherModel {
  SameModel<Model, T, D> same;
  VariedModel<Model, T, D> varied;

  __device__ SameModel<Model, T, D> of(const SetView<T>& set,
                                       const ParticleWords<T>& particle) const {
    return set.varied_count > 0 ? varied.of(set, particle) : same;
  }
};

template <class Model, class T, int D>
__device__ StepParticle<Model, T, D> step_particle(const SetView<T>& set,
                                                   const ParticleWords<T>& particle,
                                                   const EitherModel<Model, T, D>& source, T dt) {
  using C = ModelColumns<Model, D>;
  StepParticle<Model, T, D> r;
  const SameModel<Model, T, D> model = source.of(set, particle);
  r.constants =
      model.constants.stiffened(set.stiffness < 0 ? set.same_stiffness : particle[set.stiffness]);
  r.viscosity = model.viscosity;
  r.dt = dt;
  r.volume = stressed_volume(set, particle);
  if constexpr (Model::kHasF)
    for (int k = 0; k < D * D; ++k) r.state.F(k / D, k % D) = particle[C::kGradient + k];
  for (int k = 0; k < Model::kScalars; ++k) r.state.scalar[k] = particle[C::kScalar + k];
  r.source = T(0);
  if constexpr (!Model::kHasF) r.source = particle[C::kSource];
  if constexpr (keeps_dilation<Model>) {
    if (set.source >= 0) r.source = particle[set.source];
    r.state.scalar[Model::kDilation] += dt * r.source;
  }
  r.has_dilation = set.loose >= 0;
  if (r.has_dilation) r.dilation = particle[set.loose];
  return r;
}

template <class T, int D>
__device__ Mat<T, D> load_rate(const ParticleColumns<T>& rates, std::uint32_t p) {
  Mat<T, D> rate;
  for (int k = 0; k < D * D; ++k) rate(k / D, k % D) = rates.at(k, p);
  return rate;
}

// The particle of this thread; false where there is none.
template <class T, int D>
__device__ bool own_particle(const View<T, D>& view, const SetView<T>& set, std::uint32_t& p) {
  const Control& control = *view.control;
  p = blockIdx.x * kMaterialThreads + threadIdx.x;
  return p < set.begin[control.parity][control.occupied];
}
// The sum over a thread block, in a fixed order, for thread 0.
__device__ inline double sum_of_threads(double mine) {
  __shared__ double of_warp[kMaterialThreads / 32];
  const double sum = warp_sum(mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  double total = 0;
  for (int w = 0; w < kMaterialThreads / 32; ++w) total += of_warp[w];
  return total;
}

// Velocity gradients become the derivatives of the potential by them; energies[thread block], J.
// With a place for what laws hold next the derivatives are those with that.
template <class Model, class T, int D>
__global__ void __launch_bounds__(kMaterialThreads)
    evaluate_kernel(const __grid_constant__ View<T, D> view, const __grid_constant__ SetView<T> set,
                    const __grid_constant__ EitherModel<Model, T, D> source,
                    ParticleColumns<T> rates, const T* held, T* next_held, double* energies,
                    double* next_energies) {
  const bool renews = holds_law<Model> && next_held;
  std::uint32_t p;
  double energy = 0, next_energy = 0;
  if (own_particle(view, set, p)) {
    StepParticle<Model, T, D> particle = step_particle<Model, T, D>(
        set, ParticleWords<T>(set, *set.base_row, p), source, T(view.control->dt));
    if constexpr (holds_law<Model>) particle.held = held[p];
    Mat<T, D> push;
    typename StepParticle<Model, T, D>::Next next{};
    energy = double(
        particle.evaluate(load_rate<T, D>(rates, p), push, nullptr, renews ? &next : nullptr));
    for (int k = 0; k < D * D; ++k) rates.at(k, p) = push(k / D, k % D);
    if (renews) {
      next_held[p] = next.held;
      next_energy = double(next.energy);
    }
  }
  const double sum = sum_of_threads(energy);
  if (threadIdx.x == 0) energies[blockIdx.x] = next_energies[blockIdx.x] = sum;
  if (!renews) return;
  __syncthreads();  // all have read the sums of warps
  const double next_sum = sum_of_threads(next_energy);
  if (threadIdx.x == 0) next_energies[blockIdx.x] = next_sum;
}

template <class Model, class T, int D>
__global__ void __launch_bounds__(kMaterialThreads)
    linearize_kernel(const __grid_constant__ View<T, D> view,
                     const __grid_constant__ SetView<T> set,
                     const __grid_constant__ EitherModel<Model, T, D> source,
                     ParticleColumns<T> rates, const T* held, bool clamped,
                     ParticleColumns<T> tangents) {
  std::uint32_t p;
  if (!own_particle(view, set, p)) return;
  StepParticle<Model, T, D> particle = step_particle<Model, T, D>(
      set, ParticleWords<T>(set, *set.base_row, p), source, T(view.control->dt));
  if constexpr (holds_law<Model>) particle.held = held[p];
  auto tangent = particle.tangent(load_rate<T, D>(rates, p), clamped);
  int c = 0;
  tangent.for_each([&](T& x) { tangents.at(c++, p) = x; });
}

// What a law holds fixed at first.
template <class Model, class T, int D>
__global__ void __launch_bounds__(kMaterialThreads)
    start_holding_kernel(const __grid_constant__ View<T, D> view,
                         const __grid_constant__ SetView<T> set,
                         const __grid_constant__ EitherModel<Model, T, D> source, T* held) {
  std::uint32_t p;
  if (!own_particle(view, set, p)) return;
  const StepParticle<Model, T, D> particle = step_particle<Model, T, D>(
      set, ParticleWords<T>(set, *set.base_row, p), source, T(view.control->dt));
  held[p] = particle.held_at_rest();
}

// stiffnesses[thread block], J: V M without strain.
template <class Model, class T, int D>
__global__ void __launch_bounds__(kMaterialThreads)
    stiffness_kernel(const __grid_constant__ View<T, D> view,
                     const __grid_constant__ SetView<T> set,
                     const __grid_constant__ EitherModel<Model, T, D> source, double* stiffnesses) {
  std::uint32_t p;
  double stiffness = 0;
  if (own_particle(view, set, p)) {
    const StepParticle<Model, T, D> particle = step_particle<Model, T, D>(
        set, ParticleWords<T>(set, *set.base_row, p), source, T(view.control->dt));
    stiffness = double(particle.modulus() * particle.volume);
  }
  const double sum = sum_of_threads(stiffness);
  if (threadIdx.x == 0) stiffnesses[blockIdx.x] = sum;
}

}  // namespace firn
