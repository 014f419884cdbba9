#include "mpm/stages.h"

#include <algorithm>

#include "mpm/grid_update.h"
#include "mpm/material_loop.h"
#include "mpm/transfer_classic.h"
#include "mpm/transfer_gradient.h"

namespace firn {
namespace {

// Which transfer header does the work: the linear kernel's is the classic one.
enum class Path { mls, gradient, classic };

template <class T, int D, class Kernel, Path kPath>
struct BlockStages {
  static constexpr bool Mls = kPath == Path::mls;
  static constexpr std::size_t kArena = Arena<D, Kernel>::kSize;
  // Particles that are gathered before their material is updated: few enough for the first cache.
  static constexpr std::uint32_t kGroup = 128;
  static constexpr std::size_t kSplit = Mls ? 1 : kArena;  // MLS never splits off impulses

  static void scatter(const StepContext<T, D>& ctx, MpmState<T, D>& state, int species, int block) {
    SpeciesNodes<T, D>& on = state.nodes[species];
    Node<T> arena[kArena], forces[kSplit];
    std::fill(arena, arena + kArena, Node<T>(0));
    std::fill(forces, forces + kSplit, Node<T>(0));
    for (const auto& set : state.sets) {
      if (state.nodes_of(set) != species) continue;
      const std::uint32_t begin = set.begin[block], end = set.begin[block + 1];
      if constexpr (Mls)
        scatter_mls<T, D, Kernel>(ctx, set.particles, begin, end, arena);
      else if constexpr (kPath == Path::gradient)
        scatter_gradient<T, D, Kernel>(ctx, set.particles, begin, end, arena,
                                       ctx.split ? forces : nullptr);
      else
        scatter_classic<T, D, Kernel>(ctx, set.particles, begin, end, arena, forces);
    }
    write_shares<T, D, Kernel>(arena, on.arenas.data() + block * kArena);
    if constexpr (!Mls)
      if (ctx.split) write_shares<T, D, Kernel>(forces, on.force_arenas.data() + block * kArena);
  }

  static void merge(MpmState<T, D>& state, int species, bool split, int slot, Node<T>* impulses) {
    SpeciesNodes<T, D>& on = state.nodes[species];
    Node<T>* nodes = on.velocity.data() + std::size_t(slot) * BlockShape<D>::kNodes;
    merge_shares<T, D, Kernel>(state.blocks, on.arenas.data(), slot, nodes);
    if (split) merge_shares<T, D, Kernel>(state.blocks, on.force_arenas.data(), slot, impulses);
  }

  static void gather(const StepContext<T, D>& ctx, MpmState<T, D>& state, int species, int block,
                     StepReport& report) {
    const SpeciesNodes<T, D>& on = state.nodes[species];
    Node<T> arena[kArena], change[kSplit];
    load_arena<T, D, Kernel>(state.blocks, on.velocity.data(), block, arena);
    if constexpr (!Mls)
      if (ctx.split) load_arena<T, D, Kernel>(state.blocks, on.change.data(), block, change);
    for (std::size_t s = 0; s < state.sets.size(); ++s) {
      auto& set = state.sets[s];
      if (state.nodes_of(set) != species) continue;
      const std::uint32_t begin = set.begin[block], end = set.begin[block + 1];
      if (begin == end) continue;
      const MaterialReport found = gather_set(ctx, set, begin, end, arena, change);
      report.max_signal = std::max(report.max_signal, found.max_signal);
      report.max_speed = std::max(report.max_speed, found.max_speed);
      report.max_motion = std::max(report.max_motion, found.max_motion);
      report.plastic += found.plastic;
      if (found.bad >= 0 && report.bad_set < 0) {
        report.bad_set = static_cast<int>(s);
        report.bad_particle = static_cast<std::size_t>(found.bad);
      }
    }
  }

  static MaterialReport gather_set(const StepContext<T, D>& ctx, MaterialSet<T, D>& set,
                                   std::uint32_t begin, std::uint32_t end, const Node<T>* arena,
                                   const Node<T>* change) {
    const MaterialUpdate<T, D> update = material_loop<T, D>(set.parameters);
    MaterialReport report;
    const auto in_groups = [&](const auto& gather) {
      for (std::uint32_t first = begin; first < end; first += kGroup)
        gather(first, std::min(end, first + kGroup));
    };
    if constexpr (Mls) {
      const MlsGather<T, D, Kernel> gather(ctx, set.particles);
      in_groups([&](std::uint32_t first, std::uint32_t last) {
        gather.run(first, last, arena);
        const T* rate[D * D];
        for (int k = 0; k < D * D; ++k) rate[k] = set.particles[column::affine][k] + first;
        report.add(update(set, ctx.dt, rate, first, last, !ctx.implicit));
      });
      report.max_motion = report.max_speed;
      return report;
    }
    T scratch[D * D][kGroup], motion = T(0);
    T* rate[D * D];
    for (int k = 0; k < D * D; ++k) rate[k] = scratch[k];
    using Gather = std::conditional_t<kPath == Path::gradient, GradientGather<T, D, Kernel>,
                                      ClassicGather<T, D, Kernel>>;
    const Gather gather(ctx, set.particles);
    in_groups([&](std::uint32_t first, std::uint32_t last) {
      motion = std::max(motion, gather.run(first, last, arena, ctx.split ? change : nullptr, rate));
      report.add(update(set, ctx.dt, rate, first, last, !ctx.implicit));
    });
    report.max_motion = motion;
    return report;
  }

  static void estimate_volume(const StepContext<T, D>& ctx, MpmState<T, D>& state, int block,
                              int s) {
    std::vector<Node<T>> arena(kArena);
    auto& set = state.sets[s];
    load_arena<T, D, Kernel>(state.blocks, state.nodes[state.nodes_of(set)].velocity.data(), block,
                             arena.data());
    T cell_volume = T(1);
    for (int a = 0; a < D; ++a) cell_volume *= ctx.h;
    for (std::uint32_t p = set.begin[block]; p < set.begin[block + 1]; ++p) {
      const Stencil1<T, D, Kernel> stencil(vector_of<T, D>(set.particles.position, p));
      T mass = T(0);
      stencil.for_each_node([&](int offset, T w, const Vec<T, D>&, const Vec<T, D>&) {
        mass += w * arena[stencil.index + offset][kMassLane];
      });
      set.particles.volume[0][p] = set.particles.mass[0][p] * cell_volume / mass;
    }
  }

  static Stages<T, D> make() {
    return {&scatter,
            &merge,
            &gather,
            &estimate_volume,
            static_cast<int>(kArena),
            Mls ? 1.0 : sqrt_of(double(D))};
  }
};

}  // namespace

// The linear kernel has no constant D; its MLS and APIC transfers coincide with the classic form.
template <class T, int D>
Stages<T, D> stages(KernelKind kernel, TransferKind transfer) {
  const bool mls = transfer == TransferKind::mls;
  switch (kernel) {
    case KernelKind::linear:
      return BlockStages<T, D, LinearKernel, Path::classic>::make();
    case KernelKind::quadratic:
      return mls ? BlockStages<T, D, QuadraticKernel, Path::mls>::make()
                 : BlockStages<T, D, QuadraticKernel, Path::gradient>::make();
    case KernelKind::cubic:
      break;
  }
  return mls ? BlockStages<T, D, CubicKernel, Path::mls>::make()
             : BlockStages<T, D, CubicKernel, Path::gradient>::make();
}

template Stages<float, 2> stages<float, 2>(KernelKind, TransferKind);
template Stages<float, 3> stages<float, 3>(KernelKind, TransferKind);
template Stages<double, 2> stages<double, 2>(KernelKind, TransferKind);
template Stages<double, 3> stages<double, 3>(KernelKind, TransferKind);

}  // namespace firn
