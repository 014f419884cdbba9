#include "mpm/operators.h"

#include <algorithm>

#include "exec/parallel.h"
#include "mpm/grid_update.h"
#include "mpm/line_windows.h"
#include "mpm/transfer_classic.h"
#include "mpm/transfer_gradient.h"

namespace firn {
namespace {

template <class T, int D, class Kernel>
struct ArenaOperators {
  static constexpr std::size_t kArena = Arena<D, Kernel>::kSize;
  using Context = StepContext<T, D>;
  using Set = MaterialSet<T, D>;
  using P = Simd<T, kLanes>;

  // The table of a family of operators.
  template <class Family>
  static BlockOperators<T, D> table() {
    return {&Family::momentum,
            &Family::stress,
            &Family::map,
            &Family::gradient,
            &Family::advance,
            &nodes_of<Family::kByMoments>,
            &write_shares<T, D, Kernel>,
            &merge_shares<T, D, Kernel>,
            &load_arena<T, D, Kernel>,
            kArena};
  }

  // f(first of up to four particles, how many) for the particles [begin, end).
  template <class F>
  static void for_each_simd(std::uint32_t begin, std::uint32_t end, F&& f) {
    for (std::uint32_t p = begin; p < end; p += kLanes)
      f(p, static_cast<int>(std::min<std::uint32_t>(kLanes, end - p)));
  }
  template <class F>
  static void for_each_simd(const Set& set, int block, F&& f) {
    for_each_simd(set.begin[block], set.begin[block + 1], f);
  }
  // The matrices of the particles from number `at` of the columns on.
  static Mat<P, D> load_matrix(const T* const* columns, std::uint32_t at, int n) {
    Mat<P, D> m;
    for (int k = 0; k < D * D; ++k) m(k / D, k % D) = P::load(columns[k] + at, n);
    return m;
  }
  template <bool kByMoments>
  static int nodes_of(const Context& ctx, const Set& set, std::uint32_t p, int* in_arena,
                      Vec<T, D>* gradient) {
    const Stencil1<T, D, Kernel> stencil(vector_of<T, D>(set.particles.position, p));
    int n = 0;
    stencil.for_each_node([&](int offset, T w, const Vec<T, D>& g, const Vec<T, D>& d) {
      in_arena[n] = stencil.index + offset;
      gradient[n++] =
          kByMoments ? d * (w * T(Kernel::kInverseD) * ctx.inverse_h) : g * ctx.inverse_h;
    });
    return n;
  }
  // Group by group: gradients, what becomes of them, and their transpose.
  template <class Family>
  static void map_by(const Context& ctx, const Particles<T, D>& all, int block, bool relative,
                     const Node<T>* field, const GroupMap<T>& map, Node<T>* arena) {
    constexpr std::uint32_t kGroup = 128;
    T columns[D * D][kGroup];
    T* rate[D * D];
    for (int k = 0; k < D * D; ++k) rate[k] = columns[k];
    for (std::size_t s = 0; s < all.sets.size(); ++s) {
      const Set& set = all.sets[s];
      const std::uint32_t end = set.begin[block + 1];
      for (std::uint32_t p = set.begin[block]; p < end; p += kGroup) {
        const std::uint32_t last = std::min(end, p + kGroup);
        Family::gradient(ctx, set, p, last, relative, field, rate);
        map(static_cast<int>(s), block, p, last, rate);
        Family::push(ctx, set, p, last, rate, arena);
      }
    }
  }
  // The gradients that a gather finds on the way are not kept.
  template <class Gather>
  static void advance_by(const Context& ctx, Set& set, int block, const Node<T>* arena,
                         const Node<T>* change) {
    constexpr std::uint32_t kGroup = 256;
    T unused[D * D][kGroup];
    T* rate[D * D];
    for (int k = 0; k < D * D; ++k) rate[k] = unused[k];
    const Gather gather(ctx, set.particles);
    const std::uint32_t end = set.begin[block + 1];
    for (std::uint32_t first = set.begin[block]; first < end; first += kGroup)
      gather.run(first, std::min(end, first + kGroup), arena, ctx.split ? change : nullptr, rate);
  }
};

// MLS: stress and gradients by moments.
template <class T, int D, class Kernel>
struct MlsOperators : ArenaOperators<T, D, Kernel> {
  using Base = ArenaOperators<T, D, Kernel>;
  using typename Base::Context, typename Base::Set, typename Base::P;
  static constexpr bool kByMoments = true;

  // Rows of mass `m` and slopes `slope`, scattered.
  template <class Slope>
  static void scatter(const Context& ctx, const Set& set, int block, bool with_mass, Node<T>* arena,
                      const Slope& slope_of) {
    const RowMaker<T, D> maker(ctx, set.particles, T(Kernel::kInverseD));
    const auto position = column_pointers<D>(set.particles.position);
    Base::for_each_simd(set, block, [&](std::uint32_t p, int n) {
      Stencil<T, D, Kernel> stencil;
      const Vec<P, D> xi = stencil.set(load_vector<T, D>(position, p));
      const P mass = with_mass ? P::load(maker.mass + p) : P(0);
      ScatterRow<T, D> rows[kLanes];
      maker.fill(p, xi, mass, slope_of(maker, p, mass),
                 [&](int l) -> ScatterRow<T, D>& { return rows[l]; });
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        if (lane < n) scatter_row<lane>(rows[lane], stencil, arena);
      });
    });
  }
  static void momentum(const Context& ctx, const Set& set, int block, Node<T>* arena) {
    scatter(ctx, set, block, true, arena, [](const RowMaker<T, D>& maker, std::uint32_t p, P mass) {
      Mat<P, D> slope;
      for (int k = 0; k < D * D; ++k)
        slope(k / D, k % D) = mass * maker.h * P::load(maker.affine[k] + p);
      return slope;
    });
  }
  static void stress(const Context& ctx, const Set& set, int block, Node<T>* arena) {
    scatter(ctx, set, block, false, arena, [](const RowMaker<T, D>& maker, std::uint32_t p, P) {
      Mat<P, D> slope = Mat<P, D>::zero();
      maker.subtract_stress(p, maker.stress_scale * P::load(maker.volume + p), slope);
      return slope;
    });
  }
  static void push(const Context& ctx, const Set& set, std::uint32_t begin, std::uint32_t end,
                   const T* const* matrix, Node<T>* arena) {
    const auto position = column_pointers<D>(set.particles.position);
    const P scale(T(Kernel::kInverseD) * ctx.inverse_h);
    Base::for_each_simd(begin, end, [&](std::uint32_t p, int n) {
      Stencil<T, D, Kernel> stencil;
      const Vec<P, D> xi = stencil.set(load_vector<T, D>(position, p, n));
      const Mat<P, D> slope = Base::load_matrix(matrix, p - begin, n) * scale;
      ScatterRow<T, D> rows[kLanes];
      const LaneRows<T, D> values(momentum_at_first_node(Vec<P, D>::zero(), slope, xi), P(0));
      for (int l = 0; l < kLanes; ++l) rows[l].value = values.of[l];
      for (int j = 0; j < D; ++j) {
        const LaneRows<T, D> slopes(RowMaker<T, D>::column(slope, j), P(0));
        for (int l = 0; l < kLanes; ++l) rows[l].slope[j] = slopes.of[l];
      }
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        if (lane < n) scatter_row<lane>(rows[lane], stencil, arena);
      });
    });
  }
  static void gradient(const Context& ctx, const Set& set, std::uint32_t begin, std::uint32_t end,
                       bool, const Node<T>* arena, T* const* rate) {
    const auto position = column_pointers<D>(set.particles.position);
    const P to_gradient(T(Kernel::kInverseD) * ctx.inverse_h);
    Base::for_each_simd(begin, end, [&](std::uint32_t p, int n) {
      Stencil<T, D, Kernel> stencil;
      const Vec<P, D> xi = stencil.set(load_vector<T, D>(position, p, n));
      GatheredRow<T, D> rows[kLanes];
      gather_two_rows<0>(stencil, arena, rows);
      gather_two_rows<2>(stencil, arena, rows);
      P v[4] = {rows[0].value, rows[1].value, rows[2].value, rows[3].value};
      transpose_lanes(v[0], v[1], v[2], v[3]);
      for (int j = 0; j < D; ++j) {
        P m[4] = {rows[0].moment[j], rows[1].moment[j], rows[2].moment[j], rows[3].moment[j]};
        transpose_lanes(m[0], m[1], m[2], m[3]);
        for (int i = 0; i < D; ++i)
          gradient_entry(to_gradient, m[i], xi[j] - P(1), v[i])
              .store(rate[i * D + j] + (p - begin), n);
      }
    });
  }
  static void map(const Context& ctx, const Particles<T, D>& all, int block, bool relative,
                  const Node<T>* field, const GroupMap<T>& map, Node<T>* arena) {
    if constexpr (kHasWindows<T, D, Kernel>)
      map_by_windows(ctx, all, block, field, map, arena);
    else
      Base::template map_by<MlsOperators>(ctx, all, block, relative, field, map, arena);
  }
  static void map_by_windows(const Context& ctx, const Particles<T, D>& all, int block,
                             const Node<T>* field, const GroupMap<T>& map, Node<T>* arena) {
    LineWindows<T> from, to;
    from.read(field);
    to.clear();
    WindowGroup<T> group(ctx.inverse_h);
    T* rate[D * D];
    for (int k = 0; k < D * D; ++k) rate[k] = group.column(k);
    for (std::size_t s = 0; s < all.sets.size(); ++s) {
      const Set& set = all.sets[s];
      const auto position = column_pointers<D>(set.particles.position);
      const std::uint32_t end = set.begin[block + 1];
      for (std::uint32_t p = set.begin[block]; p < end; p += group.kMost) {
        const std::uint32_t last = std::min(end, p + group.kMost);
        group.gather(position, p, static_cast<int>(last - p), from,
                     map.ahead ? map.ahead + s : nullptr);
        map(static_cast<int>(s), block, p, last, rate);
        group.scatter(static_cast<int>(last - p), to);
      }
    }
    to.add_to(arena);
  }
  static void advance(const Context& ctx, Set& set, int block, const Node<T>* arena,
                      const Node<T>*) {
    MlsGather<T, D, Kernel>(ctx, set.particles).run(set.begin[block], set.begin[block + 1], arena);
  }
  static BlockOperators<T, D> make() { return Base::template table<MlsOperators>(); }
};

// APIC, FLIP, PIC: stress and gradients by the derivatives of the weights.
template <class T, int D, class Kernel>
struct GradientOperators : ArenaOperators<T, D, Kernel> {
  using Base = ArenaOperators<T, D, Kernel>;
  using typename Base::Context, typename Base::Set, typename Base::P;
  static constexpr bool kByMoments = false;
  using Flat = const Stencil<T, D, Kernel>&;

  static void momentum(const Context& ctx, const Set& set, int block, Node<T>* arena) {
    const GradientMaker<T, D> maker(ctx, set.particles, T(Kernel::kInverseD));
    const auto position = column_pointers<D>(set.particles.position);
    Base::for_each_simd(set, block, [&](std::uint32_t p, int n) {
      Stencil<T, D, Kernel> stencil;
      GradientRow<T, D> rows[kLanes];
      maker.make_momentum(p, stencil.set(load_vector<T, D>(position, p)), rows);
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        if (lane < n) scatter_row<lane>(rows[lane].carried, stencil, arena);
      });
    });
  }
  static void stress(const Context& ctx, const Set& set, int block, Node<T>* arena) {
    const GradientMaker<T, D> maker(ctx, set.particles, T(Kernel::kInverseD));
    const auto position = column_pointers<D>(set.particles.position);
    Base::for_each_simd(set, block, [&](std::uint32_t p, int n) {
      GradientStencil<T, D, Kernel> stencil;
      stencil.set(load_vector<T, D>(position, p));
      GradientRow<T, D> rows[kLanes];
      maker.make_push(p, rows);
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        if (lane < n) scatter_push<lane>(rows[lane].push, stencil, arena);
      });
    });
  }
  static void push(const Context& ctx, const Set& set, std::uint32_t begin, std::uint32_t end,
                   const T* const* matrix, Node<T>* arena) {
    const auto position = column_pointers<D>(set.particles.position);
    Base::for_each_simd(begin, end, [&](std::uint32_t p, int n) {
      GradientStencil<T, D, Kernel> stencil;
      stencil.set(load_vector<T, D>(position, p, n));
      const Mat<P, D> impulse = Base::load_matrix(matrix, p - begin, n) * P(ctx.inverse_h);
      Node<T> pushes[kLanes][D];
      for (int j = 0; j < D; ++j) {
        const LaneRows<T, D> rows(RowMaker<T, D>::column(impulse, j), P(0));
        for (int l = 0; l < kLanes; ++l) pushes[l][j] = rows.of[l];
      }
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        if (lane < n) scatter_push<lane>(pushes[lane], stencil, arena);
      });
    });
  }
  static void gradient(const Context& ctx, const Set& set, std::uint32_t begin, std::uint32_t end,
                       bool relative, const Node<T>* arena, T* const* rate) {
    const P inverse_h(ctx.inverse_h), share(relative ? T(1) : T(0));
    Base::for_each_simd(begin, end, [&](std::uint32_t p, int n) {
      GradientStencil<T, D, Kernel> stencil;
      stencil.set(load_vector<T, D>(set.particles.position, p, n));
      Vec<P, D> velocity = load_vector<T, D>(set.particles.velocity, p, n);
      for (int a = 0; a < D; ++a) velocity[a] = velocity[a] * share;
      const LaneRows<T, D> own(velocity, P(0));
      GradientSums<T, D> rows[kLanes];
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        gather_gradient_row<lane>(stencil, arena, own.of[lane], rows[lane]);
      });
      for (int j = 0; j < D; ++j) {
        P r[4] = {rows[0].rate[j], rows[1].rate[j], rows[2].rate[j], rows[3].rate[j]};
        transpose_lanes(r[0], r[1], r[2], r[3]);
        for (int i = 0; i < D; ++i) (inverse_h * r[i]).store(rate[i * D + j] + (p - begin), n);
      }
    });
  }
  static void map(const Context& ctx, const Particles<T, D>& all, int block, bool relative,
                  const Node<T>* field, const GroupMap<T>& map, Node<T>* arena) {
    Base::template map_by<GradientOperators>(ctx, all, block, relative, field, map, arena);
  }
  static void advance(const Context& ctx, Set& set, int block, const Node<T>* arena,
                      const Node<T>* change) {
    Base::template advance_by<GradientGather<T, D, Kernel>>(ctx, set, block, arena, change);
  }
  static BlockOperators<T, D> make() { return Base::template table<GradientOperators>(); }
};

// The linear kernel, one particle at a time.
template <class T, int D>
struct ClassicOperators : ArenaOperators<T, D, LinearKernel> {
  using Kernel = LinearKernel;
  using Base = ArenaOperators<T, D, Kernel>;
  using typename Base::Context, typename Base::Set;
  static constexpr bool kByMoments = false;

  static void momentum(const Context& ctx, const Set& set, int block, Node<T>* arena) {
    scatter(ctx, set, block, arena, std::vector<Node<T>>(Base::kArena, Node<T>(0)).data());
  }
  static void stress(const Context& ctx, const Set& set, int block, Node<T>* arena) {
    scatter(ctx, set, block, std::vector<Node<T>>(Base::kArena, Node<T>(0)).data(), arena);
  }
  static void scatter(Context ctx, const Set& set, int block, Node<T>* momenta, Node<T>* pushes) {
    ctx.split = true;
    scatter_classic<T, D, Kernel>(ctx, set.particles, set.begin[block], set.begin[block + 1],
                                  momenta, pushes);
  }
  static void push(const Context& ctx, const Set& set, std::uint32_t begin, std::uint32_t end,
                   const T* const* matrix, Node<T>* arena) {
    for (std::uint32_t p = begin; p < end; ++p) {
      const Stencil1<T, D, Kernel> stencil(vector_of<T, D>(set.particles.position, p));
      stencil.for_each_node([&](int offset, T, const Vec<T, D>& g, const Vec<T, D>&) {
        Node<T>& node = arena[stencil.index + offset];
        for (int i = 0; i < D; ++i) {
          T sum = T(0);
          for (int j = 0; j < D; ++j) sum += matrix[i * D + j][p - begin] * g[j];
          node.set(i, node[i] + ctx.inverse_h * sum);
        }
      });
    }
  }
  static void gradient(const Context& ctx, const Set& set, std::uint32_t begin, std::uint32_t end,
                       bool relative, const Node<T>* arena, T* const* rate) {
    T unused;
    for (std::uint32_t p = begin; p < end; ++p) {
      if (relative) {
        const auto sums = classic_sums<T, D, Kernel>(ctx, set.particles, p, arena, nullptr);
        for (int k = 0; k < D * D; ++k)
          sums.matrices(ctx, k / D, k % D, rate[k][p - begin], unused);
        continue;
      }
      const Stencil1<T, D, Kernel> stencil(vector_of<T, D>(set.particles.position, p));
      Mat<T, D> sum = Mat<T, D>::zero();
      stencil.for_each_node([&](int offset, T, const Vec<T, D>& g, const Vec<T, D>&) {
        const Vec<T, D> v = velocity_of<D>(arena[stencil.index + offset]);
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < D; ++j) sum(i, j) += v[i] * g[j];
      });
      for (int k = 0; k < D * D; ++k) rate[k][p - begin] = ctx.inverse_h * sum(k / D, k % D);
    }
  }
  static void map(const Context& ctx, const Particles<T, D>& all, int block, bool relative,
                  const Node<T>* field, const GroupMap<T>& map, Node<T>* arena) {
    Base::template map_by<ClassicOperators>(ctx, all, block, relative, field, map, arena);
  }
  static void advance(const Context& ctx, Set& set, int block, const Node<T>* arena,
                      const Node<T>* change) {
    Base::template advance_by<ClassicGather<T, D, Kernel>>(ctx, set, block, arena, change);
  }
  static BlockOperators<T, D> make() { return Base::template table<ClassicOperators>(); }
};

}  // namespace

template <class T, int D>
BlockOperators<T, D> block_operators(KernelKind kernel, TransferKind transfer) {
  const bool mls = transfer == TransferKind::mls;
  switch (kernel) {
    case KernelKind::linear:
      return ClassicOperators<T, D>::make();
    case KernelKind::quadratic:
      return mls ? MlsOperators<T, D, QuadraticKernel>::make()
                 : GradientOperators<T, D, QuadraticKernel>::make();
    case KernelKind::cubic:
      break;
  }
  return mls ? MlsOperators<T, D, CubicKernel>::make()
             : GradientOperators<T, D, CubicKernel>::make();
}

template <class T, int D>
void Operators<T, D>::gradient_to_particles(const Context& ctx, const Particles<T, D>& all,
                                            const NodeField<T, D>& velocity,
                                            std::vector<Columns<T>>& rate) const {
  rate.clear();
  for (const auto& set : all.sets) rate.emplace_back(D * D).resize(set.particles.size());
  parallel_for("gradient", all.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Node<T>> arena(of_block_.arena_size);
    for (std::int64_t b = begin; b < end; ++b) {
      of_block_.load(all.blocks, velocity.data(), static_cast<int>(b), arena.data());
      for (std::size_t s = 0; s < all.sets.size(); ++s) {
        T* columns[D * D];
        const std::uint32_t first = all.sets[s].begin[b], last = all.sets[s].begin[b + 1];
        for (int k = 0; k < D * D; ++k) columns[k] = rate[s][k] + first;
        of_block_.gradient(ctx, all.sets[s], first, last, true, arena.data(), columns);
      }
    }
  });
}

template <class T, int D>
void Operators<T, D>::advance(const Context& ctx, Particles<T, D>& all,
                              const NodeField<T, D>& velocity,
                              const NodeField<T, D>* change) const {
  parallel_for("advance", all.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Node<T>> arena(of_block_.arena_size), changes(of_block_.arena_size);
    for (std::int64_t b = begin; b < end; ++b) {
      of_block_.load(all.blocks, velocity.data(), static_cast<int>(b), arena.data());
      if (change) of_block_.load(all.blocks, change->data(), static_cast<int>(b), changes.data());
      for (auto& set : all.sets)
        of_block_.advance(ctx, set, static_cast<int>(b), arena.data(),
                          change ? changes.data() : nullptr);
    }
  });
}

#define FIRN_INSTANTIATE(T, D)                                                   \
  template BlockOperators<T, D> block_operators<T, D>(KernelKind, TransferKind); \
  template class Operators<T, D>;
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
