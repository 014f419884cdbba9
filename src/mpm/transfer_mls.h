// MLS transfers: the hot path. Particles are read four at a time, turned into rows of four lanes
// (momentum and mass side by side), and each row visits its K^D nodes; the affine part grows by an
// addition from node to node.
#pragma once

#include <algorithm>

#include "base/transpose.h"
#include "mpm/arena.h"
#include "mpm/kernels.h"
#include "mpm/state.h"

namespace firn {

constexpr int kLanes = 4;

// Where four particles sit in the arena of their block: index of the base node, weights as rows
// (row l holds the weights of particle l along one axis), and the offset xi from base node to
// particle in cells.
template <class T, int D, class Kernel>
struct Stencil4 {
  int index[kLanes];
  Pack<T, 4> weight[D][kLanes];
  Vec<Pack<T, 4>, D> xi;

  FIRN_INLINE explicit Stencil4(const Vec<Pack<T, 4>, D>& position) {
    using A = Arena<D, Kernel>;
    typedef BitsOf<T> I __attribute__((vector_size(4 * sizeof(T))));
    I flat = I{};
    for (int a = 0; a < D; ++a) {
      const Pack<T, 4> shifted = position[a] + Pack<T, 4>(T(BlockShape<D>::kMargin));
      I cell = __builtin_convertvector(shifted.v, I);
      const I last = I{} + (A::kCells - 1);
      cell = cell > last ? last : cell;
      const Pack<T, 4> f = shifted - Pack<T, 4>(__builtin_convertvector(cell, typename Pack<T, 4>::V));
      flat = flat * A::kWidth + cell;
      xi[a] = f + Pack<T, 4>(T(Kernel::kShift));
      Pack<T, 4> w[4] = {0, 0, 0, 0};
      Kernel::weights(f, w);
      transpose_lanes(w[0], w[1], w[2], w[3]);
      for (int l = 0; l < kLanes; ++l) weight[a][l] = w[l];
    }
    for (int l = 0; l < kLanes; ++l) index[l] = static_cast<int>(flat[l]);
  }
};

template <class T, int D>
FIRN_INLINE Vec<Pack<T, 4>, D> load_vector(const Columns<T>& columns, std::uint32_t p, int n) {
  Vec<Pack<T, 4>, D> r;
  for (int a = 0; a < D; ++a) r[a] = Pack<T, 4>::load(columns[a] + p, n);
  return r;
}

// Stress as the full matrix, whether the set stores six (three) entries or one.
template <class T, int D>
FIRN_INLINE void subtract_stress(const Columns<T>& stress, std::uint32_t p, int n, Pack<T, 4> scale,
                                 Mat<Pack<T, 4>, D>& a) {
  if (stress.components() == 1) {
    const Pack<T, 4> s = scale * Pack<T, 4>::load(stress[0] + p, n);
    for (int i = 0; i < D; ++i) a(i, i) -= s;
    return;
  }
  SymMat<Pack<T, 4>, D> tau;
  for (int i = 0; i < SymMat<T, D>::kSize; ++i) tau.e[i] = scale * Pack<T, 4>::load(stress[i] + p, n);
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) a(i, j) -= tau(i, j);
}

// Adds q + i a0 + j a1 + k a2, weighted, to the nodes (i, j, k) of one particle.
template <class T, int D, class Kernel>
FIRN_INLINE void scatter_row(Node<T>* node, Node<T> q, const Node<T>* slope, const Stencil4<T, D, Kernel>& s,
                             int l) {
  constexpr int K = Kernel::kNodes, W = Arena<D, Kernel>::kWidth;
  const Pack<T, 4> wz = s.weight[D - 1][l];
#pragma GCC unroll 4
  for (int i = 0; i < K; ++i) {
    if constexpr (D == 2) {
      const Pack<T, 4> w = wz * Pack<T, 4>(s.weight[0][l][i]);
      Node<T> value = q;
#pragma GCC unroll 4
      for (int j = 0; j < K; ++j) {
        node[i * W + j] = node[i * W + j] + value * Pack<T, 4>(w[j]);
        value = value + slope[1];
      }
    } else {
      Node<T> row = q;
      const Pack<T, 4> wyz = wz * Pack<T, 4>(s.weight[0][l][i]);
#pragma GCC unroll 4
      for (int j = 0; j < K; ++j) {
        const Pack<T, 4> w = wyz * Pack<T, 4>(s.weight[1][l][j]);
        Node<T>* line = node + (i * W + j) * W;
        Node<T> value = row;
#pragma GCC unroll 4
        for (int k = 0; k < K; ++k) {
          line[k] = line[k] + value * Pack<T, 4>(w[k]);
          value = value + slope[2];
        }
        row = row + slope[1];
      }
    }
    q = q + slope[0];
  }
}

// Momentum m (v + C d) minus the impulse dt V tau D^-1 d of the stress (correction 8: minus), and
// mass, of the particles [begin, end) into the arena.
template <class T, int D, class Kernel>
void scatter_mls(const StepContext<T, D>& ctx, const ParticleSet<T, D>& set,
                 std::uint32_t begin, std::uint32_t end, Node<T>* arena) {
  using P = Pack<T, 4>;
  const P stress_scale(ctx.dt * T(Kernel::kInverseD) * ctx.inverse_h);
  for (std::uint32_t p = begin; p < end; p += kLanes) {
    const int n = static_cast<int>(std::min<std::uint32_t>(kLanes, end - p));
    const Stencil4<T, D, Kernel> stencil(load_vector<T, D>(set.position, p, n));
    const P mass = P::load(set.mass[0] + p, n), volume = P::load(set.volume[0] + p, n);
    const P mass_h = mass * P(ctx.h);
    Mat<P, D> slope;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) slope(i, j) = mass_h * P::load(set.affine[i * D + j] + p, n);
    subtract_stress<T, D>(set.stress, p, n, stress_scale * volume, slope);
    P q[4] = {P(0), P(0), P(0), mass}, a[D][4];
    for (int i = 0; i < D; ++i) {
      q[i] = mass * P::load(set.velocity[i] + p, n);
      for (int j = 0; j < D; ++j) q[i] -= slope(i, j) * stencil.xi[j];
    }
    transpose_lanes(q[0], q[1], q[2], q[3]);
    for (int j = 0; j < D; ++j) {
      for (int i = 0; i < 4; ++i) a[j][i] = i < D ? slope(i < D ? i : 0, j) : P(0);
      transpose_lanes(a[j][0], a[j][1], a[j][2], a[j][3]);
    }
    for (int l = 0; l < n; ++l) {
      Node<T> columns[D];
      for (int j = 0; j < D; ++j) columns[j] = a[j][l];
      scatter_row<T, D, Kernel>(arena + stencil.index[l], q[l], columns, stencil, l);
    }
  }
}

// Sums of one particle over its nodes: value = sum w v, moment[a] = sum w k_a v with k the node's
// place in the stencil.
template <class T, int D>
struct GatheredRow {
  Node<T> value, moment[D];
};

template <class T, int D, class Kernel>
FIRN_INLINE GatheredRow<T, D> gather_row(const Node<T>* node, const Stencil4<T, D, Kernel>& s, int l) {
  constexpr int K = Kernel::kNodes, W = Arena<D, Kernel>::kWidth;
  using P = Pack<T, 4>;
  const P ramp = P(typename P::V{0, 1, 2, 3});
  const P wz = s.weight[D - 1][l], wz1 = wz * ramp;
  const auto line_sums = [&](const Node<T>* line, Node<T>& sum, Node<T>& moment) {
    sum = line[0] * P(wz[0]);
    moment = line[1] * P(wz1[1]);
#pragma GCC unroll 4
    for (int k = 1; k < K; ++k) {
      sum = sum + line[k] * P(wz[k]);
      if (k > 1) moment = moment + line[k] * P(wz1[k]);
    }
  };
  GatheredRow<T, D> r;
  r.value = Node<T>(0);
  for (int a = 0; a < D; ++a) r.moment[a] = Node<T>(0);
  const P wx = s.weight[0][l], wx1 = wx * ramp;
#pragma GCC unroll 4
  for (int i = 0; i < K; ++i) {
    Node<T> sum, moment;
    if constexpr (D == 2) {
      line_sums(node + i * W, sum, moment);
      r.moment[1] = r.moment[1] + moment * P(wx[i]);
    } else {
      const P wy = s.weight[1][l], wy1 = wy * ramp;
      sum = Node<T>(0);
      moment = Node<T>(0);
      Node<T> moment_y = Node<T>(0);
#pragma GCC unroll 4
      for (int j = 0; j < K; ++j) {
        Node<T> line_sum, line_moment;
        line_sums(node + (i * W + j) * W, line_sum, line_moment);
        sum = sum + line_sum * P(wy[j]);
        moment_y = moment_y + line_sum * P(wy1[j]);
        moment = moment + line_moment * P(wy[j]);
      }
      r.moment[1] = r.moment[1] + moment_y * P(wx[i]);
      r.moment[2] = r.moment[2] + moment * P(wx[i]);
    }
    r.value = r.value + sum * P(wx[i]);
    r.moment[0] = r.moment[0] + sum * P(wx1[i]);
  }
  return r;
}

// Velocity, affine matrix C (also the velocity gradient) and new position of the particles
// [begin, end) from the grid velocities in the arena.
template <class T, int D, class Kernel>
void gather_mls(const StepContext<T, D>& ctx, ParticleSet<T, D>& set, std::uint32_t begin,
                std::uint32_t end, const Node<T>* arena) {
  using P = Pack<T, 4>;
  const P move(ctx.dt * ctx.inverse_h), to_gradient(T(Kernel::kInverseD) * ctx.inverse_h);
  for (std::uint32_t p = begin; p < end; p += kLanes) {
    const int n = static_cast<int>(std::min<std::uint32_t>(kLanes, end - p));
    const Vec<P, D> position = load_vector<T, D>(set.position, p, n);
    const Stencil4<T, D, Kernel> stencil(position);
    P v[4], m[D][4];
    for (int l = 0; l < kLanes; ++l) {
      const GatheredRow<T, D> row = gather_row<T, D, Kernel>(arena + stencil.index[l], stencil, l);
      v[l] = row.value;
      for (int a = 0; a < D; ++a) m[a][l] = row.moment[a];
    }
    transpose_lanes(v[0], v[1], v[2], v[3]);
    for (int a = 0; a < D; ++a) transpose_lanes(m[a][0], m[a][1], m[a][2], m[a][3]);
    for (int i = 0; i < D; ++i) {
      v[i].store(set.velocity[i] + p, n);
      (position[i] + move * v[i]).store(set.position[i] + p, n);
      for (int j = 0; j < D; ++j)
        (to_gradient * (m[j][i] - stencil.xi[j] * v[i])).store(set.affine[i * D + j] + p, n);
    }
  }
}

}  // namespace firn
