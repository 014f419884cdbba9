#include "mpm/operators.h"

#include <algorithm>

#include "exec/parallel.h"
#include "mpm/grid_update.h"
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
    return {&Family::momentum,           &Family::stress,
            &Family::gradient,           &Family::advance,
            &write_shares<T, D, Kernel>, &merge_shares<T, D, Kernel>,
            &load_arena<T, D, Kernel>,   kArena};
  }

  // f(first of up to four particles, how many) for the particles of a block.
  template <class F>
  static void for_each_simd(const Set& set, int block, F&& f) {
    const std::uint32_t end = set.begin[block + 1];
    for (std::uint32_t p = set.begin[block]; p < end; p += kLanes)
      f(p, static_cast<int>(std::min<std::uint32_t>(kLanes, end - p)));
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
  static void gradient(const Context& ctx, const Set& set, int block, const Node<T>* arena,
                       T* const* rate) {
    const auto position = column_pointers<D>(set.particles.position);
    const P to_gradient(T(Kernel::kInverseD) * ctx.inverse_h);
    Base::for_each_simd(set, block, [&](std::uint32_t p, int n) {
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
          gradient_entry(to_gradient, m[i], xi[j] - P(1), v[i]).store(rate[i * D + j] + p, n);
      }
    });
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
  static void gradient(const Context& ctx, const Set& set, int block, const Node<T>* arena,
                       T* const* rate) {
    const P inverse_h(ctx.inverse_h);
    Base::for_each_simd(set, block, [&](std::uint32_t p, int n) {
      GradientStencil<T, D, Kernel> stencil;
      stencil.set(load_vector<T, D>(set.particles.position, p, n));
      const LaneRows<T, D> own(load_vector<T, D>(set.particles.velocity, p, n), P(0));
      GradientSums<T, D> rows[kLanes];
      unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
        gather_gradient_row<lane>(stencil, arena, own.of[lane], rows[lane]);
      });
      for (int j = 0; j < D; ++j) {
        P r[4] = {rows[0].rate[j], rows[1].rate[j], rows[2].rate[j], rows[3].rate[j]};
        transpose_lanes(r[0], r[1], r[2], r[3]);
        for (int i = 0; i < D; ++i) (inverse_h * r[i]).store(rate[i * D + j] + p, n);
      }
    });
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
  static void gradient(const Context& ctx, const Set& set, int block, const Node<T>* arena,
                       T* const* rate) {
    T unused;
    for (std::uint32_t p = set.begin[block]; p < set.begin[block + 1]; ++p) {
      const auto sums = classic_sums<T, D, Kernel>(ctx, set.particles, p, arena, nullptr);
      for (int k = 0; k < D * D; ++k) sums.matrices(ctx, k / D, k % D, rate[k][p], unused);
    }
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
void Operators<T, D>::scatter(const Context& ctx, const Particles<T, D>& all,
                              void (*give)(const Context&, const MaterialSet<T, D>&, int, Node<T>*),
                              NodeField<T, D>& to) {
  const std::size_t size = of_block_.arena_size;
  shares_.resize(std::size_t(all.blocks.occupied()) * size);
  parallel_for("to nodes", all.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Node<T>> arena(size);
    for (std::int64_t b = begin; b < end; ++b) {
      std::fill(arena.begin(), arena.end(), Node<T>(0));
      for (const auto& set : all.sets) give(ctx, set, static_cast<int>(b), arena.data());
      of_block_.write(arena.data(), shares_.data() + std::size_t(b) * size);
    }
  });
  to.fit(all.blocks);
  parallel_for("merge", all.blocks.size(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot)
      of_block_.merge(all.blocks, shares_.data(), static_cast<int>(slot),
                      to.of_block(static_cast<int>(slot)));
  });
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
        for (int k = 0; k < D * D; ++k) columns[k] = rate[s][k];
        of_block_.gradient(ctx, all.sets[s], static_cast<int>(b), arena.data(), columns);
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
