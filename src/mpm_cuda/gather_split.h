// Grid to particles in two kernels: the transfer, for the transfers and kernels that gather.h does
// not have, then the update of the material, one model a launch.
#pragma once

#include "mpm_cuda/gather.h"
#include "mpm_cuda/gather_gradient.h"
#include "mpm_cuda/scatter_fixed.h"

namespace firn {

// The range of particles of a thread block, and its neighbours in shared memory.
template <class T, int D>
__device__ bool begin_block(const View<T, D>& view, const SetView<T>& set, std::int32_t* neighbors,
                            std::uint32_t& begin, std::uint32_t& end) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  const Control& control = *view.control;
  const int block = blockIdx.x, parity = control.parity;
  if (block >= control.occupied) return false;
  begin = set.begin[parity][block];
  end = set.begin[parity][block + 1];
  if (begin == end) return false;
  if (threadIdx.x < kNeighbors)
    neighbors[threadIdx.x] = view.neighbors[parity][std::size_t(block) * kNeighbors + threadIdx.x];
  __syncthreads();
  return true;
}

template <class T, int D>
__device__ bool is_guarded(const View<T, D>& view) {
  return view.collider_count > 0 && view.near_particles.count[blockIdx.x] > 0;
}

// Velocity gradients are kept where they are not the affine matrices.
template <class T, int D>
__device__ void keep_rate(const View<T, D>& view, const SetView<T>& set, std::uint32_t p,
                          const Mat<T, D>& rate) {
  if (!view.rates) return;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) view.rates[std::size_t(i * D + j) * set.capacity + p] = rate(i, j);
}

// Advance: particles move; otherwise only the gradient at them is found.
template <class T, int D, class Transfer, bool Advance = true>
__global__ void __launch_bounds__(kGatherThreads)
    gather_only_kernel(const __grid_constant__ View<T, D> view,
                       const __grid_constant__ SetView<T> set) {
  using C = CommonColumns<D>;
  __shared__ typename Transfer::Nodes nodes;
  __shared__ std::int32_t neighbors[BlockShape<D>::kNeighbors];
  std::uint32_t begin, end;
  if (!begin_block(view, set, neighbors, begin, end)) return;
  Transfer::load(view, neighbors, nodes);
  __syncthreads();
  const int base_row = *set.base_row, spare = spare_column(set, base_row);
  const bool guarded = is_guarded(view);
  ThreadFindings<T> found;
  for (std::uint32_t p = begin + threadIdx.x; p < end; p += kGatherThreads) {
    const ParticleWords<T> particle(set, base_row, p);
    ParticleHead<T, D> head;
    for (int a = 0; a < D; ++a) {
      head.position[a] = particle[C::kPosition + a];
      if constexpr (Transfer::kNeedsVelocity) head.velocity[a] = particle[C::kVelocity + a];
    }
    Mat<T, D> rate;
    if constexpr (Advance)
      rate = Transfer::advance(view, T(view.control->dt), particle, nodes, guarded, spare, head,
                               found);
    else
      rate = Transfer::rate(view, nodes, head);
    keep_rate(view, set, p, rate);
  }
  __syncwarp();
  report_motion<Transfer>(found, view.control->found);
}

template <class T, int D>
__device__ Vec<T, D> node_velocity(const DeviceNode<T>& node) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = node.e[a];
  return v;
}

// Any kernel and transfer, node by node as the linear kernel needs it.
template <class T, int D, class Kernel, bool Advance = true>
__global__ void __launch_bounds__(kGatherThreads)
    gather_classic_kernel(const __grid_constant__ View<T, D> view,
                          const __grid_constant__ SetView<T> set) {
  using A = Arena<D, Kernel>;
  using C = CommonColumns<D>;
  __shared__ DeviceNode<T> arena[A::kSize], change[A::kSize];
  __shared__ std::int32_t neighbors[BlockShape<D>::kNeighbors];
  std::uint32_t begin, end;
  if (!begin_block(view, set, neighbors, begin, end)) return;
  const StepContext<T, D> ctx = step_context(view);
  PlainArena<D, Kernel>::for_each_node(neighbors, [&](int at, std::size_t node) {
    const DeviceNode<T> after = load_node(view.velocity + node);
    arena[at] = after;
    if (!ctx.split) return;
    const DeviceNode<T> before = load_node(view.before + node);
    for (int a = 0; a < D; ++a) change[at].e[a] = after.e[a] - before.e[a];
  });
  __syncthreads();
  const int base_row = *set.base_row, spare = spare_column(set, base_row);
  const bool guarded = is_guarded(view);
  T motion = T(0);
  for (std::uint32_t p = begin + threadIdx.x; p < end; p += kGatherThreads) {
    const ParticleWords<T> particle(set, base_row, p);
    Vec<T, D> position, velocity;
    for (int a = 0; a < D; ++a) {
      position[a] = particle[C::kPosition + a];
      velocity[a] = particle[C::kVelocity + a];
      if (guarded) particle[spare + a] = position[a];
    }
    const Stencil1<T, D, Kernel> stencil(position);
    ClassicSums<T, D> sums(velocity);
    const T mass = set.mass < 0 ? set.same_mass : particle[set.mass];
    stencil.for_each_node([&](int offset, T w, const Vec<T, D>& g, const Vec<T, D>& d) {
      const DeviceNode<T>& node = arena[stencil.index + offset];
      sums.add(w, g, d, node_velocity<T, D>(node), trust_in_node<Kernel>(node.e[kMassLane], mass));
      if (ctx.split) sums.add_change(w, node_velocity<T, D>(change[stencil.index + offset]));
    });
    Mat<T, D> rate;
    for (int i = 0; i < D; ++i) {
      if constexpr (Advance) {
        motion = max_of(sums.advance(ctx, i, velocity[i], position[i]), motion);
        particle[C::kPosition + i] = position[i];
        particle[C::kVelocity + i] = velocity[i];
      }
      for (int j = 0; j < D; ++j) {
        T stored;
        sums.matrices(ctx, i, j, rate(i, j), stored);
        if constexpr (Advance) particle[C::kAffine + i * D + j] = stored;
      }
    }
    keep_rate(view, set, p, rate);
  }
  __syncwarp();
  motion = warp_max(motion);
  if (threadIdx.x % 32 == 0) keep_max(&view.control->found.motion, double(motion));
}

// One thread a particle, whatever its block.
template <class Model, class T, int D, class Source>
__global__ void __launch_bounds__(kGatherThreads)
    material_kernel(const __grid_constant__ View<T, D> view, const __grid_constant__ SetView<T> set,
                    const __grid_constant__ Source source, int set_number) {
  using C = ModelColumns<Model, D>;
  Control& control = *view.control;
  const std::uint32_t p = blockIdx.x * kGatherThreads + threadIdx.x;
  ThreadFindings<T> found;
  if (p < set.begin[control.parity][control.occupied]) {
    const ParticleWords<T> particle(set, *set.base_row, p);
    Vec<T, D> velocity;
    Mat<T, D> rate;
    for (int i = 0; i < D; ++i) {
      velocity[i] = particle[C::kVelocity + i];
      for (int j = 0; j < D; ++j)
        rate(i, j) = view.rates ? view.rates[std::size_t(i * D + j) * set.capacity + p]
                                : particle[C::kAffine + i * D + j];
    }
    MaterialState<T, D, Model::kScalars> state = load_state<Model, T, D>(particle);
    const auto& model = source.of(set, particle);
    update_particle<Model, T, D>(set, particle, model.constants, model.viscosity, T(control.dt),
                                 velocity, rate, state, set_number, control, found);
  }
  __syncwarp();
  report_findings(found, control.found);
}

}  // namespace firn
