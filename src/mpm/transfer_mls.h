// MLS transfers: the hot path. Arithmetic on particles runs with one particle a lane; nodes are
// SIMD vectors of momentum (velocity) and mass, and a particle visits its K^D nodes with its
// weights picked from its lane.
//
// Particles pass in chunks: first all arithmetic on the particles of a chunk, then all their visits
// to nodes. Apart, each has enough independent work in sight of the processor, and what passes from
// one to the other stays in the first cache.
#pragma once

#include <algorithm>
#include <array>

#include "base/transpose.h"
#include "mpm/column_stream.h"
#include "mpm/mls_particle.h"
#include "mpm/state.h"
#include "mpm/stencil.h"

namespace firn {

constexpr int kChunkSimds = 8, kChunk = kChunkSimds * kLanes;

// Pointers to the first N columns, out of the reach of stores to the columns.
template <int N, class C>
FIRN_HOST_INLINE auto column_pointers(C& columns) {
  std::array<decltype(columns[0]), N> r{};
  for (int c = 0; c < N && c < columns.components(); ++c) r[c] = columns[c];
  return r;
}

using AllLanes = std::integral_constant<int, kLanes>;

// The n particles from p on. With all lanes, those behind the last particle of a block hold
// whatever lies there (the next block, or the slack of the buffer); what comes of them is never
// used.
template <class T, int D, class Pointers, class N = AllLanes>
FIRN_HOST_INLINE Vec<Simd<T, kLanes>, D> load_vector(const Pointers& columns, std::uint32_t p,
                                                     N n = {}) {
  Vec<Simd<T, kLanes>, D> r;
  for (int a = 0; a < D; ++a) r[a] = Simd<T, kLanes>::load(columns[a] + p, n);
  return r;
}

// Momentum and mass of a particle as an affine field over its stencil: value + sum_a k_a slope[a]
// at the node k of the stencil.
template <class T, int D>
struct ScatterRow {
  Node<T> value, slope[D];
};

// Adds the field of the particle in lane L, weighted, to its nodes. Weights along the last axis are
// multiplied in first; the field then advances from line to line by additions.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE void scatter_row(const ScatterRow<T, D>& row, const Stencil<T, D, Kernel>& s,
                                  Node<T>* arena) {
  constexpr int K = Kernel::kNodes, kLines = Stencil<T, D, Kernel>::kLines;
  Node<T> plane[K], line[K], step[D - 1][K], value = row.value;
  for (int k = 0; k < K; ++k) {
    line[k] = plane[k] = multiply_lane<L>(value, s.weight[D - 1][k]);
    for (int a = 0; a < D - 1; ++a) step[a][k] = multiply_lane<L>(row.slope[a], s.weight[D - 1][k]);
    value = value + row.slope[D - 1];
  }
  Node<T>* const first = arena + s.index[L];
  unroll<kLines>([&](auto at) FIRN_INLINE_LAMBDA {
    Node<T>* const node = first + s.line_offset(at);
    for (int k = 0; k < K; ++k) node[k] = add_product_lane<L>(node[k], line[k], s.of_line(at));
    for (int k = 0; k < K && at + 1 < kLines; ++k)
      if (D == 3 && (at + 1) % K != 0)
        line[k] = line[k] + step[D - 2][k];
      else
        line[k] = plane[k] = plane[k] + step[0][k];
  });
}

// Rows of particles from one particle a lane: the first D lanes of each, and the last.
template <class T, int D>
struct LaneRows {
  using P = Simd<T, kLanes>;
  P of[kLanes];

  FIRN_HOST_INLINE LaneRows(const Vec<P, D>& v, P last) : of{P(0), P(0), P(0), last} {
    for (int i = 0; i < D; ++i) of[i] = v[i];
    transpose_lanes(of[0], of[1], of[2], of[3]);
  }
};

// Momentum m (v + C d) minus the impulse dt V tau D^-1 d of the stress (docs/physics.md,
// correction 8: minus), and
// mass, of particles.
template <class T, int D>
struct RowMaker {
  using P = Simd<T, kLanes>;
  static constexpr int kStress = SymMat<T, D>::kSize;

  P h, stress_scale;
  std::array<const T*, D> velocity;
  std::array<const T*, D * D> affine;
  std::array<const T*, kStress> stress;
  const T *mass, *volume;
  bool one_stress;

  RowMaker(const StepContext<T, D>& ctx, const ParticleSet<T, D>& set, T inverse_d)
      : h(ctx.h),
        stress_scale(ctx.dt * inverse_d * ctx.inverse_h),
        velocity(column_pointers<D>(set.velocity)),
        affine(column_pointers<D * D>(set[column::affine])),
        stress(column_pointers<kStress>(set[column::stress])),
        mass(set.mass[0]),
        volume(stressed_volume(set)[0]),
        one_stress(set[column::stress].components() == 1) {}

  // Stress as the full matrix, whether the set stores six (three) entries or one.
  FIRN_HOST_INLINE void subtract_stress(std::uint32_t p, P scale, Mat<P, D>& a) const {
    if (one_stress) {
      subtract_pressure(scale * P::load(stress[0] + p), a);
      return;
    }
    SymMat<P, D> tau;
    for (int k = 0; k < kStress; ++k) tau.e[k] = scale * P::load(stress[k] + p);
    firn::subtract_stress(tau, a);
  }

  // Rows of the four particles from p on; xi is the offset from their first nodes.
  FIRN_HOST_INLINE void make(std::uint32_t p, const Vec<P, D>& xi, ScatterRow<T, D>* rows) const {
    const P m = P::load(mass + p), m_h = m * h;
    Mat<P, D> slope;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) slope(i, j) = m_h * P::load(affine[i * D + j] + p);
    subtract_stress(p, stress_scale * P::load(volume + p), slope);
    fill(p, xi, m, slope, [&](int l) -> ScatterRow<T, D>& { return rows[l]; });
  }

  // Rows of the field m v + slope (k - xi).
  template <class RowOf>
  FIRN_HOST_INLINE void fill(std::uint32_t p, const Vec<P, D>& xi, P m, const Mat<P, D>& slope,
                             const RowOf& row) const {
    Vec<P, D> momentum;
    for (int i = 0; i < D; ++i) momentum[i] = m * P::load(velocity[i] + p);
    const LaneRows<T, D> values(momentum_at_first_node(momentum, slope, xi), m);
    for (int l = 0; l < kLanes; ++l) row(l).value = values.of[l];
    for (int j = 0; j < D; ++j) {
      const LaneRows<T, D> slopes(column(slope, j), P(0));
      for (int l = 0; l < kLanes; ++l) row(l).slope[j] = slopes.of[l];
    }
  }
  FIRN_HOST_INLINE static Vec<P, D> column(const Mat<P, D>& m, int j) {
    Vec<P, D> c;
    for (int i = 0; i < D; ++i) c[i] = m(i, j);
    return c;
  }
};

// Momentum and mass of the particles [begin, end) into the arena.
template <class T, int D, class Kernel>
FIRN_KEEP_ORDER void scatter_mls(const StepContext<T, D>& ctx, const ParticleSet<T, D>& set,
                                 std::uint32_t begin, std::uint32_t end, Node<T>* arena) {
  const RowMaker<T, D> maker(ctx, set, T(Kernel::kInverseD));
  const auto position = column_pointers<D>(set.position);
  const ColumnStream<T> stream({&set.position, &set.velocity, &set[column::affine],
                                &set[column::stress], &set.mass, &stressed_volume(set)});
  Stencil<T, D, Kernel> stencils[kChunkSimds];
  ScatterRow<T, D> rows[kChunkSimds][kLanes];
  for (std::uint32_t first = begin; first < end; first += kChunk) {
    const int n = static_cast<int>(std::min<std::uint32_t>(kChunk, end - first));
    const int simds = (n + kLanes - 1) / kLanes;
    for (int b = 0; b < simds; ++b) {
      const std::uint32_t p = first + b * kLanes;
      maker.make(p, stencils[b].set(load_vector<T, D>(position, p)), rows[b]);
    }
    for (int b = 0; b < simds; ++b) {
      stream.advance(first + b * kLanes);
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        if (b * kLanes + lane < n) scatter_row<lane>(rows[b][lane], stencils[b], arena);
      });
    }
  }
}

// Sums of one particle over its nodes: value = sum w v, moment[a] = sum w (k_a - 1) v with k the
// node's place in the stencil.
template <class T, int D>
struct GatheredRow {
  Node<T> value, moment[D];
};

// sum_k (k - 1) w[k] s[k], with the weights of lane L.
template <int L, int K, class T>
FIRN_HOST_INLINE Node<T> centered_moment(const Node<T>* s, const Simd<T, 4>* w) {
  const Node<T> m = subtract_product_lane<L>(multiply_lane<L>(s[2], w[2]), s[0], w[0]);
  if constexpr (K == 3)
    return m;
  else
    return add_product_lane<L>(m, s[3] + s[3], w[3]);
}

// sum + x w, or x w alone for the first of a sum.
template <int L, class T>
FIRN_HOST_INLINE Node<T> accumulate(bool first, Node<T> sum, Node<T> x, Simd<T, 4> w) {
  return first ? multiply_lane<L>(x, w) : add_product_lane<L>(sum, x, w);
}

// The sums over the nodes that share a place along one axis give that axis' moment, and the place 1
// needs none. Where they are kept for the last axis they are summed line by line, for the others
// from sums of lines: 69 multiplications for the quadratic kernel in 3D, where summing axis by axis
// takes 84 and node by node 108.
template <class T, int D, class Kernel>
struct RowSums {
  static constexpr int K = Kernel::kNodes;
  Node<T> at_last[K], at_first[K], at_middle[K];

  // The nodes of line At of the particle in lane L.
  template <int L, int At>
  FIRN_HOST_INLINE void add_line(const Stencil<T, D, Kernel>& s, const Node<T>* first) {
    constexpr int i = D == 3 ? At / K : At, j = At % K;
    const Node<T>* const node = first + s.line_offset(At);
    Node<T> line;
    for (int k = 0; k < K; ++k) {
      const Node<T> v = node[k];
      line = accumulate<L>(k == 0, line, v, s.weight[D - 1][k]);
      if (k != 1) at_last[k] = accumulate<L>(At == 0, at_last[k], v, s.of_line(At));
    }
    if constexpr (D == 3) {
      at_first[i] = accumulate<L>(j == 0, at_first[i], line, s.weight[1][j]);
      if (j != 1) at_middle[j] = accumulate<L>(i == 0, at_middle[j], line, s.weight[0][i]);
    } else {
      at_first[i] = line;
    }
  }
  template <int L>
  FIRN_HOST_INLINE void finish(const Stencil<T, D, Kernel>& s, GatheredRow<T, D>& r) const {
    Node<T> value;
    for (int i = 0; i < K; ++i) value = accumulate<L>(i == 0, value, at_first[i], s.weight[0][i]);
    r.value = value;
    r.moment[0] = centered_moment<L, K>(at_first, s.weight[0]);
    if constexpr (D == 3) r.moment[1] = centered_moment<L, K>(at_middle, s.weight[1]);
    r.moment[D - 1] = centered_moment<L, K>(at_last, s.weight[D - 1]);
  }
};

// The particles in lanes L and L + 1 side by side: each has too few independent sums to keep the
// multipliers busy, and three would not fit into the registers. Of pairs one is enough.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE void gather_two_rows(const Stencil<T, D, Kernel>& s, const Node<T>* arena,
                                      GatheredRow<T, D>* rows) {
  constexpr int kLines = Stencil<T, D, Kernel>::kLines;
  const Node<T>* const first_of_one = arena + s.index[L];
  const Node<T>* const first_of_other = arena + s.index[L + 1];
  RowSums<T, D, Kernel> one, other;
  if constexpr (kPaired<T, kLanes>) {
    unroll<kLines>([&](auto line)
                       FIRN_INLINE_LAMBDA { one.template add_line<L, line>(s, first_of_one); });
    one.template finish<L>(s, rows[L]);
    unroll<kLines>([&](auto line) FIRN_INLINE_LAMBDA {
      other.template add_line<L + 1, line>(s, first_of_other);
    });
    other.template finish<L + 1>(s, rows[L + 1]);
  } else {
    unroll<kLines>([&](auto line) FIRN_INLINE_LAMBDA {
      one.template add_line<L, line>(s, first_of_one);
      other.template add_line<L + 1, line>(s, first_of_other);
    });
    one.template finish<L>(s, rows[L]);
    other.template finish<L + 1>(s, rows[L + 1]);
  }
}

// Velocity, affine matrix C (also the velocity gradient) and new position of particles from what
// they gathered.
template <class T, int D>
struct RowReader {
  using P = Simd<T, kLanes>;

  P move, to_gradient;
  std::array<T*, D> position, velocity;
  std::array<T*, D * D> affine;

  RowReader(const StepContext<T, D>& ctx, ParticleSet<T, D>& set, T inverse_d)
      : move(ctx.dt * ctx.inverse_h),
        to_gradient(inverse_d * ctx.inverse_h),
        position(column_pointers<D>(set.position)),
        velocity(column_pointers<D>(set.velocity)),
        affine(column_pointers<D * D>(set[column::affine])) {}

  // The n particles from p on, one a row.
  template <class N>
  FIRN_HOST_INLINE void read(std::uint32_t p, const GatheredRow<T, D>* rows, const Vec<P, D>& xi,
                             N n) const {
    P v[4] = {rows[0].value, rows[1].value, rows[2].value, rows[3].value};
    transpose_lanes(v[0], v[1], v[2], v[3]);
    for (int i = 0; i < D; ++i) {
      v[i].store(velocity[i] + p, n);
      (P::load(position[i] + p, n) + move * v[i]).store(position[i] + p, n);
    }
    for (int j = 0; j < D; ++j) {
      P m[4] = {rows[0].moment[j], rows[1].moment[j], rows[2].moment[j], rows[3].moment[j]};
      transpose_lanes(m[0], m[1], m[2], m[3]);
      for (int i = 0; i < D; ++i)
        gradient_entry(to_gradient, m[i], xi[j], v[i]).store(affine[i * D + j] + p, n);
    }
  }
};

// Brings particles forward from the grid velocities in an arena. What the update of the materials
// needs next is prefetched along with the transfer's own columns.
template <class T, int D, class Kernel>
class MlsGather {
 public:
  MlsGather(const StepContext<T, D>& ctx, ParticleSet<T, D>& set)
      : reader_(ctx, set, T(Kernel::kInverseD)),
        stream_({&set.position, &set.velocity, &set[column::affine], &set[column::gradient],
                 &set[column::stress], &set[column::scalar], &set[column::source],
                 &set[column::dilation], &set.mass, &set.volume, &set[column::stiffness]}) {}

  // The particles [begin, end).
  FIRN_KEEP_ORDER void run(std::uint32_t begin, std::uint32_t end, const Node<T>* arena) const {
    for (std::uint32_t first = begin; first < end; first += kChunk)
      run_chunk(first, static_cast<int>(std::min<std::uint32_t>(kChunk, end - first)), arena);
  }

 private:
  using P = Simd<T, kLanes>;

  FIRN_HOST_INLINE void run_chunk(std::uint32_t first, int n, const Node<T>* arena) const {
    Stencil<T, D, Kernel> stencils[kChunkSimds];
    Vec<P, D> from_center[kChunkSimds];
    GatheredRow<T, D> rows[kChunkSimds][kLanes];
    const int whole = n / kLanes, rest = n % kLanes, simds = whole + (rest > 0);
    // Other threads write the particles behind the last one: they are not even read.
    const auto locate = [&](int b, auto count) FIRN_INLINE_LAMBDA {
      const std::uint32_t p = first + b * kLanes;
      const Vec<P, D> xi = stencils[b].set(load_vector<T, D>(reader_.position, p, count));
      for (int a = 0; a < D; ++a) from_center[b][a] = xi[a] - P(1);
    };
    for (int b = 0; b < whole; ++b) locate(b, AllLanes{});
    if (rest > 0) locate(whole, rest);
    for (int b = 0; b < simds; ++b) {
      stream_.advance(first + b * kLanes);
      gather_two_rows<0>(stencils[b], arena, rows[b]);
      gather_two_rows<2>(stencils[b], arena, rows[b]);
    }
    const auto read = [&](int b, auto count) FIRN_INLINE_LAMBDA {
      reader_.read(first + b * kLanes, rows[b], from_center[b], count);
    };
    for (int b = 0; b < whole; ++b) read(b, AllLanes{});
    if (rest > 0) read(whole, rest);
  }

  RowReader<T, D> reader_;
  ColumnStream<T> stream_;
};

}  // namespace firn
