// Rows of four numbers that particles lay on their nodes by weight, and find there.
#pragma once

#include "base/transpose.h"
#include "mpm/transfer_mls.h"

namespace firn {

// Adds value, weighted, to the nodes of the particle in lane L.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE void lay_row(Node<T> value, const Stencil<T, D, Kernel>& s, Node<T>* arena) {
  constexpr int K = Kernel::kNodes;
  Node<T> along[K];
  for (int k = 0; k < K; ++k) along[k] = multiply_lane<L>(value, s.weight[D - 1][k]);
  for (int line = 0; line < s.kLines; ++line) {
    Node<T>* const node = arena + s.index[L] + s.line_offset(line);
    for (int k = 0; k < K; ++k) node[k] = add_product_lane<L>(node[k], along[k], s.of_line(line));
  }
}

// Weighted sum and least of the nodes of the particle in lane L.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE void find_row(const Stencil<T, D, Kernel>& s, const Node<T>* arena, Node<T>& sum,
                               Node<T>& least) {
  sum = Node<T>(0);
  for (int line = 0; line < s.kLines; ++line) {
    const Node<T>* const node = arena + s.index[L] + s.line_offset(line);
    Node<T> along(0);
    for (int k = 0; k < Kernel::kNodes; ++k) {
      along = add_product_lane<L>(along, node[k], s.weight[D - 1][k]);
      least = min_of(least, node[k]);
    }
    sum = add_product_lane<L>(sum, along, s.of_line(line));
  }
}

// Lays the rows that make(p, n, row) gives for the particles [begin, end), n <= 4 from p on, one a
// lane of row[0..3]; by chunks, as scatter_mls() does.
template <class T, int D, class Kernel, class Make>
FIRN_KEEP_ORDER void lay_rows(const ParticleSet<T, D>& set, std::uint32_t begin, std::uint32_t end,
                              Node<T>* arena, const Make& make) {
  Stencil<T, D, Kernel> stencils[kChunkSimds];
  Node<T> rows[kChunkSimds][kLanes];
  for (std::uint32_t first = begin; first < end; first += kChunk) {
    const int count = static_cast<int>(std::min<std::uint32_t>(kChunk, end - first));
    const int simds = (count + kLanes - 1) / kLanes;
    for (int b = 0; b < simds; ++b) {
      const std::uint32_t p = first + b * kLanes;
      stencils[b].set(load_vector<T, D>(set.position, p));
      Node<T>* const row = rows[b];
      make(p, std::min(kLanes, count - b * kLanes), row);
      transpose_lanes(row[0], row[1], row[2], row[3]);
    }
    for (int b = 0; b < simds; ++b)
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        if (b * kLanes + lane < count) lay_row<lane>(rows[b][lane], stencils[b], arena);
      });
  }
}

// Calls take(p, n, sum, least) with the weighted sums of the nodes of the particles [begin, end),
// and the least of them, n <= 4 from p on, one a lane of sum[0..3].
template <class T, int D, class Kernel, class Take>
void find_rows(const ParticleSet<T, D>& set, std::uint32_t begin, std::uint32_t end,
               const Node<T>* arena, const Take& take) {
  using P = Simd<T, kLanes>;
  for (std::uint32_t p = begin; p < end; p += kLanes) {
    const int n = static_cast<int>(std::min<std::uint32_t>(kLanes, end - p));
    Stencil<T, D, Kernel> stencil;
    stencil.set(load_vector<T, D>(set.position, p));
    P sum[4] = {P(0), P(0), P(0), P(0)}, least[4] = {P(1), P(1), P(1), P(1)};
    unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
      if (lane < n) find_row<lane>(stencil, arena, sum[lane], least[lane]);
    });
    transpose_lanes(sum[0], sum[1], sum[2], sum[3]);
    transpose_lanes(least[0], least[1], least[2], least[3]);
    take(p, n, sum, least);
  }
}

}  // namespace firn
