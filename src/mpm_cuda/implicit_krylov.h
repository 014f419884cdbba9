// Conjugate gradients of an implicit step that stay on the device: what
// solvers/conjugate_gradient.h does, started from zero, with its numbers in device memory. The host
// starts iterations some at a time; those after the end do nothing.
#pragma once

#include "mpm_cuda/implicit_nodes.h"
#include "solvers/cg_scalars.h"

namespace firn {

template <class T>
struct CgVectors {
  DeviceNode<T>*x, *r, *z, *p, *ap;
};

// r = b, z = B r, after the cycle for b. Where there is no mass everything stays zero, and is
// passed over later on.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    begin_cg_kernel(const __grid_constant__ SumRoom room, const T* mass, const DeviceNode<T>* b,
                    const __grid_constant__ ContactView<T, D> contacts,
                    const __grid_constant__ PreconditionerView<T, D> preconditioner,
                    CgVectors<T> vectors, CgScalars* state) {
  const std::size_t i = own_node<D>();
  double terms[2] = {}, total[2];
  if (i < std::size_t(room.blocks) * BlockShape<D>::kNodes) {
    const DeviceNode<T> r = load_node(b + i);
    DeviceNode<T> z = preconditioner.apply(i, r);
    contacts.filter(i, z);
    store_node(vectors.x + i, DeviceNode<T>{});
    store_node(vectors.r + i, r);
    store_node(vectors.z + i, z);
    store_node(vectors.p + i, DeviceNode<T>{});
    terms[0] = mass_product<T, D>(mass[i], r, r);
    terms[1] = mass_product<T, D>(mass[i], r, z);
  }
  if (sum_over_nodes<D>(room, terms, total)) state->begin(total[0], total[1]);
}

// The mass of a thread's node, zero where it has none.
template <int D, class T>
__device__ T mass_of(const SumRoom& room, const T* mass, std::size_t i) {
  return i < std::size_t(room.blocks) * BlockShape<D>::kNodes ? mass[i] : T(0);
}

// p = z + beta p
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    turn_cg_kernel(int blocks, const T* mass, CgVectors<T> vectors, const CgScalars* state) {
  if (state->done) return;
  const std::size_t i = own_node<D>();
  if (i >= std::size_t(blocks) * BlockShape<D>::kNodes || !(mass[i] > T(0))) return;
  const T beta = T(state->beta);
  DeviceNode<T> p = load_node(vectors.z + i);
  if (beta != T(0)) {
    const DeviceNode<T> before = load_node(vectors.p + i);
    for (int a = 0; a < D; ++a) p.e[a] += beta * before.e[a];
  }
  store_node(vectors.p + i, p);
}

// A p from the arenas, and the step along p.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    bend_cg_kernel(const __grid_constant__ SumRoom room,
                   const __grid_constant__ HessianProduct<T, D> product, CgVectors<T> vectors,
                   CgScalars* state) {
  if (state->done) return;
  const std::size_t i = own_node<D>();
  double terms[3] = {}, total[3];
  const T mass = mass_of<D>(room, product.mass, i);
  if (mass > T(0)) {
    const DeviceNode<T> p = load_node(vectors.p + i);
    DeviceNode<T> ap = product(i);
    product.contacts.filter(i, ap);
    store_node(vectors.ap + i, ap);
    terms[0] = mass_product<T, D>(mass, p, ap);
    terms[1] = mass_product<T, D>(mass, p, p);
    terms[2] = mass_product<T, D>(mass, ap, ap);
  }
  if (sum_over_nodes<D>(room, terms, total)) state->choose_step(total[0], total[1], total[2]);
}

// x and r a step further.
template <class T, int D>
__device__ DeviceNode<T> move_cg(const CgVectors<T>& vectors, T alpha, std::size_t i) {
  const DeviceNode<T> p = load_node(vectors.p + i), ap = load_node(vectors.ap + i);
  DeviceNode<T> x = load_node(vectors.x + i), r = load_node(vectors.r + i);
  for (int a = 0; a < D; ++a) {
    x.e[a] += alpha * p.e[a];
    r.e[a] -= alpha * ap.e[a];
  }
  store_node(vectors.x + i, x);
  store_node(vectors.r + i, r);
  return r;
}
// That alone: coarser grids come next.
template <class T, int D>
__global__ void __launch_bounds__(kVectorThreads)
    move_cg_kernel(int blocks, const T* mass, CgVectors<T> vectors, const CgScalars* state) {
  if (state->done) return;
  const std::size_t i = own_node<D>();
  if (i >= std::size_t(blocks) * BlockShape<D>::kNodes || !(mass[i] > T(0))) return;
  move_cg<T, D>(vectors, T(state->alpha), i);
}
// z = B r, after that step where it has not been taken yet.
template <class T, int D, bool Moved>
__global__ void __launch_bounds__(kVectorThreads)
    step_cg_kernel(const __grid_constant__ SumRoom room, const T* masses,
                   const __grid_constant__ ContactView<T, D> contacts,
                   const __grid_constant__ PreconditionerView<T, D> preconditioner,
                   CgVectors<T> vectors, CgScalars* state) {
  if (state->done) return;
  const std::size_t i = own_node<D>();
  double terms[2] = {}, total[2];
  const T mass = mass_of<D>(room, masses, i);
  if (mass > T(0)) {
    const DeviceNode<T> r =
        Moved ? load_node(vectors.r + i) : move_cg<T, D>(vectors, T(state->alpha), i);
    DeviceNode<T> z = preconditioner.apply(i, r);
    contacts.filter(i, z);
    store_node(vectors.z + i, z);
    terms[0] = mass_product<T, D>(mass, r, r);
    terms[1] = mass_product<T, D>(mass, r, z);
  }
  if (sum_over_nodes<D>(room, terms, total)) state->end_iteration(total[0], total[1]);
}

template <class T, int D>
class CgStore {
 public:
  using Vector = DeviceVector<T>;

  explicit CgStore(cudaStream_t stream) : stream_(stream) { state_.allocate(1); }

  // start_product(p, stop) puts the product with the Hessian into the arenas, unless *stop is set,
  // and gives what makes nodes of it; start_cycle(r, stop) does the same for coarser grids, where
  // the preconditioner has any.
  template <class StartProduct, class StartCycle>
  KrylovReport solve(const DeviceSpace<T, D>& space, const Vector& b, Vector& x,
                     const CgSettings& settings, const ContactView<T, D>& contacts,
                     const PreconditionerView<T, D>& preconditioner,
                     const StartProduct& start_product, const StartCycle& start_cycle) {
    const Vector r(space.store().pool()), z(space.store().pool()), p(space.store().pool()),
        ap(space.store().pool());
    const CgVectors<T> vectors{x.data(), r.data(), z.data(), p.data(), ap.data()};
    begin(settings);
    const SumRoom room = space.store().room();
    const int groups = vector_groups<D>(room.blocks);
    const bool coarser = preconditioner.coarser.nodes > 0;
    start_cycle(b.data(), nullptr);
    begin_cg_kernel<T, D><<<groups, kVectorThreads, 0, stream_>>>(
        room, space.mass(), b.data(), contacts, preconditioner, vectors, state_.data());
    const std::int32_t* const stop = &state_.data()->done;
    KrylovReport report;
    for (int batch = kFirstBatch;; batch = std::min(2 * batch, kLargestBatch)) {
      for (int k = 0; k < batch; ++k) {
        turn_cg_kernel<T, D><<<groups, kVectorThreads, 0, stream_>>>(room.blocks, space.mass(),
                                                                     vectors, state_.data());
        const HessianProduct<T, D> product = start_product(p, stop);
        bend_cg_kernel<T, D>
            <<<groups, kVectorThreads, 0, stream_>>>(room, product, vectors, state_.data());
        if (coarser) {
          move_cg_kernel<T, D><<<groups, kVectorThreads, 0, stream_>>>(room.blocks, space.mass(),
                                                                       vectors, state_.data());
          start_cycle(r.data(), stop);
        }
        const auto step = coarser ? step_cg_kernel<T, D, true> : step_cg_kernel<T, D, false>;
        step<<<groups, kVectorThreads, 0, stream_>>>(room, space.mass(), contacts, preconditioner,
                                                     vectors, state_.data());
      }
      must(cudaGetLastError(), "conjugate gradients");
      if (ends(report)) return report;
      if (!asks_to_stop(settings.cancelled)) continue;
      report.stop = KrylovStop::cancelled;
      return report;
    }
  }

 private:
  static constexpr int kFirstBatch = 4, kLargestBatch = 32;  // iterations

  void begin(const CgSettings& settings) {
    CgScalars& state = state_here_[0];
    state = {};
    state.tolerance = settings.tolerance;
    state.flat = settings.flat;
    state.most_iterations = settings.most_iterations;
    state.at_indefinite = settings.at_indefinite;
    state.stop = KrylovStop::iteration_limit;
    state_here_.send(state_, stream_);
  }
  bool ends(KrylovReport& report) {
    state_here_.fetch(state_, stream_);
    wait_for(stream_, "conjugate gradients");
    const CgScalars& state = state_here_[0];
    report = {state.iterations, state.relative_residual, state.stop};
    return state.done;
  }

  cudaStream_t stream_;
  DeviceArray<CgScalars> state_;
  PinnedArray<CgScalars> state_here_{1};
};

}  // namespace firn
