#include "mpm/fluid_volume.h"

#include <algorithm>
#include <cmath>

#include "mpm/porous_node.h"
#include "mpm/row_transfer.h"

namespace firn {
namespace {

// Lanes of a node while particles are laid on the grid ...
enum Laid { kClaimed, kWeight, kPressure };
// ... and once it is finished.
enum Found { kExcess, kMeanPressure, kFill, kOpen };

const Fluid::Parameters* fluid_of(const ModelParameters& parameters) {
  return std::get_if<Fluid::Parameters>(&parameters);
}

// Sets that lay their volumes on the grid, and of these those that get sources.
template <class T, int D>
bool takes_room(const MaterialSet<T, D>& set) {
  return set.particles[column::source].components() > 0;
}
template <class T, int D>
bool keeps_volume(const MaterialSet<T, D>& set) {
  const Fluid::Parameters* fluid = fluid_of(set.parameters);
  return takes_room(set) && (!fluid || fluid->volume_correction);
}

// Other materials than fluids.
template <class T, int D>
bool is_solid(const MaterialSet<T, D>& set) {
  return !fluid_of(set.parameters);
}

template <class T, int D, class Kernel>
struct VolumePass {
  using P = Simd<T, 4>;
  static constexpr std::size_t kArena = Arena<D, Kernel>::kSize;
  static constexpr int kNodes = BlockShape<D>::kNodes;

  const MpmSettings& settings;
  const std::vector<Collider>& colliders;
  const ContactMap<D>& contacts;
  T max_rate;  // 1/s
  T scale;     // from the stored affine matrix to a velocity gradient
  MpmState<T, D>& state;
  int species;  // whose particles share their room

  void run() {
    look();
    const auto any = [&](const auto& is) {
      return std::any_of(state.sets.begin(), state.sets.end(), [&](const auto& set) {
        return is_own(set) && is(set) && set.particles.size() > 0;
      });
    };
    if (any(is_solid<T, D>) && any(is_kept_fluid)) look_beside_solids();
  }

  // Whether the species has what the grains of this other one leave of the room.
  bool fills_its_pores(const MaterialSet<T, D>& set) const {
    const PorousSettings& porous = settings.porous;
    return porous.form == DragForm::mixture && porous.is_fluid[species] &&
           porous.is_solid[set.species] && porous.pair_of[set.species][species] > 0;
  }
  P grains_of(const MaterialSet<T, D>& set, std::uint32_t p, int n) const {
    return cells_of(set, p, n) * P(T(1 - settings.porous.porosity[set.species]));
  }
  bool is_own(const MaterialSet<T, D>& set) const { return state.nodes_of(set) == species; }
  SpeciesNodes<T, D>& on() const { return state.nodes[species]; }

  static bool is_kept_fluid(const MaterialSet<T, D>& set) {
    return !is_solid(set) && keeps_volume(set);
  }
  // Adds to the sources of fluids what they get beside solids.
  void look_beside_solids() {
    parallel_for("volume scatter", state.blocks.occupied(), 4,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t b = begin; b < end; ++b) lay_beside(static_cast<int>(b));
                 });
    parallel_for("volume grid", state.blocks.size(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t slot = begin; slot < end; ++slot) finish_beside(static_cast<int>(slot));
    });
    const auto add = [&](const auto& set, std::uint32_t p, int n, const P* sum, const P*) {
      return P::load(set.particles[column::source][0] + p, n) +
             source_beside(P::load(set.particles[column::scalar][0] + p, n), dilation_of(set, p, n),
                           modulus_of(set, p, n), sum[0], sum[1]);
    };
    parallel_for("volume gather", state.blocks.occupied(), 4,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t b = begin; b < end; ++b)
                     find(static_cast<int>(b), is_kept_fluid, add);
                 });
  }
  void lay_beside(int block) {
    const auto takes = [&](const auto& set) {
      return is_own(set) && (is_solid(set) || is_kept_fluid(set));
    };
    lay(block, takes, [&](const auto& set, std::uint32_t p, int n, P* row) {
      const P cells = cells_of(set, p, n);
      LaidBeside<P> laid{P(0), P(0), P(0), cells};
      if (fluid_of(set.parameters))
        laid = fluid_beside(cells, P::load(set.particles[column::scalar][0] + p, n),
                            dilation_of(set, p, n), modulus_of(set, p, n),
                            strain_of(set.particles, p, n), max_rate);
      row[0] = laid.weight;
      row[1] = laid.pressure;
      row[2] = laid.rate;
      row[3] = laid.solid;
    });
  }
  void finish_beside(int slot) {
    Node<T>* nodes = on().velocity.data() + std::size_t(slot) * kNodes;
    merge_shares<T, D, Kernel>(state.blocks, on().arenas.data(), slot, nodes);
    for (int i = 0; i < kNodes; ++i) {
      const NodeBeside<T> found =
          node_beside<T>({nodes[i][0], nodes[i][1], nodes[i][2], nodes[i][3]});
      nodes[i].set(0, found.rate);
      nodes[i].set(1, found.pressure);
    }
  }

  void look() {
    parallel_for("volume scatter", state.blocks.occupied(), 4,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t b = begin; b < end; ++b) lay_block(static_cast<int>(b));
                 });
    parallel_for("volume grid", state.blocks.size(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t slot = begin; slot < end; ++slot) finish_nodes(static_cast<int>(slot));
    });
    parallel_for("volume gather", state.blocks.occupied(), 4,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t b = begin; b < end; ++b) find_block(static_cast<int>(b));
                 });
  }

  void lay_block(int block) {
    const auto takes = [&](const auto& set) {
      return is_own(set) ? takes_room(set) : fills_its_pores(set);
    };
    lay(block, takes, [&](const auto& set, std::uint32_t p, int n, P* row) {
      const LaidVolume<P> laid =
          is_own(set) ? laid_volume(set, p, n) : LaidVolume<P>{grains_of(set, p, n), P(0), P(0)};
      row[kClaimed] = laid.claimed;
      row[kWeight] = laid.weight;
      row[kPressure] = laid.pressure;
      row[3] = P(0);
    });
  }

  // Lays what `make` gives for the particles of the sets that are taken.
  template <class Takes, class Make>
  void lay(int block, const Takes& takes, const Make& make) {
    Node<T> arena[kArena];
    std::fill(arena, arena + kArena, Node<T>(0));
    for (const auto& set : state.sets)
      if (takes(set))
        lay_rows<T, D, Kernel>(set.particles, set.begin[block], set.begin[block + 1], arena,
                               [&](std::uint32_t p, int n, P* row) { make(set, p, n, row); });
    write_shares<T, D, Kernel>(arena, on().arenas.data() + block * kArena);
  }

  LaidVolume<P> laid_volume(const MaterialSet<T, D>& set, std::uint32_t p, int n) const {
    const auto& particles = set.particles;
    const P cells = cells_of(set, p, n);
    const Fluid::Parameters* fluid = fluid_of(set.parameters);
    if (!fluid) return laid_grains(cells, elastic_ratio(particles, p, n));
    return laid_fluid(cells, P::load(particles[column::scalar][0] + p, n), dilation_of(set, p, n),
                      modulus_of(set, p, n), smoothing_rate(strain_of(particles, p, n), max_rate));
  }

  void finish_nodes(int slot) {
    Node<T>* nodes = on().velocity.data() + std::size_t(slot) * kNodes;
    merge_shares<T, D, Kernel>(state.blocks, on().arenas.data(), slot, nodes);
    const std::vector<int> near = those_that_stop(colliders, contacts.of_block(slot), species);
    for (int i = 0; i < kNodes; ++i) {
      const LaidVolume<T> laid{nodes[i][kClaimed], nodes[i][kWeight], nodes[i][kPressure]};
      if (!(laid.claimed > T(0))) continue;
      const NodeVolume<T> found =
          node_volume(laid, near.empty() ? T(1) : T(room_at(slot, i, near)));
      nodes[i].set(kExcess, found.excess);
      nodes[i].set(kMeanPressure, found.pressure);
      nodes[i].set(kFill, found.fill);
      nodes[i].set(kOpen, found.open);
    }
  }

  double room_at(int slot, int node, const std::vector<int>& near) const {
    return open_fraction<D>(node_position<D>(state.blocks.coord(slot), node, settings.spacing),
                            settings.spacing, settings.kernel, colliders, near);
  }

  void find_block(int block) {
    find(block, keeps_volume<T, D>,
         [&](const auto& set, std::uint32_t p, int n, const P* sum, const P* least) {
           return source(
               set, p, n,
               {sum[kExcess], sum[kMeanPressure], sum[kFill], least[kFill], least[kOpen]});
         });
  }

  // Sources of the particles of the sets that are taken, from what their nodes have.
  template <class Takes, class Source>
  void find(int block, const Takes& takes, const Source& source_of) {
    Node<T> arena[kArena];
    load_arena<T, D, Kernel>(state.blocks, on().velocity.data(), block, arena);
    for (auto& set : state.sets) {
      if (!is_own(set) || !takes(set)) continue;
      find_rows<T, D, Kernel>(
          set.particles, set.begin[block], set.begin[block + 1], arena,
          [&](std::uint32_t p, int n, const P* sum, const P* least) {
            source_of(set, p, n, sum, least).store(set.particles[column::source][0] + p, n);
          });
    }
  }

  P source(const MaterialSet<T, D>& set, std::uint32_t p, int n,
           const FoundVolume<P>& found) const {
    const P dilation = dilation_of(set, p, n), strain = strain_of(set.particles, p, n);
    const Fluid::Parameters* fluid = fluid_of(set.parameters);
    if (!fluid) return grain_source<P>(dilation, found, strain, max_rate);
    return fluid_source<P>(P::load(set.particles[column::scalar][0] + p, n), dilation,
                           modulus_of(set, p, n), found, strain, max_rate);
  }

  P cells_of(const MaterialSet<T, D>& set, std::uint32_t p, int n) const {
    return P::load(set.particles.volume[0] + p, n) * P(T(std::pow(settings.spacing, -D)));
  }
  P modulus_of(const MaterialSet<T, D>& set, std::uint32_t p, int n) const {
    P modulus(T(fluid_of(set.parameters)->bulk_modulus));
    for (std::size_t k = 0; k < set.varied.size(); ++k)
      if (set.varied[k].name == "bulk_modulus")
        modulus = P::load(set.particles[column::varied][static_cast<int>(k)] + p, n);
    return modulus * P::load(set.particles[column::stiffness][0] + p, n);
  }
  // Sand keeps it in its volume correction, a fluid beside J where it may be loose.
  P dilation_of(const MaterialSet<T, D>& set, std::uint32_t p, int n) const {
    const auto& particles = set.particles;
    if (!fluid_of(set.parameters))
      return P::load(particles[column::scalar][Sand::kDilation] + p, n);
    return particles[column::dilation].components() > 0
               ? P::load(particles[column::dilation][0] + p, n)
               : P(0);
  }
  P strain_of(const ParticleSet<T, D>& set, std::uint32_t p, int n) const {
    return strain_rate(load_matrix(set[column::affine], p, n), scale);
  }
  P elastic_ratio(const ParticleSet<T, D>& set, std::uint32_t p, int n) const {
    return determinant(load_matrix(set[column::gradient], p, n));
  }
  static Mat<P, D> load_matrix(const Columns<T>& columns, std::uint32_t p, int n) {
    Mat<P, D> matrix;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) matrix(i, j) = P::load(columns[i * D + j] + p, n);
    return matrix;
  }
};

}  // namespace

template <class T, int D>
int volume_interval(const MpmSettings& settings, const MpmState<T, D>& state) {
  if (!settings.implicit.is_explicit()) return 1;
  const auto is_poured = [](const MaterialSet<T, D>& set) {
    const bool loose =
        set.particles[column::dilation].components() > 0 || !fluid_of(set.parameters);
    return loose && keeps_volume(set);
  };
  const bool any = std::any_of(state.sets.begin(), state.sets.end(), is_poured);
  return any ? kPouredInterval : kVolumeInterval;
}

template <int D>
double open_fraction(const Vec3d& node, double h, KernelKind kernel,
                     const std::vector<Collider>& colliders, const std::vector<int>& near) {
  return open_fraction<D>(node, h, kernel, colliders.data(), near.data(),
                          static_cast<int>(near.size()));
}

template <class T, int D>
void update_volume_sources(const MpmSettings& settings, const std::vector<Collider>& colliders,
                           const ContactMap<D>& contacts, double dt, MpmState<T, D>& state) {
  const auto is_wanted = [&](int species) {
    return std::any_of(state.sets.begin(), state.sets.end(), [&](const auto& set) {
      return state.nodes_of(set) == species && keeps_volume(set) && set.particles.size() > 0;
    });
  };
  const auto run = [&](auto kernel) {
    using Kernel = decltype(kernel);
    for (int species = 0; species < state.species(); ++species)
      if (is_wanted(species))
        VolumePass<T, D, Kernel>{settings,
                                 colliders,
                                 contacts,
                                 T(max_volume_rate(dt, volume_interval(settings, state))),
                                 T(strain_scale<Kernel>(settings.transfer)),
                                 state,
                                 species}
            .run();
  };
  switch (settings.kernel) {
    case KernelKind::linear:
      return run(LinearKernel{});
    case KernelKind::quadratic:
      return run(QuadraticKernel{});
    case KernelKind::cubic:
      return run(CubicKernel{});
  }
}

#define FIRN_INSTANTIATE(T, D)                                                                \
  template int volume_interval<T, D>(const MpmSettings&, const MpmState<T, D>&);              \
  template void update_volume_sources<T, D>(const MpmSettings&, const std::vector<Collider>&, \
                                            const ContactMap<D>&, double, MpmState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)
template double open_fraction<2>(const Vec3d&, double, KernelKind, const std::vector<Collider>&,
                                 const std::vector<int>&);
template double open_fraction<3>(const Vec3d&, double, KernelKind, const std::vector<Collider>&,
                                 const std::vector<int>&);

}  // namespace firn
