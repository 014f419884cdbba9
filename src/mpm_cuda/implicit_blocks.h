// The blocks of nodes in the Hessian of an implicit step, as NodePreconditioner::sum_particles has
// them: into two arenas, what is on the diagonal and what is beside it, and in the lanes of mass
// the moduli that coarser grids see, bulk and shear.
#pragma once

#include "mpm_cuda/implicit_maps.h"

namespace firn {

template <class T, int D, class Kernel, class Tangent>
struct TangentRow {
  Tangent tangent;
  Stencil1<T, D, Kernel> stencil;
  T bulk, shear;  // for a square of gradients
};
template <class T, int D, class Kernel, class Tangent>
struct BlocksLayout
    : ClassicMapLayout<T, D, Kernel, TangentRow<T, D, Kernel, Tangent>, SymMat<T, D>::kSize + 2> {
  using Base =
      ClassicMapLayout<T, D, Kernel, TangentRow<T, D, Kernel, Tangent>, SymMat<T, D>::kSize + 2>;
  static constexpr std::size_t kBytes = Base::kRowsBytes + Base::Sums::kBytes;
};

// Of the weights of a particle at one of its nodes, as products with the Hessian take them.
template <bool Mls, class T, int D, class Kernel>
__device__ Vec<T, D> gradient_at_node(const View<T, D>& view, const Stencil1<T, D, Kernel>& stencil,
                                      const Vec<int, D>& k) {
  T w;
  Vec<T, D> g, d;
  stencil.at_node(k, w, g, d);
  return Mls ? d * (w * T(Kernel::kInverseD) * view.inverse_h) : g * view.inverse_h;
}
template <bool Mls, class T, int D, class Kernel, class Tangent>
__device__ TangentRow<T, D, Kernel, Tangent> tangent_row(const View<T, D>& view,
                                                         const Tangent& tangent,
                                                         const Stencil1<T, D, Kernel>& stencil) {
  TangentRow<T, D, Kernel, Tangent> row{tangent, stencil, T(0), T(0)};
  T whole = T(0);
  for (int node = 0; node < power(Kernel::kNodes, D); ++node) {
    Vec<int, D> k;
    for (int a = D - 1, rest = node; a >= 0; --a, rest /= Kernel::kNodes)
      k[a] = rest % Kernel::kNodes;
    const Vec<T, D> g = gradient_at_node<Mls>(view, stencil, k);
    whole += dot(g, g);
  }
  tangent.moduli(row.bulk, row.shear);
  const T share = whole > T(0) ? T(1) / whole : T(0);
  row.bulk *= share;
  row.shear *= share;
  return row;
}

template <class T, int D, class Kernel, bool Mls, class Tangent>
__global__ void __launch_bounds__(kClassicThreads)
    blocks_kernel(const __grid_constant__ View<T, D> view, const __grid_constant__ SetView<T> set,
                  ParticleColumns<T> tangents, bool first, DeviceNode<T>* beside) {
  using A = Arena<D, Kernel>;
  using Row = TangentRow<T, D, Kernel, Tangent>;
  constexpr int kEntries = SymMat<T, D>::kSize, kSums = kEntries + 2;
  using L = BlocksLayout<T, D, Kernel, Tangent>;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ CellList<kClassicThreads, D, Kernel> list;
  auto* rows = reinterpret_cast<Row*>(memory);
  T* sums = reinterpret_cast<T*>(memory + L::kRowsBytes);
  const BlockRange<T> range(view, set);
  begin_arena<T, D, A::kSize>(range, first, view.arenas);
  begin_arena<T, D, A::kSize>(range, first, beside);
  if (range.block < 0 || range.begin == range.end) return;
  typename L::Sums totals;
  for (std::uint32_t chunk = range.begin; chunk < range.end; chunk += kClassicThreads) {
    const std::uint32_t p = chunk + threadIdx.x;
    const bool mine = p < range.end;
    const ParticleWords<T> particle(set, range.base_row, mine ? p : range.begin);
    const Stencil1<T, D, Kernel> stencil(load_position<T, D>(particle));
    int cell = 0, busy_cells;
    for (int a = 0; a < D; ++a) cell = cell * A::kCells + stencil.cell[a];
    const int row = list.add(cell, mine, busy_cells);
    if (mine)
      rows[row] = tangent_row<Mls>(view, TangentProduct<T, D, Tangent>{tangents}.load(p), stencil);
    __syncthreads();
    sum_rows<L, Kernel::kNodes, D>(rows, sums, list, busy_cells, totals,
                                   [&](const Row& from, const Vec<int, D>& k, T(&sum)[kSums]) {
                                     const Vec<T, D> g =
                                         gradient_at_node<Mls>(view, from.stencil, k);
                                     const SymMat<T, D> part = from.tangent.of_node(g);
                                     for (int a = 0, at = D; a < D; ++a)
                                       for (int b = a; b < D; ++b)
                                         sum[a == b ? a : at++] += part(a, b);
                                     sum[kEntries] += from.bulk * dot(g, g);
                                     sum[kEntries + 1] += from.shear * dot(g, g);
                                   });
  }
  const std::size_t start = std::size_t(range.block) * A::kSize;
  totals.for_each_node([&](int at, const T(&total)[kSums]) {
    T on[4] = {}, off[4] = {};
    for (int c = 0; c < kEntries; ++c) (c < D ? on[c] : off[c - D]) = total[c];
    on[kMassLane] = total[kEntries];
    off[kMassLane] = total[kEntries + 1];
    add_to_arena(view.arenas + start + at, first, on, 0, 4);
    add_to_arena(beside + start + at, first, off, 0, 4);
  });
}

}  // namespace firn
