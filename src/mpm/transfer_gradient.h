// Transfers with kernel gradients (APIC, FLIP, PIC; quadratic and cubic kernels), in the shape of
// transfer_mls.h: arithmetic on particles with one particle a lane, nodes as SIMD vectors. What one
// particle does is classic_particle.h's, which the linear kernel and CUDA use as it stands; here
// its sums over nodes are taken apart axis by axis. tests/unit/mpm_gradient_transfer.cpp compares
// the two.
#pragma once

#include "mpm/transfer_mls.h"

namespace firn {

// Weights of a stencil and their derivatives per cell.
template <class T, int D, class Kernel>
struct GradientStencil : Stencil<T, D, Kernel> {
  using Base = Stencil<T, D, Kernel>;
  using typename Base::P;
  static constexpr int K = Base::K, kLines = Base::kLines;

  P gradient[D][K];
  // Of the lines of nodes along the last axis: derivatives along the other axes. 2D: gradient[0].
  P line_gradient[D == 3 ? 2 : 1][D == 3 ? kLines : 1];

  FIRN_HOST_INLINE Vec<P, D> set(const Vec<P, D>& position) {
    const Vec<P, D> xi = Base::set(position);
    for (int a = 0; a < D; ++a) Kernel::gradients(xi[a] - P(T(Kernel::kShift)), gradient[a]);
    if constexpr (D == 3)
      for (int line = 0; line < kLines; ++line) {
        line_gradient[0][line] = gradient[0][line / K] * this->weight[1][line % K];
        line_gradient[1][line] = this->weight[0][line / K] * gradient[1][line % K];
      }
    return xi;
  }
  FIRN_HOST_INLINE const P& along(int axis, int line) const {
    if constexpr (D == 3)
      return line_gradient[axis][line];
    else
      return gradient[0][line];
  }
};

// A particle's momentum and mass, and the impulse of its stress: push[a] times the derivative of
// the weight along axis a.
template <class T, int D>
struct GradientRow {
  ScatterRow<T, D> carried;
  Node<T> push[D];
};

// Adds a value that is the same over the stencil of the particle in lane L, weighted, to its nodes.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE void scatter_value(Node<T> value, const GradientStencil<T, D, Kernel>& s,
                                    Node<T>* arena) {
  constexpr int K = Kernel::kNodes;
  Node<T> along[K];
  for (int k = 0; k < K; ++k) along[k] = multiply_lane<L>(value, s.weight[D - 1][k]);
  Node<T>* const first = arena + s.index[L];
  unroll<Stencil<T, D, Kernel>::kLines>([&](auto at) FIRN_INLINE_LAMBDA {
    Node<T>* const node = first + s.line_offset(at);
    for (int k = 0; k < K; ++k) node[k] = add_product_lane<L>(node[k], along[k], s.of_line(at));
  });
}

// Impulses of the stress of the particle in lane L to its nodes.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE void scatter_push(const Node<T>* push, const GradientStencil<T, D, Kernel>& s,
                                   Node<T>* arena) {
  constexpr int K = Kernel::kNodes;
  Node<T> last[K];
  for (int k = 0; k < K; ++k) last[k] = multiply_lane<L>(push[D - 1], s.gradient[D - 1][k]);
  Node<T>* const first = arena + s.index[L];
  unroll<Stencil<T, D, Kernel>::kLines>([&](auto at) FIRN_INLINE_LAMBDA {
    Node<T>* const node = first + s.line_offset(at);
    Node<T> others = multiply_lane<L>(push[0], s.along(0, at));
    if constexpr (D == 3) others = add_product_lane<L>(others, push[1], s.along(1, at));
    for (int k = 0; k < K; ++k)
      node[k] = add_product_lane<L>(add_product_lane<L>(node[k], others, s.weight[D - 1][k]),
                                    last[k], s.of_line(at));
  });
}

// Momentum and impulse in one go. Along a line of nodes all that differs is the weight along the
// last axis, and what the field and the impulse do along it.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE void scatter_both(const GradientRow<T, D>& row,
                                   const GradientStencil<T, D, Kernel>& s, Node<T>* arena) {
  constexpr int K = Kernel::kNodes, kLines = Stencil<T, D, Kernel>::kLines;
  const Node<T>* const slope = row.carried.slope;
  Node<T> last[K], along(0);
  for (int k = 0; k < K; ++k) {
    last[k] = multiply_lane<L>(row.push[D - 1], s.gradient[D - 1][k]);
    if (k > 0) {
      along = along + slope[D - 1];
      last[k] = add_product_lane<L>(last[k], along, s.weight[D - 1][k]);
    }
  }
  Node<T> plane = row.carried.value, field = plane;
  Node<T>* const first = arena + s.index[L];
  unroll<kLines>([&](auto at) FIRN_INLINE_LAMBDA {
    Node<T>* const node = first + s.line_offset(at);
    Node<T> line = multiply_lane<L>(field, s.of_line(at));
    line = add_product_lane<L>(line, row.push[0], s.along(0, at));
    if constexpr (D == 3) line = add_product_lane<L>(line, row.push[1], s.along(1, at));
    for (int k = 0; k < K; ++k)
      node[k] = add_product_lane<L>(add_product_lane<L>(node[k], line, s.weight[D - 1][k]), last[k],
                                    s.of_line(at));
    if constexpr (D == 3 && (at + 1) % K != 0)
      field = field + slope[D - 2];
    else
      field = plane = plane + slope[0];
  });
}

// What particles give: as ClassicParticle.
template <class T, int D>
struct GradientMaker {
  using P = Simd<T, kLanes>;
  using Rows = GradientRow<T, D>;

  RowMaker<T, D> columns;
  P affine_scale, push_scale;

  GradientMaker(const StepContext<T, D>& ctx, const ParticleSet<T, D>& set, T inverse_d)
      : columns(ctx, set, inverse_d),
        affine_scale(ctx.affine ? ctx.h * inverse_d : T(0)),
        push_scale(ctx.dt * ctx.inverse_h) {}

  FIRN_HOST_INLINE void make_momentum(std::uint32_t p, const Vec<P, D>& xi, Rows* rows) const {
    const P m = P::load(columns.mass + p), scale = m * affine_scale;
    Mat<P, D> slope;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) slope(i, j) = scale * P::load(columns.affine[i * D + j] + p);
    columns.fill(p, xi, m, slope, [&](int l) -> ScatterRow<T, D>& { return rows[l].carried; });
  }
  FIRN_HOST_INLINE void make_push(std::uint32_t p, Rows* rows) const {
    Mat<P, D> impulse = Mat<P, D>::zero();
    columns.subtract_stress(p, push_scale * P::load(columns.volume + p), impulse);
    for (int j = 0; j < D; ++j) {
      const LaneRows<T, D> pushes(RowMaker<T, D>::column(impulse, j), P(0));
      for (int l = 0; l < kLanes; ++l) rows[l].push[j] = pushes.of[l];
    }
  }
};

// Momentum, mass and impulses of the particles [begin, end) into arenas: impulses into one of their
// own where it is given (FLIP, whose momentum is the same over the stencil).
template <class T, int D, class Kernel>
FIRN_KEEP_ORDER void scatter_gradient(const StepContext<T, D>& ctx, const ParticleSet<T, D>& set,
                                      std::uint32_t begin, std::uint32_t end, Node<T>* arena,
                                      Node<T>* push_arena) {
  const GradientMaker<T, D> maker(ctx, set, T(Kernel::kInverseD));
  const auto position = column_pointers<D>(set.position);
  const ColumnStream<T> stream({&set.position, &set.velocity, &set[column::affine],
                                &set[column::stress], &set.mass, &stressed_volume(set)});
  GradientStencil<T, D, Kernel> stencils[kChunkSimds];
  GradientRow<T, D> rows[kChunkSimds][kLanes];
  for (std::uint32_t first = begin; first < end; first += kChunk) {
    const int n = static_cast<int>(std::min<std::uint32_t>(kChunk, end - first));
    const int simds = (n + kLanes - 1) / kLanes;
    for (int b = 0; b < simds; ++b) {
      const std::uint32_t p = first + b * kLanes;
      maker.make_momentum(p, stencils[b].set(load_vector<T, D>(position, p)), rows[b]);
      maker.make_push(p, rows[b]);
    }
    for (int b = 0; b < simds; ++b) {
      stream.advance(first + b * kLanes);
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        if (b * kLanes + lane >= n) return;
        const GradientRow<T, D>& row = rows[b][lane];
        if (push_arena) {
          scatter_value<lane>(row.carried.value, stencils[b], arena);
          scatter_push<lane>(row.push, stencils[b], push_arena);
        } else {
          scatter_both<lane>(row, stencils[b], arena);
        }
      });
    }
  }
}

// Sums of one particle over its nodes, of velocities relative to its own (ClassicSums says why):
// value = sum w v, rate[a] = sum dw/dx_a v per cell, moment[a] = sum w (k_a - 1) v, and
// change = sum w dv.
template <class T, int D>
struct GradientSums {
  Node<T> value, rate[D], moment[D], change;
};

// sum_k g[k] s[k], with the factors of lane L.
template <int L, int K, class T>
FIRN_HOST_INLINE Node<T> weighted_sum(const Node<T>* s, const Simd<T, 4>* g) {
  Node<T> sum = multiply_lane<L>(s[0], g[0]);
  for (int k = 1; k < K; ++k) sum = add_product_lane<L>(sum, s[k], g[k]);
  return sum;
}

// As RowSums; derivatives need the sums of all places.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE void gather_gradient_row(const GradientStencil<T, D, Kernel>& s,
                                          const Node<T>* arena, Node<T> own,
                                          GradientSums<T, D>& r) {
  constexpr int K = Kernel::kNodes;
  Node<T> at_last[K], at_first[K], at_middle[K];
  const Node<T>* const first = arena + s.index[L];
  unroll<Stencil<T, D, Kernel>::kLines>([&](auto at) FIRN_INLINE_LAMBDA {
    constexpr int i = D == 3 ? at / K : at, j = at % K;
    const Node<T>* const node = first + s.line_offset(at);
    Node<T> line;
    for (int k = 0; k < K; ++k) {
      const Node<T> v = node[k] - own;
      line = accumulate<L>(k == 0, line, v, s.weight[D - 1][k]);
      at_last[k] = accumulate<L>(at == 0, at_last[k], v, s.of_line(at));
    }
    if constexpr (D == 3) {
      at_first[i] = accumulate<L>(j == 0, at_first[i], line, s.weight[1][j]);
      at_middle[j] = accumulate<L>(i == 0, at_middle[j], line, s.weight[0][i]);
    } else {
      at_first[i] = line;
    }
  });
  r.value = weighted_sum<L, K>(at_first, s.weight[0]);
  r.rate[0] = weighted_sum<L, K>(at_first, s.gradient[0]);
  if constexpr (D == 3) r.rate[1] = weighted_sum<L, K>(at_middle, s.gradient[1]);
  r.rate[D - 1] = weighted_sum<L, K>(at_last, s.gradient[D - 1]);
  r.moment[0] = centered_moment<L, K>(at_first, s.weight[0]);
  if constexpr (D == 3) r.moment[1] = centered_moment<L, K>(at_middle, s.weight[1]);
  r.moment[D - 1] = centered_moment<L, K>(at_last, s.weight[D - 1]);
}

// sum w v of the particle in lane L.
template <int L, class T, int D, class Kernel>
FIRN_HOST_INLINE Node<T> gather_value(const Stencil<T, D, Kernel>& s, const Node<T>* arena) {
  const Node<T>* const first = arena + s.index[L];
  Node<T> sum[2] = {Node<T>(0), Node<T>(0)};
  unroll<Stencil<T, D, Kernel>::kLines>([&](auto at) FIRN_INLINE_LAMBDA {
    const Node<T> line =
        weighted_sum<L, Kernel::kNodes>(first + s.line_offset(at), s.weight[D - 1]);
    sum[at % 2] = add_product_lane<L>(sum[at % 2], line, s.of_line(at));
  });
  return sum[0] + sum[1];
}

// Brings particles forward as ClassicSums does, and writes their velocity gradients, row-major
// columns from gradient[...] on.
template <class T, int D, class Kernel>
class GradientGather {
 public:
  GradientGather(const StepContext<T, D>& ctx, ParticleSet<T, D>& set)
      : affine_(ctx.affine),
        move_(ctx.dt * ctx.inverse_h),
        inverse_h_(ctx.inverse_h),
        flip_(ctx.flip_ratio),
        columns_(ctx, set, T(0)),
        stream_({&set.position, &set.velocity, &set[column::affine], &set[column::gradient],
                 &set[column::stress], &set[column::scalar], &set[column::source],
                 &set[column::dilation], &set.mass, &set.volume, &set[column::stiffness]}) {}

  // The particles [begin, end). Returns the largest component of the velocities they move at.
  FIRN_KEEP_ORDER T run(std::uint32_t begin, std::uint32_t end, const Node<T>* arena,
                        const Node<T>* change, T* const* gradient) const {
    P fastest(0);
    for (std::uint32_t p = begin; p < end; p += kLanes) {
      T* to[D * D];
      for (int k = 0; k < D * D; ++k) to[k] = gradient[k] + (p - begin);
      if (p + kLanes <= end)
        fastest = max_of(fastest, run_simd(p, arena, change, to, AllLanes{}));
      else
        fastest = max_of(fastest, run_simd(p, arena, change, to, static_cast<int>(end - p)));
    }
    return max_lane(fastest);
  }

 private:
  using P = Simd<T, kLanes>;

  // Lanes behind the last particle repeat it: they are not read from memory.
  template <class N>
  FIRN_HOST_INLINE P run_simd(std::uint32_t p, const Node<T>* arena, const Node<T>* change,
                              T* const* gradient, N n) const {
    GradientStencil<T, D, Kernel> stencil;
    const Vec<P, D> xi = stencil.set(load_vector<T, D>(columns_.position, p, n));
    const Vec<P, D> own = load_vector<T, D>(columns_.velocity, p, n);
    const LaneRows<T, D> own_rows(own, P(0));
    GradientSums<T, D> rows[kLanes];
    stream_.advance(p);
    unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
      gather_gradient_row<lane>(stencil, arena, own_rows.of[lane], rows[lane]);
      rows[lane].change =
          change ? gather_value<lane>(static_cast<const Stencil<T, D, Kernel>&>(stencil), change)
                 : Node<T>(0);
    });
    return read(p, rows, xi, own, gradient, n);
  }

  template <class Part>
  FIRN_HOST_INLINE static Vec<P, D> lanes_of(const GradientSums<T, D>* rows, const Part& part) {
    P v[4] = {part(rows[0]), part(rows[1]), part(rows[2]), part(rows[3])};
    transpose_lanes(v[0], v[1], v[2], v[3]);
    Vec<P, D> r;
    for (int i = 0; i < D; ++i) r[i] = v[i];
    return r;
  }

  template <class N>
  FIRN_HOST_INLINE P read(std::uint32_t p, const GradientSums<T, D>* rows, const Vec<P, D>& xi,
                          const Vec<P, D>& own, T* const* gradient, N n) const {
    using Sums = GradientSums<T, D>;
    const Vec<P, D> pic = lanes_of(rows, [](const Sums& r) { return r.value; });
    const Vec<P, D> change = lanes_of(rows, [](const Sums& r) { return r.change; });
    P fastest(0);
    for (int i = 0; i < D; ++i) {
      const P moved = own[i] + pic[i];
      fastest = max_of(fastest, abs_of(moved));
      (own[i] + flip_ * change[i] + (P(1) - flip_) * pic[i]).store(columns_.velocity[i] + p, n);
      (P::load(columns_.position[i] + p, n) + move_ * moved).store(columns_.position[i] + p, n);
    }
    for (int j = 0; j < D; ++j) {
      const Vec<P, D> rate = lanes_of(rows, [j](const Sums& r) { return r.rate[j]; });
      for (int i = 0; i < D; ++i) (inverse_h_ * rate[i]).store(gradient[i * D + j], n);
      if (!affine_) {
        for (int i = 0; i < D; ++i) (inverse_h_ * rate[i]).store(columns_.affine[i * D + j] + p, n);
        continue;
      }
      const Vec<P, D> moment = lanes_of(rows, [j](const Sums& r) { return r.moment[j]; });
      for (int i = 0; i < D; ++i)
        (inverse_h_ * (moment[i] - (xi[j] - P(1)) * pic[i]))
            .store(columns_.affine[i * D + j] + p, n);
    }
    return fastest;
  }

  bool affine_;
  P move_, inverse_h_, flip_;
  RowReader<T, D> columns_;
  ColumnStream<T> stream_;
};

}  // namespace firn
