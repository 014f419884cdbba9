// What particles take from the nodes around their block: MLS here, transfers with kernel gradients
// in gather_gradient.h. One thread a particle; the nodes lie in shared memory.
#pragma once

#include "mpm/kernels.h"
#include "mpm/mls_particle.h"
#include "mpm_cuda/device_tools.h"

namespace firn {

constexpr int kGatherThreads = 128;

template <int D, class Kernel>
using GatherSpread =
    SpreadArena<D, Kernel, D == 3 ? (Kernel::kNodes == 4 ? 92 : 84) : 14, D == 3 ? 10 : 1>;

// The nodes of an arena in their plain order.
template <int D, class Kernel>
using PlainArena = SpreadArena<D, Kernel, power(Arena<D, Kernel>::kWidth, D - 1),
                               D == 3 ? Arena<D, Kernel>::kWidth : 1>;

// Sums over the nodes of a particle: value = sum w v, moment(i, j) = sum w v_i (k_j - 1).
template <class T, int D>
struct Gathered {
  Vec<T, D> value;
  Mat<T, D> moment;
};

// Along the axes A, A + 1, ... of the stencil from `node` on. Components of `moment` belong to the
// axes summed over so far.
template <int A, class T, int D, class Kernel>
__device__ __forceinline__ Gathered<T, D> gather_axis(const DevicePlace<T, D, Kernel>& place,
                                                      const DeviceNode<T>* node) {
  Gathered<T, D> sum;
  for (int i = 0; i < D; ++i) {
    sum.value[i] = T(0);
    for (int j = A; j < D; ++j) sum.moment(i, j) = T(0);
  }
#pragma unroll
  for (int k = 0; k < Kernel::kNodes; ++k) {
    const T w = place.weight[A][k];
    if constexpr (A == D - 1) {
      const DeviceNode<T> v = load_node(node + k);
      for (int i = 0; i < D; ++i) {
        const T weighted = w * v.e[i];
        sum.value[i] += weighted;
        if (k != 1) sum.moment(i, A) += T(k - 1) * weighted;
      }
    } else {
      const Gathered<T, D> line =
          gather_axis<A + 1, T, D, Kernel>(place, node + k * GatherSpread<D, Kernel>::stride(A));
      for (int i = 0; i < D; ++i) {
        const T weighted = w * line.value[i];
        sum.value[i] += weighted;
        if (k != 1) sum.moment(i, A) += T(k - 1) * weighted;
        for (int j = A + 1; j < D; ++j) sum.moment(i, j) += w * line.moment(i, j);
      }
    }
  }
  return sum;
}

// What the particles of a thread found.
template <class T>
struct ThreadFindings {
  T signal = 0, speed2 = 0, motion = 0;
  unsigned plastic = 0;
};

// A component of the velocity gradient.
template <class T, int D, class Kernel>
__device__ __forceinline__ T mls_rate(const View<T, D>& view,
                                      const DevicePlace<T, D, Kernel>& place,
                                      const Gathered<T, D>& sum, int i, int j) {
  const T to_gradient = T(Kernel::kInverseD) * view.inverse_h;
  return gradient_entry(to_gradient, sum.moment(i, j), place.xi[j] - T(1), sum.value[i]);
}

// Where a particle is, and its velocity where the transfer asks for it.
template <class T, int D>
struct ParticleHead {
  Vec<T, D> position, velocity;
};

// A transfer as gather kernels see it: the nodes it keeps in shared memory; rate(), the gradient of
// their velocities at a particle; and advance(), which also moves it and leaves its velocity in
// `head`.
template <class T, int D, class Kernel>
struct MlsGather {
  using Spread = GatherSpread<D, Kernel>;
  static constexpr bool kNeedsVelocity = false;
  struct Nodes {
    DeviceNode<T> velocity[Spread::kSize];
  };

  __device__ static void load(const View<T, D>& view, const std::int32_t* neighbors, Nodes& nodes) {
    Spread::template load<kGatherThreads>(neighbors, view.velocity, nodes.velocity);
  }
  __device__ static Mat<T, D> rate(const View<T, D>& view, const Nodes& nodes,
                                   const ParticleHead<T, D>& head) {
    const DevicePlace<T, D, Kernel> place(head.position);
    const Gathered<T, D> sum =
        gather_axis<0, T, D, Kernel>(place, nodes.velocity + place.template first_node<Spread>());
    Mat<T, D> rate;
    for (int k = 0; k < D * D; ++k) rate(k / D, k % D) = mls_rate(view, place, sum, k / D, k % D);
    return rate;
  }
  // `spare`: where positions before the step are left, of particles that are `guarded`.
  __device__ __forceinline__ static Mat<T, D> advance(const View<T, D>& view, T dt,
                                                      const ParticleWords<T>& particle,
                                                      const Nodes& nodes, bool guarded, int spare,
                                                      ParticleHead<T, D>& head,
                                                      ThreadFindings<T>&) {
    using C = CommonColumns<D>;
    const DevicePlace<T, D, Kernel> place(head.position);
    const Gathered<T, D> sum =
        gather_axis<0, T, D, Kernel>(place, nodes.velocity + place.template first_node<Spread>());
    const T move = dt * view.inverse_h;
    Mat<T, D> rate;
    for (int i = 0; i < D; ++i) {
      particle[C::kVelocity + i] = sum.value[i];
      if (guarded) particle[spare + i] = head.position[i];
      particle[C::kPosition + i] = head.position[i] + move * sum.value[i];
      for (int j = 0; j < D; ++j) {
        rate(i, j) = mls_rate(view, place, sum, i, j);
        particle[C::kAffine + i * D + j] = rate(i, j);
      }
    }
    head.velocity = sum.value;
    return rate;
  }
};

}  // namespace firn
