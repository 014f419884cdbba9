// Particles to grid with the sums in a fixed order, so that they have the same bits from run to
// run. What a block scatters, its arena, is kept in memory of its own; merge_kernel sums the
// arenas.
#pragma once

#include "mpm/classic_particle.h"
#include "mpm_cuda/cell_list.h"
#include "mpm_cuda/scatter.h"

namespace firn {

// MLS, like scatter_kernel.
template <class T, int D, class Kernel, class Rows = MomentumRows>
struct FixedLayout : ScatterLayout<T, D, Kernel, Rows> {
  using Base = ScatterLayout<T, D, Kernel, Rows>;
  using Sums = CellSums<T, D, Kernel, Base::kValues, kScatterThreads, sizeof(T) == 4 ? 64 : 32>;
  static constexpr std::size_t kRows = std::size_t(kScatterThreads) * Base::kRow;
  static constexpr std::size_t kBytes = kRows * sizeof(T) + Sums::kBytes;
};

template <class T, int D, class Kernel, class Rows = MomentumRows>
__global__ void __launch_bounds__(kScatterThreads, sizeof(T) == 4 ? 3 : 1)
    scatter_fixed_kernel(const __grid_constant__ View<T, D> view) {
  using L = FixedLayout<T, D, Kernel, Rows>;
  constexpr int kRound = L::Sums::kBytes / (L::Sums::kStride * sizeof(T));
  constexpr int kSide = Arena<D, Kernel>::kCells, kWarps = kScatterThreads / 32;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ CellList<kScatterThreads, D, Kernel> list;
  T* rows = reinterpret_cast<T*>(memory);
  T* sums = rows + L::kRows;

  const Control& control = *view.control;
  const int block = control.occupied - 1 - static_cast<int>(blockIdx.x), thread = threadIdx.x;
  if (block < 0) return;
  const int parity = control.parity;
  const T dt = T(control.dt);
  const CellLane<T, D, Kernel> lane;
  typename L::Sums nodes;
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    if (!Rows::takes(set)) continue;
    const std::uint32_t begin = set.begin[parity][block], end = set.begin[parity][block + 1];
    const int base_row = *set.base_row;
    for (std::uint32_t chunk = begin; chunk < end; chunk += kScatterThreads) {
      const std::uint32_t p = chunk + thread;
      const bool mine = p < end;
      const ParticleWords<T> particle(set, base_row, mine ? p : begin);
      Vec<T, D> position;
      for (int a = 0; a < D; ++a) position[a] = particle[CommonColumns<D>::kPosition + a];
      const DevicePlace<T, D, Kernel> place(position);
      int cell = 0, busy_cells;
      for (int a = 0; a < D; ++a) cell = cell * kSide + place.cell[a];
      const int row = list.add(cell, mine, busy_cells);
      if (mine)
        Rows::template make<T, D, Kernel>(view, set, particle, dt, place, rows + row * L::kRow);
      __syncthreads();
      for (int base = 0; base < busy_cells; base += kRound) {
        for (int i = base + thread / 32; i < min(base + kRound, busy_cells); i += kWarps)
          sum_cell<Rows>(lane, rows, list.busy[i].first, list.busy[i].count,
                         [&](int along, const T(&total)[L::kValues]) {
                           const int node = lane.line * Kernel::kNodes + along;
                           L::Sums::put(sums, i - base, node, total);
                         });
        __syncthreads();
        nodes.take(sums, list, base, busy_cells);
        __syncthreads();
      }
    }
  }
  DeviceNode<T>* arena = view.arenas + std::size_t(block) * Arena<D, Kernel>::kSize;
  nodes.for_each_node([&](int at, const T(&total)[L::kValues]) {
    DeviceNode<T> node{{T(0), T(0), T(0), total[L::kMass]}};
    for (int c = 0; c < L::kMass; ++c) node.e[c] = total[c];
    store_node(arena + at, node);
  });
}

constexpr int kClassicThreads = 128;

// What the transfer needs of a step, as the host has it.
template <class T, int D>
__device__ StepContext<T, D> step_context(const View<T, D>& view) {
  StepContext<T, D> ctx{};
  ctx.dt = T(view.control->dt);
  ctx.h = view.h;
  ctx.inverse_h = view.inverse_h;
  ctx.spacing = view.spacing;
  ctx.affine = view.transfer.affine;
  ctx.split = view.transfer.split;
  ctx.flip_ratio = view.transfer.flip_ratio;
  return ctx;
}

template <class T, int D, class Kernel>
struct ClassicRow {
  ClassicParticle<T, D> particle;
  Stencil1<T, D, Kernel> stencil;
};

template <class T, int D>
__device__ ClassicParticle<T, D> classic_particle(const StepContext<T, D>& ctx,
                                                  const SetView<T>& set,
                                                  const ParticleWords<T>& particle) {
  using C = CommonColumns<D>;
  Vec<T, D> velocity;
  Mat<T, D> affine;
  SymMat<T, D> tau = SymMat<T, D>::isotropic(particle[set.stress]);
  for (int i = 0; i < D; ++i) {
    velocity[i] = particle[C::kVelocity + i];
    for (int j = 0; j < D; ++j) affine(i, j) = particle[C::kAffine + i * D + j];
  }
  if (set.stress_components > 1)
    for (int k = 0; k < SymMat<T, D>::kSize; ++k) tau.e[k] = particle[set.stress + k];
  return {ctx,
          set.mass < 0 ? set.same_mass : particle[set.mass],
          stressed_volume(set, particle),
          velocity,
          affine,
          tau.full()};
}

template <class T, int D, class Kernel>
struct ClassicLayout {
  // Momentum, mass, and the impulse of the stress.
  static constexpr int kRound = Kernel::kNodes == 4 ? 16 : 32;
  using Sums = CellSums<T, D, Kernel, 2 * D + 1, kClassicThreads, kRound>;
  using Row = ClassicRow<T, D, Kernel>;
  static constexpr std::size_t kRows = kClassicThreads * sizeof(Row);
  static constexpr std::size_t kBytes = kRows + Sums::kBytes;
};

// What the rows of one cell give to its node k.
template <class T, int D, class Kernel>
__device__ void sum_classic(const ClassicRow<T, D, Kernel>* rows, int count, bool affine,
                            const Vec<int, D>& k, T (&sum)[2 * D + 1]) {
#pragma unroll 1
  for (int r = 0; r < count; ++r) {
    T w;
    Vec<T, D> g, d;
    rows[r].stencil.at_node(k, w, g, d);
    const ClassicParticle<T, D>& particle = rows[r].particle;
    const Vec<T, D> momentum = particle.template momentum<Kernel>(affine, w, g, d);
    const Vec<T, D> push = particle.push(g);
    for (int i = 0; i < D; ++i) {
      sum[i] += momentum[i];
      sum[D + 1 + i] += push[i];
    }
    sum[D] += w * particle.mass;
  }
}

// A warp takes a cell, a lane a node or two of it.
template <class T, int D, class Kernel>
__global__ void __launch_bounds__(kClassicThreads)
    scatter_classic_kernel(const __grid_constant__ View<T, D> view) {
  using L = ClassicLayout<T, D, Kernel>;
  constexpr int K = Kernel::kNodes, kSide = Arena<D, Kernel>::kCells;
  constexpr int kWarps = kClassicThreads / 32, kCells = power(kSide, D);
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ CellList<kClassicThreads, D, Kernel> list;
  auto* rows = reinterpret_cast<typename L::Row*>(memory);
  T* sums = reinterpret_cast<T*>(memory + L::kRows);

  const Control& control = *view.control;
  const int block = control.occupied - 1 - static_cast<int>(blockIdx.x), thread = threadIdx.x;
  if (block < 0) return;
  const int parity = control.parity;
  const StepContext<T, D> ctx = step_context(view);
  typename L::Sums nodes;
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    const std::uint32_t begin = set.begin[parity][block], end = set.begin[parity][block + 1];
    const int base_row = *set.base_row;
    for (std::uint32_t chunk = begin; chunk < end; chunk += kClassicThreads) {
      const std::uint32_t p = chunk + thread;
      const bool mine = p < end;
      const ParticleWords<T> particle(set, base_row, mine ? p : begin);
      Vec<T, D> position;
      for (int a = 0; a < D; ++a) position[a] = particle[CommonColumns<D>::kPosition + a];
      const Stencil1<T, D, Kernel> stencil(position);
      int cell = 0, busy_cells;
      for (int a = 0; a < D; ++a) cell = cell * kSide + stencil.cell[a];
      const int row = list.add(cell, mine, busy_cells);
      if (mine) rows[row] = {classic_particle(ctx, set, particle), stencil};
      __syncthreads();
      for (int base = 0; base < busy_cells; base += L::kRound) {
        for (int i = base + thread / 32; i < min(base + L::kRound, busy_cells); i += kWarps)
          for (int node = thread % 32; node < power(K, D); node += 32) {
            Vec<int, D> k;
            for (int a = D - 1, rest = node; a >= 0; --a, rest /= K) k[a] = rest % K;
            T sum[2 * D + 1] = {};
            sum_classic<T, D, Kernel>(rows + list.busy[i].first, list.busy[i].count, ctx.affine, k,
                                      sum);
            L::Sums::put(sums, i - base, node, sum);
          }
        __syncthreads();
        nodes.take(sums, list, base, busy_cells);
        __syncthreads();
      }
    }
  }
  const std::size_t first = std::size_t(block) * Arena<D, Kernel>::kSize;
  nodes.for_each_node([&](int at, const T(&total)[2 * D + 1]) {
    DeviceNode<T> momentum{{T(0), T(0), T(0), total[D]}}, push{{T(0), T(0), T(0), T(0)}};
    for (int c = 0; c < D; ++c) {
      momentum.e[c] = total[c];
      push.e[c] = total[D + 1 + c];
    }
    store_node(view.arenas + first + at, momentum);
    store_node(view.pushes + first + at, push);
  });
}

}  // namespace firn
