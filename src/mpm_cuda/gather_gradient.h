// Grid to particles with kernel gradients (APIC, PIC, FLIP; quadratic and cubic kernels): what
// ClassicSums of classic_particle.h does, with the sums taken axis by axis.
#pragma once

#include <type_traits>

#include "mpm_cuda/gather_transfer.h"

namespace firn {

// Two arrays of nodes in double precision must fit into 48 KiB.
template <class T, int D, class Kernel>
using GradientSpread =
    std::conditional_t<sizeof(T) == 8, PlainArena<D, Kernel>, GatherSpread<D, Kernel>>;

template <class T, int D, class Kernel>
struct GradientPlace : DevicePlace<T, D, Kernel> {
  T gradient[D][Kernel::kNodes];  // per cell

  __device__ explicit GradientPlace(const Vec<T, D>& position)
      : DevicePlace<T, D, Kernel>(position) {
    for (int a = 0; a < D; ++a) Kernel::gradients(this->xi[a] - T(Kernel::kShift), gradient[a]);
  }
};

// Sums over the nodes of a particle of velocities relative to its own: value = sum w v,
// rate(i, j) = sum dw/dx_j v_i per cell, and moment(i, j) = sum w v_i (k_j - 1).
template <class T, int D>
struct GradientGathered {
  Vec<T, D> value = Vec<T, D>::zero();
  Mat<T, D> rate = Mat<T, D>::zero(), moment = rate;
};

// Along the axes A, A + 1, ... of the stencil from `node` on, as gather_axis.
template <int A, bool Moments, class T, int D, class Kernel>
__device__ __forceinline__ GradientGathered<T, D> gather_gradient(
    const GradientPlace<T, D, Kernel>& place, const DeviceNode<T>* node, const Vec<T, D>& own) {
  GradientGathered<T, D> sum;
#pragma unroll
  for (int k = 0; k < Kernel::kNodes; ++k) {
    const T w = place.weight[A][k], g = place.gradient[A][k];
    GradientGathered<T, D> inner;  // of the axes after this one
    if constexpr (A == D - 1) {
      const DeviceNode<T> v = load_node(node + k);
      for (int i = 0; i < D; ++i) inner.value[i] = v.e[i] - own[i];
    } else {
      inner = gather_gradient<A + 1, Moments>(
          place, node + k * GradientSpread<T, D, Kernel>::stride(A), own);
    }
    for (int i = 0; i < D; ++i) {
      const T weighted = w * inner.value[i];
      sum.value[i] += weighted;
      sum.rate(i, A) += g * inner.value[i];
      if (Moments && k != 1) sum.moment(i, A) += T(k - 1) * weighted;
      for (int j = A + 1; j < D; ++j) {
        sum.rate(i, j) += w * inner.rate(i, j);
        if (Moments) sum.moment(i, j) += w * inner.moment(i, j);
      }
    }
  }
  return sum;
}

// sum w (v - own)
template <int A, class T, int D, class Kernel>
__device__ __forceinline__ Vec<T, D> gather_value(const GradientPlace<T, D, Kernel>& place,
                                                  const DeviceNode<T>* node, const Vec<T, D>& own) {
  Vec<T, D> sum = Vec<T, D>::zero();
#pragma unroll
  for (int k = 0; k < Kernel::kNodes; ++k) {
    Vec<T, D> inner;
    if constexpr (A == D - 1) {
      const DeviceNode<T> v = load_node(node + k);
      for (int i = 0; i < D; ++i) inner[i] = v.e[i] - own[i];
    } else {
      inner = gather_value<A + 1>(place, node + k * GradientSpread<T, D, Kernel>::stride(A), own);
    }
    for (int i = 0; i < D; ++i) sum[i] += place.weight[A][k] * inner[i];
  }
  return sum;
}

template <class T, int D, class Kernel>
struct GradientGather {
  using Spread = GradientSpread<T, D, Kernel>;
  static constexpr bool kNeedsVelocity = true;
  struct Nodes {
    DeviceNode<T> velocity[Spread::kSize], before[Spread::kSize];
  };

  __device__ static void load(const View<T, D>& view, const std::int32_t* neighbors, Nodes& nodes) {
    Spread::template load<kGatherThreads>(neighbors, view.velocity, nodes.velocity);
    if (view.transfer.split)
      Spread::template load<kGatherThreads>(neighbors, view.before, nodes.before);
  }
  __device__ static Mat<T, D> rate(const View<T, D>& view, const Nodes& nodes,
                                   const ParticleHead<T, D>& head) {
    const GradientPlace<T, D, Kernel> place(head.position);
    const int first = place.template first_node<Spread>();
    return gather_gradient<0, false>(place, nodes.velocity + first, head.velocity).rate *
           view.inverse_h;
  }
  __device__ __forceinline__ static Mat<T, D> advance(const View<T, D>& view, T dt,
                                                      const ParticleWords<T>& particle,
                                                      const Nodes& nodes, bool guarded, int spare,
                                                      ParticleHead<T, D>& head,
                                                      ThreadFindings<T>& found) {
    using C = CommonColumns<D>;
    const GradientPlace<T, D, Kernel> place(head.position);
    const int first = place.template first_node<Spread>();
    const Vec<T, D> own = head.velocity;
    GradientGathered<T, D> sum;
    if (view.transfer.affine)
      sum = gather_gradient<0, true>(place, nodes.velocity + first, own);
    else
      sum = gather_gradient<0, false>(place, nodes.velocity + first, own);
    // FLIP: own + f (after - before) + (1 - f) after, with nodes' velocities relative to own.
    Vec<T, D> kept = Vec<T, D>::zero();
    if (view.transfer.split)
      kept = view.transfer.flip_ratio * gather_value<0>(place, nodes.before + first, own);
    const T move = dt * view.inverse_h;
    Mat<T, D> rate;
    for (int i = 0; i < D; ++i) {
      const T moved = own[i] + sum.value[i];
      found.motion = max_of(abs_of(moved), found.motion);
      head.velocity[i] = moved - kept[i];
      particle[C::kVelocity + i] = head.velocity[i];
      if (guarded) particle[spare + i] = head.position[i];
      particle[C::kPosition + i] = head.position[i] + move * moved;
      for (int j = 0; j < D; ++j) {
        rate(i, j) = view.inverse_h * sum.rate(i, j);
        const T affine = view.inverse_h * (sum.moment(i, j) - (place.xi[j] - T(1)) * sum.value[i]);
        particle[C::kAffine + i * D + j] = view.transfer.affine ? affine : rate(i, j);
      }
    }
    return rate;
  }
};

}  // namespace firn
