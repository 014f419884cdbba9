// GMRES of an implicit step that stays on the device: what solvers/gmres.h does, started from zero,
// with its numbers in device memory. The host starts vectors some at a time; those after the end of
// a cycle do nothing.
#pragma once

#include "mpm_cuda/implicit_nodes.h"
#include "solvers/gmres_scalars.h"

namespace firn {

template <class T>
struct GmresVectors {
  DeviceNode<T>*x, *z;
  DeviceNode<T>* basis[kMostBasis + 1];
};

template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    begin_gmres_kernel(const __grid_constant__ SumRoom room, const T* mass, const DeviceNode<T>* b,
                       const __grid_constant__ GmresVectors<T> vectors, GmresScalars* state) {
  const std::size_t i = own_node<D>();
  double terms[1] = {}, total[1];
  if (i < std::size_t(room.blocks) * BlockShape<D>::kNodes) {
    const DeviceNode<T> r = load_node(b + i);
    store_node(vectors.basis[0] + i, r);
    store_node(vectors.x + i, DeviceNode<T>{});
    terms[0] = mass_product<T, D>(mass[i], r, r);
  }
  if (sum_over_nodes<D>(room, terms, total)) state->begin(total[0]);
}

// The newest vector is scaled.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    scale_gmres_kernel(int blocks, const __grid_constant__ GmresVectors<T> vectors, int k,
                       const GmresScalars* state) {
  if (state->done || state->cycle_done) return;
  const std::size_t i = own_node<D>();
  if (i >= std::size_t(blocks) * BlockShape<D>::kNodes) return;
  const T scale = T(state->inverse_norm);
  DeviceNode<T> v = load_node(vectors.basis[k] + i);
  for (int a = 0; a < D; ++a) v.e[a] *= scale;
  store_node(vectors.basis[k] + i, v);
}
// z = B v, after the cycle for v.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    precondition_gmres_kernel(int blocks, const __grid_constant__ ContactView<T, D> contacts,
                              const __grid_constant__ PreconditionerView<T, D> preconditioner,
                              const DeviceNode<T>* v, DeviceNode<T>* to,
                              const GmresScalars* state) {
  if (state->done || state->cycle_done) return;
  const std::size_t i = own_node<D>();
  if (i >= std::size_t(blocks) * BlockShape<D>::kNodes) return;
  DeviceNode<T> z = preconditioner.apply(i, load_node(v + i));
  contacts.filter(i, z);
  store_node(to + i, z);
}

// A z from the arenas, and its product with the first vector.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    apply_gmres_kernel(const __grid_constant__ SumRoom room,
                       const __grid_constant__ HessianProduct<T, D> product,
                       const __grid_constant__ GmresVectors<T> vectors, int k,
                       GmresScalars* state) {
  if (state->done || state->cycle_done) return;
  const std::size_t i = own_node<D>();
  double terms[2] = {}, total[2];
  if (i < std::size_t(room.blocks) * BlockShape<D>::kNodes) {
    DeviceNode<T> next = product(i);
    product.contacts.filter(i, next);
    store_node(vectors.basis[k + 1] + i, next);
    terms[0] = mass_product<T, D>(product.mass[i], next, next);
    terms[1] = mass_product<T, D>(product.mass[i], next, load_node(vectors.basis[0] + i));
  }
  if (!sum_over_nodes<D>(room, terms, total)) return;
  state->norm_before = sqrt(total[0]);
  state->entries[0] = total[1];
  if (!isfinite(state->norm_before)) state->give_up();
}

// The newest vector loses its part along vector `from`; its product with the one after that.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    orthogonal_gmres_kernel(const __grid_constant__ SumRoom room, const T* mass,
                            const __grid_constant__ GmresVectors<T> vectors, int k, int from,
                            GmresScalars* state) {
  if (state->done || state->cycle_done) return;
  const std::size_t i = own_node<D>();
  double terms[1] = {}, total[1];
  if (i < std::size_t(room.blocks) * BlockShape<D>::kNodes) {
    const T part = T(state->entries[from]);
    const DeviceNode<T> v = load_node(vectors.basis[from] + i);
    DeviceNode<T> next = load_node(vectors.basis[k + 1] + i);
    for (int a = 0; a < D; ++a) next.e[a] -= part * v.e[a];
    store_node(vectors.basis[k + 1] + i, next);
    const DeviceNode<T> other = from < k ? load_node(vectors.basis[from + 1] + i) : next;
    terms[0] = mass_product<T, D>(mass[i], next, other);
  }
  if (!sum_over_nodes<D>(room, terms, total)) return;
  if (from < k)
    state->entries[from + 1] = total[0];
  else
    state->add_column(sqrt(total[0]));
}

// z = V y
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    combine_gmres_kernel(int blocks, const __grid_constant__ GmresVectors<T> vectors,
                         const GmresScalars* state) {
  if (state->done) return;
  const std::size_t i = own_node<D>();
  if (i >= std::size_t(blocks) * BlockShape<D>::kNodes) return;
  DeviceNode<T> sum{};
  for (int k = 0; k < state->size; ++k) {
    const DeviceNode<T> v = load_node(vectors.basis[k] + i);
    for (int a = 0; a < D; ++a) sum.e[a] += T(state->y[k]) * v.e[a];
  }
  store_node(vectors.z + i, sum);
}
// x += B z, after the cycle for z.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    move_gmres_kernel(int blocks, const __grid_constant__ ContactView<T, D> contacts,
                      const __grid_constant__ PreconditionerView<T, D> preconditioner,
                      const __grid_constant__ GmresVectors<T> vectors, const GmresScalars* state) {
  if (state->done) return;
  const std::size_t i = own_node<D>();
  if (i >= std::size_t(blocks) * BlockShape<D>::kNodes) return;
  DeviceNode<T> z = preconditioner.apply(i, load_node(vectors.z + i));
  contacts.filter(i, z);
  DeviceNode<T> x = load_node(vectors.x + i);
  for (int a = 0; a < D; ++a) x.e[a] += z.e[a];
  store_node(vectors.x + i, x);
}
// r = b - A x, with A x from the arenas, becomes the first vector of the next cycle.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    residual_gmres_kernel(const __grid_constant__ SumRoom room,
                          const __grid_constant__ HessianProduct<T, D> product,
                          const DeviceNode<T>* b, const __grid_constant__ GmresVectors<T> vectors,
                          GmresScalars* state) {
  if (state->done) return;
  const std::size_t i = own_node<D>();
  double terms[1] = {}, total[1];
  if (i < std::size_t(room.blocks) * BlockShape<D>::kNodes) {
    DeviceNode<T> r = load_node(b + i), ax = product(i);
    product.contacts.filter(i, ax);
    for (int a = 0; a < D; ++a) r.e[a] -= ax.e[a];
    store_node(vectors.basis[0] + i, r);
    terms[0] = mass_product<T, D>(product.mass[i], r, r);
  }
  if (sum_over_nodes<D>(room, terms, total)) state->end_cycle(total[0]);
}

template <class T, int D>
class GmresStore {
 public:
  using Vector = DeviceVector<T>;

  explicit GmresStore(cudaStream_t stream) : stream_(stream) { state_.allocate(1); }

  // start_product(p, stop), start_cycle(r, stop): as CgStore has them.
  template <class StartProduct, class StartCycle>
  KrylovReport solve(const DeviceSpace<T, D>& space, const Vector& b, Vector& x,
                     const GmresSettings& settings, const ContactView<T, D>& contacts,
                     const PreconditionerView<T, D>& preconditioner,
                     const StartProduct& start_product, const StartCycle& start_cycle) {
    std::vector<Vector> made;
    GmresVectors<T> vectors;
    for (auto*& v : vectors.basis) v = made.emplace_back(space.store().pool()).data();
    const Vector z(space.store().pool());
    vectors.x = x.data();
    vectors.z = z.data();
    begin(settings);
    const SumRoom room = space.store().room();
    const int groups = vector_groups<D>(room.blocks);
    GmresScalars* const state = state_.data();
    begin_gmres_kernel<T, D>
        <<<groups, kVectorThreads, 0, stream_>>>(room, space.mass(), b.data(), vectors, state);
    for (int k = 0; !look().done;) {
      for (const int end = std::min(k + kBatch, state_here_[0].restart); k < end; ++k) {
        scale_gmres_kernel<T, D>
            <<<groups, kVectorThreads, 0, stream_>>>(room.blocks, vectors, k, state);
        start_cycle(vectors.basis[k], &state->cycle_done);
        precondition_gmres_kernel<T, D><<<groups, kVectorThreads, 0, stream_>>>(
            room.blocks, contacts, preconditioner, vectors.basis[k], vectors.z, state);
        const HessianProduct<T, D> product = start_product(z, &state->cycle_done);
        apply_gmres_kernel<T, D>
            <<<groups, kVectorThreads, 0, stream_>>>(room, product, vectors, k, state);
        for (int from = 0; from <= k; ++from)
          orthogonal_gmres_kernel<T, D>
              <<<groups, kVectorThreads, 0, stream_>>>(room, space.mass(), vectors, k, from, state);
      }
      must(cudaGetLastError(), "GMRES");
      const bool stops = asks_to_stop(settings.cancelled);
      if (!look().cycle_done && !stops) continue;
      if (stops) return report(KrylovStop::cancelled);
      combine_gmres_kernel<T, D>
          <<<groups, kVectorThreads, 0, stream_>>>(room.blocks, vectors, state);
      start_cycle(vectors.z, nullptr);
      move_gmres_kernel<T, D><<<groups, kVectorThreads, 0, stream_>>>(
          room.blocks, contacts, preconditioner, vectors, state);
      const HessianProduct<T, D> product = start_product(x, nullptr);
      residual_gmres_kernel<T, D>
          <<<groups, kVectorThreads, 0, stream_>>>(room, product, b.data(), vectors, state);
      k = 0;
    }
    return report(state_here_[0].stop);
  }

 private:
  static constexpr int kBatch = 5;  // vectors

  void begin(const GmresSettings& settings) {
    GmresScalars& state = state_here_[0];
    state = {};
    state.tolerance = settings.tolerance;
    state.most_iterations = settings.most_iterations;
    state.restart = std::min(settings.restart, kMostBasis);
    state.stop = KrylovStop::iteration_limit;
    state_here_.send(state_, stream_);
  }
  const GmresScalars& look() {
    state_here_.fetch(state_, stream_);
    wait_for(stream_, "GMRES");
    return state_here_[0];
  }
  KrylovReport report(KrylovStop why) const {
    return {state_here_[0].iterations, state_here_[0].relative_residual, why};
  }

  cudaStream_t stream_;
  DeviceArray<GmresScalars> state_;
  PinnedArray<GmresScalars> state_here_{1};
};

}  // namespace firn
