#include "mpm/porous_stages.h"

#include <algorithm>
#include <cmath>

#include "mpm/grid_update.h"
#include "mpm/row_transfer.h"
#include "mpm/transfer_classic.h"

namespace firn {
namespace {

template <class T, int D>
bool is_mixed_fluid(const PorousSettings& porous, const MaterialSet<T, D>& set) {
  return porous.form == DragForm::mixture && porous.is_fluid[set.species];
}

// Volume now over the initial one: of fluids J, of sand with what it gained by coming apart.
template <class T, int D>
struct VolumeRatio {
  using P = Simd<T, kLanes>;
  const ParticleSet<T, D>& set;
  const T* of_fluid = nullptr;
  const T* dilation = nullptr;

  explicit VolumeRatio(const MaterialSet<T, D>& of) : set(of.particles) {
    const int model = static_cast<int>(of.parameters.index());
    if (set[column::gradient].components() == 0)
      of_fluid = set[column::scalar][0];
    else if (const int scalar = model_dilation_scalar(model); scalar >= 0)
      dilation = set[column::scalar][scalar];
  }
  P operator()(std::uint32_t p, int n) const {
    if (of_fluid) return P::load(of_fluid + p, n);
    Mat<P, D> F;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) F(i, j) = P::load(set[column::gradient][i * D + j] + p, n);
    return dilation ? volume_ratio(F, P::load(dilation + p, n)) : volume_ratio(F);
  }
};

template <class T, int D>
Simd<T, kLanes> mean_stress_of(const Columns<T>& stress, std::uint32_t p, int n) {
  using P = Simd<T, kLanes>;
  if (stress.components() == 1) return P::load(stress[0] + p, n);
  return mean_stress<D>([&](int a) { return P::load(stress[a] + p, n); });
}

template <class T, int D, class Kernel>
struct BlockPorous {
  using P = Simd<T, kLanes>;
  static constexpr std::size_t kArena = Arena<D, Kernel>::kSize;
  static constexpr bool kLinear = Kernel::kInverseD == 0.0;

  static void lay(const StepContext<T, D>& ctx, const PorousSettings& porous, MpmState<T, D>& state,
                  int species, int block) {
    Node<T> arena[kArena];
    std::fill(arena, arena + kArena, Node<T>(0));
    for (const auto& set : state.sets) {
      if (set.species != species) continue;
      const std::uint32_t begin = set.begin[block], end = set.begin[block + 1];
      if (begin == end) continue;
      if (!lays_pressure(porous, species))
        lay_volumes(ctx, porous, set, begin, end, arena);
      else if (pressure_alone(porous, species))
        lay_pressure(ctx, set, begin, end, arena);
      else
        lay_fluid(ctx, set, begin, end, arena);
    }
    if (pressure_alone(porous, species)) turn_into_impulses(arena);
    write_shares<T, D, Kernel>(arena, state.nodes[0].arenas.data() + block * kArena);
  }

  static T per_cell(const StepContext<T, D>& ctx) { return T(std::pow(ctx.spacing, -D)); }

  static void lay_volumes(const StepContext<T, D>& ctx, const PorousSettings& porous,
                          const MaterialSet<T, D>& set, std::uint32_t begin, std::uint32_t end,
                          Node<T>* arena) {
    const VolumeRatio<T, D> ratio(set);
    const bool fluid = porous.is_fluid[set.species];
    const bool deforms = lays_strain(porous, set.species);
    const P cells(per_cell(ctx)), share(T(1 - porous.porosity[set.species]));
    const T* const volume = set.particles.volume[0];
    lay_rows<T, D, Kernel>(set.particles, begin, end, arena, [&](std::uint32_t p, int n, P* row) {
      const P whole = P::load(volume + p, n) * cells;
      const LaidMatter<P> laid =
          laid_matter(fluid, whole, deforms ? whole * ratio(p, n) : whole, share);
      row[kBulk] = laid.bulk;
      row[1] = row[2] = P(0);
      row[kGrains] = laid.grains;
    });
  }

  // The impulse of the pressure at a node is -dt V tau D^-1 (x_i - x_p) = q (x_i - x_p). Where
  // nothing else of the fluid is laid, the sums of q x_p and of q tell it, without any slopes.
  static bool pressure_alone(const PorousSettings& porous, int species) {
    return !kLinear && lays_pressure(porous, species) && fills_by_mass(porous, species);
  }
  static void lay_pressure(const StepContext<T, D>& ctx, const MaterialSet<T, D>& set,
                           std::uint32_t begin, std::uint32_t end, Node<T>* arena) {
    const auto& particles = set.particles;
    const T* const room = room_of(set);
    const auto& stress = particles[column::stress];
    const P scale(-ctx.dt * ctx.inverse_h * T(Kernel::kInverseD));
    lay_rows<T, D, Kernel>(particles, begin, end, arena, [&](std::uint32_t p, int n, P* row) {
      const P q = scale * P::load(room + p, n) * mean_stress_of<T, D>(stress, p, n);
      row[2] = P(0);
      for (int a = 0; a < D; ++a) row[a] = q * P::load(particles.position[a] + p, n);
      row[kMassLane] = q;
    });
  }
  // Leaves the negative sum of q in the last lane, which nobody reads. The first node of the arena
  // is a margin and the kernel's shift before the place from which those of particles count.
  static void turn_into_impulses(Node<T>* arena) {
    constexpr int kWidth = Arena<D, Kernel>::kWidth;
    constexpr T kFirst = T(Arena<D, Kernel>::kMargin + Kernel::kShift);
    Node<T> place(0), next(0);
    next.set(D - 1, T(1));
    for (int line = 0; line < static_cast<int>(kArena) / kWidth; ++line) {
      place.set(0, T(D == 3 ? line / kWidth : line) - kFirst);
      if (D == 3) place.set(1, T(line % kWidth) - kFirst);
      place.set(D - 1, T(0) - kFirst);
      for (int k = 0; k < kWidth; ++k, ++arena) {
        *arena = multiply_lane<kMassLane>(place, *arena) - *arena;
        place = place + next;
      }
    }
  }

  // The same by slopes, and the volume that the fluid fills.
  static void lay_fluid(const StepContext<T, D>& ctx, const MaterialSet<T, D>& set,
                        std::uint32_t begin, std::uint32_t end, Node<T>* arena) {
    const auto& particles = set.particles;
    const VolumeRatio<T, D> ratio(set);
    const T* const volume = particles.volume[0];
    const T* const room = room_of(set);
    const auto& stress = particles[column::stress];
    const P cells(per_cell(ctx)), scale(-ctx.dt * ctx.inverse_h);
    for (std::uint32_t p = begin; p < end; p += kLanes) {
      const int n = static_cast<int>(std::min<std::uint32_t>(kLanes, end - p));
      const P push = scale * P::load(room + p, n) * mean_stress_of<T, D>(stress, p, n);
      const P fills = P::load(volume + p, n) * cells * ratio(p, n);
      if constexpr (kLinear) {
        for (int l = 0; l < n; ++l) lay_by_gradient(particles, p + l, push[l], fills[l], arena);
      } else {
        lay_slopes(particles, p, n, push * P(T(Kernel::kInverseD)), fills, arena);
      }
    }
  }
  static void lay_slopes(const ParticleSet<T, D>& set, std::uint32_t p, int n, P push, P fills,
                         Node<T>* arena) {
    Stencil<T, D, Kernel> stencil;
    const Vec<P, D> xi = stencil.set(load_vector<T, D>(set.position, p));
    const LaneRows<T, D> values(xi * (P(0) - push), fills);
    ScatterRow<T, D> rows[kLanes];
    for (int l = 0; l < kLanes; ++l) rows[l].value = values.of[l];
    for (int j = 0; j < D; ++j) {
      Vec<P, D> along = Vec<P, D>::zero();
      along[j] = push;
      const LaneRows<T, D> slopes(along, P(0));
      for (int l = 0; l < kLanes; ++l) rows[l].slope[j] = slopes.of[l];
    }
    unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
      if (lane < n) scatter_row<lane>(rows[lane], stencil, arena);
    });
  }
  static void lay_by_gradient(const ParticleSet<T, D>& set, std::uint32_t p, T push, T fills,
                              Node<T>* arena) {
    const Stencil1<T, D, Kernel> stencil(vector_of<T, D>(set.position, p));
    stencil.for_each_node([&](int offset, T w, const Vec<T, D>& g, const Vec<T, D>&) {
      Node<T>& node = arena[stencil.index + offset];
      for (int a = 0; a < D; ++a) node.set(a, node[a] + push * g[a]);
      node.set(kFluidVolume, node[kFluidVolume] + w * fills);
    });
  }

  static const T* room_of(const MaterialSet<T, D>& set) {
    const auto& room = set.particles[column::room];
    return room.components() > 0 ? room[0] : set.particles.volume[0];
  }

  static void merge(MpmState<T, D>& state, int species, int slot) {
    merge_shares<T, D, Kernel>(state.blocks, state.nodes[0].arenas.data(), slot,
                               state.matter[species].of_block(slot));
  }

  static void find_flow(const StepContext<T, D>& ctx, const PorousSettings& porous,
                        MpmState<T, D>& state, int block) {
    Node<T> arena[kArena];
    bool loaded = false;
    for (auto& set : state.sets) {
      const std::uint32_t begin = set.begin[block], end = set.begin[block + 1];
      if (begin == end || !is_mixed_fluid(porous, set)) continue;
      if (!loaded) load_arena<T, D, Kernel>(state.blocks, state.flow.data(), block, arena);
      loaded = true;
      for (std::uint32_t p = begin; p < end; p += kLanes)
        find_flow_of(ctx, set.particles, p, static_cast<int>(std::min(end - p, 4u)), arena);
    }
  }
  static void find_flow_of(const StepContext<T, D>& ctx, ParticleSet<T, D>& set, std::uint32_t p,
                           int n, const Node<T>* arena) {
    P divergence(0), porosity(1);
    if constexpr (kLinear) {
      for (int l = 0; l < n; ++l) {
        const Stencil1<T, D, Kernel> stencil(vector_of<T, D>(set.position, p + l));
        T div = T(0), pores = T(0);
        stencil.for_each_node([&](int offset, T w, const Vec<T, D>& g, const Vec<T, D>&) {
          const Node<T>& node = arena[stencil.index + offset];
          for (int a = 0; a < D; ++a) div += node[a] * g[a];
          pores += w * node[kMassLane];
        });
        divergence.set(l, div * ctx.inverse_h);
        porosity.set(l, pores);
      }
    } else {
      Stencil<T, D, Kernel> stencil;
      const Vec<P, D> xi = stencil.set(load_vector<T, D>(set.position, p, n));
      GatheredRow<T, D> rows[kLanes];
      gather_two_rows<0>(stencil, arena, rows);
      gather_two_rows<2>(stencil, arena, rows);
      P v[4] = {rows[0].value, rows[1].value, rows[2].value, rows[3].value};
      transpose_lanes(v[0], v[1], v[2], v[3]);
      const P to_gradient(T(Kernel::kInverseD) * ctx.inverse_h);
      for (int j = 0; j < D; ++j) {
        P m[4] = {rows[0].moment[j], rows[1].moment[j], rows[2].moment[j], rows[3].moment[j]};
        transpose_lanes(m[0], m[1], m[2], m[3]);
        divergence += gradient_entry(to_gradient, m[j], xi[j] - P(1), v[j]);
      }
      porosity = v[kMassLane];
    }
    const FlowTold<P> told =
        told_by_flow(divergence, porosity, P::load(set.volume[0] + p, n), ctx.dt);
    told.swelling.store(set[column::swelling][0] + p, n);
    told.room.store(set[column::room][0] + p, n);
  }

  static void find_fraction(MpmState<T, D>& state, int block) {
    Node<T> arena[kArena];
    load_arena<T, D, Kernel>(state.blocks, state.fraction.data(), block, arena);
    for (auto& set : state.sets) {
      if (set.particles[column::phi].components() == 0) continue;
      T* const phi = set.particles[column::phi][0];
      find_rows<T, D, Kernel>(set.particles, set.begin[block], set.begin[block + 1], arena,
                              [&](std::uint32_t p, int n, const P* sum, const P*) {
                                clamp(sum[0], P(0), P(1)).store(phi + p, n);
                              });
    }
  }

  static PorousStages<T, D> make() { return {&lay, &merge, &find_flow, &find_fraction}; }
};

}  // namespace

template <class T, int D>
PorousStages<T, D> porous_stages(KernelKind kernel) {
  switch (kernel) {
    case KernelKind::linear:
      return BlockPorous<T, D, LinearKernel>::make();
    case KernelKind::quadratic:
      return BlockPorous<T, D, QuadraticKernel>::make();
    case KernelKind::cubic:
      break;
  }
  return BlockPorous<T, D, CubicKernel>::make();
}

template <class T, int D>
BlockMatter<T, D>::BlockMatter(const PorousSettings& porous, const MpmState<T, D>& state, int slot,
                               T cell, bool with_volumes)
    : porous_(porous), count_(with_volumes ? porous.species : 0), with_mass_(state.species()) {
  for (int s = 0; s < with_mass_; ++s) velocity_[s] = state.nodes[s].velocity.of_block(slot);
  for (int s = 0; s < count_; ++s) {
    laid_[s] = lays_matter(porous, s) ? state.matter[s].of_block(slot) : nullptr;
    per_mass_[s] = fills_by_mass(porous, s) ? cells_by_mass(porous, s, cell) : T(0);
  }
}

template <class T, int D>
void compose_flow(const PorousSettings& porous, T cell, MpmState<T, D>& state, int slot) {
  Node<T>* const flow = state.flow.of_block(slot);
  int fluid = 0;
  while (!porous.is_fluid[fluid]) ++fluid;
  const BlockMatter<T, D> matter(porous, state, slot, cell, true);
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    const NodeMatter<T> at = matter.at(i);
    const Node<T>& carried = state.nodes[fluid].velocity.of_block(slot)[i];
    T porosity = T(1);
    Node<T> sum(0);
    for (int s = 0; s < porous.species; ++s) {
      if (!porous.is_solid[s] || !(at.mass[s] > T(0))) continue;
      const T share = solid_flow(porous, at.bulk[s], at.grains[s], at.bulk[fluid], porosity);
      sum = sum + state.nodes[s].velocity.of_block(slot)[i] * Node<T>(share);
      porosity -= share;
    }
    flow[i] = sum + carried * Node<T>(porosity);
    flow[i].set(kMassLane, porosity);
  }
}

template <class T, int D>
void compose_fraction(const PorousSettings& porous, T cell, MpmState<T, D>& state, int slot) {
  Node<T>* const fraction = state.fraction.of_block(slot);
  const BlockMatter<T, D> matter(porous, state, slot, cell, true);
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    fraction[i] = Node<T>(0);
    fraction[i].set(0, fluid_fraction(porous, matter.at(i)));
  }
}

template <class T, int D>
void give_grains_their_room(const PorousSettings& porous, const PorousStages<T, D>& stages, T cell,
                            MpmState<T, D>& state) {
  // As laid, the fluid is in the same place as the grains.
  PorousSettings overlapping = porous;
  overlapping.form = DragForm::implicit;
  for (int slot = 0; slot < state.blocks.size(); ++slot)
    compose_flow<T, D>(overlapping, cell, state, slot);
  StepContext<T, D> at_rest{};
  for (int block = 0; block < state.blocks.occupied(); ++block)
    stages.find_flow(at_rest, porous, state, block);
  for (auto& set : state.sets) {
    if (!is_mixed_fluid(porous, set)) continue;
    auto& particles = set.particles;
    T* const room = particles[column::room][0];
    for (std::size_t p = 0; p < particles.size(); ++p) {
      const T whole = particles.volume[0][p], porosity = whole / room[p];
      particles.volume[0][p] = whole * porosity;
      particles.mass[0][p] *= porosity;
      room[p] = whole;
      particles[column::swelling][0][p] = T(0);
    }
  }
}

#define FIRN_INSTANTIATE(T, D)                                                                    \
  template PorousStages<T, D> porous_stages<T, D>(KernelKind);                                    \
  template class BlockMatter<T, D>;                                                               \
  template void compose_flow<T, D>(const PorousSettings&, T, MpmState<T, D>&, int);               \
  template void compose_fraction<T, D>(const PorousSettings&, T, MpmState<T, D>&, int);           \
  template void give_grains_their_room<T, D>(const PorousSettings&, const PorousStages<T, D>&, T, \
                                             MpmState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
