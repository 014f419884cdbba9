// The blocks of nodes in the Hessian of an implicit step, as NodePreconditioner::sum_particles has
// them: into two arenas, what is on the diagonal and what is beside it.
#pragma once

#include "mpm_cuda/implicit_maps.h"

namespace firn {

template <class T, int D, class Kernel, class Tangent>
struct TangentRow {
  Tangent tangent;
  Stencil1<T, D, Kernel> stencil;
};

template <class T, int D, class Kernel, bool Mls, class Tangent>
__global__ void __launch_bounds__(kClassicThreads)
    blocks_kernel(const __grid_constant__ View<T, D> view, const __grid_constant__ SetView<T> set,
                  ParticleColumns<T> tangents, bool first, DeviceNode<T>* beside) {
  using A = Arena<D, Kernel>;
  using Row = TangentRow<T, D, Kernel, Tangent>;
  constexpr int kEntries = SymMat<T, D>::kSize;
  using L = ClassicMapLayout<T, D, Kernel, Row, kEntries>;
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
    if (mine) rows[row] = {TangentProduct<T, D, Tangent>{tangents}.load(p), stencil};
    __syncthreads();
    sum_rows<L, Kernel::kNodes, D>(rows, sums, list, busy_cells, totals,
                                   [&](const Row& from, const Vec<int, D>& k, T(&sum)[kEntries]) {
                                     T w;
                                     Vec<T, D> g, d;
                                     from.stencil.at_node(k, w, g, d);
                                     const Vec<T, D> gradient =
                                         Mls ? d * (w * T(Kernel::kInverseD) * view.inverse_h)
                                             : g * view.inverse_h;
                                     const SymMat<T, D> part = from.tangent.of_node(gradient);
                                     for (int a = 0, at = D; a < D; ++a)
                                       for (int b = a; b < D; ++b)
                                         sum[a == b ? a : at++] += part(a, b);
                                   });
  }
  const std::size_t start = std::size_t(range.block) * A::kSize;
  totals.for_each_node([&](int at, const T(&total)[kEntries]) {
    add_to_arena(view.arenas + start + at, first, total, 0, D);
    add_to_arena(beside + start + at, first, total, D, kEntries - D);
  });
}

}  // namespace firn
