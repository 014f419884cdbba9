#include "mpm/fluid_volume.h"

#include <algorithm>
#include <cmath>

#include "mpm/transfer_mls.h"

namespace firn {
namespace {

// Both rates are counted in strain, not in time: what drifts, drifts because the fluid deforms, so
// water at rest is left alone, and no scale of time or length enters.
constexpr double kVolumePerStrain = 2.5;    // share of the excess undone by a strain of one
constexpr double kSmoothingPerStrain = 40;  // share of the scatter of J undone by a strain of one
constexpr double kMaxShare = 0.5;           // of either, between two looks
constexpr double kMaxExcess = 0.2;          // a larger one counts as this
constexpr double kFullNode = 0.6;           // a node less filled than this is at a free surface
constexpr double kOpenNode = 0.05;          // a node with less room than this tells nothing

// Lanes of a node while particles are laid on the grid ...
enum Laid { kClaimed, kReference, kPressure };
// ... and once it is finished.
enum Found { kExcess, kMeanPressure, kFill };

// Spacing of the three points along an axis that stand for the kernel in open_fraction. Weighted
// 1/4, 1/2, 1/4 and spread over a cell each, they have the variance of the B-spline.
double point_spacing(KernelKind kernel) {
  const double degree = kernel == KernelKind::linear ? 1 : kernel == KernelKind::quadratic ? 2 : 3;
  return std::sqrt(degree / 6);
}

const Fluid::Parameters* fluid_of(const ModelParameters& parameters) {
  return std::get_if<Fluid::Parameters>(&parameters);
}

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

template <class T, int D, class Kernel>
struct VolumePass {
  using P = Pack<T, 4>;
  static constexpr std::size_t kArena = Arena<D, Kernel>::kSize;
  static constexpr int kNodes = BlockShape<D>::kNodes, kEdge = BlockShape<D>::kEdge;

  const MpmSettings& settings;
  const std::vector<Collider>& colliders;
  const ContactMap<D>& contacts;
  T max_rate;      // 1/s
  T strain_scale;  // from the stored affine matrix to a velocity gradient
  MpmState<T, D>& state;

  void run() {
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

  // Volumes in cells. The mean that J is drawn to is one of pressure, K (1 - J), so that fluids of
  // different stiffness may touch.
  void lay_block(int block) {
    Node<T> arena[kArena];
    std::fill(arena, arena + kArena, Node<T>(0));
    const P per_cell(T(std::pow(settings.spacing, -D)));
    for (const auto& set : state.sets) {
      const Fluid::Parameters* fluid = fluid_of(set.parameters);
      if (!fluid) continue;
      const auto& particles = set.particles;
      for (std::uint32_t p = set.begin[block]; p < set.begin[block + 1]; p += kLanes) {
        const int n = static_cast<int>(std::min<std::uint32_t>(kLanes, set.begin[block + 1] - p));
        Stencil<T, D, Kernel> stencil;
        stencil.set(load_vector<T, D>(particles.position, p));
        const P volume = P::load(particles.volume[0] + p, n) * per_cell;
        const P J = P::load(particles.scalar[0] + p, n);
        const P modulus = P(T(fluid->bulk_modulus)) * P::load(particles.stiffness[0] + p, n);
        P row[4] = {volume * J, volume, volume * modulus * (P(1) - J), P(0)};
        transpose_lanes(row[0], row[1], row[2], row[3]);
        unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
          if (lane < n) lay_row<lane>(row[lane], stencil, arena);
        });
      }
    }
    write_parcels<T, D, Kernel>(arena, state.arenas.data() + block * kArena);
  }

  void finish_nodes(int slot) {
    Node<T>* nodes = state.grid.data() + std::size_t(slot) * kNodes;
    merge_parcels<T, D, Kernel>(state.blocks, state.arenas.data(), slot, nodes);
    const std::vector<int>& near = contacts.of_block(slot);
    for (int i = 0; i < kNodes; ++i) {
      const T claimed = nodes[i][kClaimed], reference = nodes[i][kReference];
      if (!(reference > T(0))) continue;
      const T room = near.empty() ? T(1) : T(room_at(slot, i, near));
      Node<T> found(0);
      found.set(kExcess, claimed - room);
      found.set(kMeanPressure, nodes[i][kPressure] / reference);
      found.set(kFill, room > T(kOpenNode) ? claimed / room : T(1));
      nodes[i] = found;
    }
  }

  double room_at(int slot, int node, const std::vector<int>& near) const {
    Vec3d x{{0, 0, 0}};
    for (int a = D - 1; a >= 0; --a) {
      x[a] = (double(state.blocks.coord(slot)[a]) * kEdge + node % kEdge) * settings.spacing;
      node /= kEdge;
    }
    return open_fraction<D>(x, settings.spacing, settings.kernel, colliders, near);
  }

  void find_block(int block) {
    Node<T> arena[kArena];
    load_arena<T, D, Kernel>(state.blocks, state.grid.data(), block, arena);
    for (auto& set : state.sets) {
      const Fluid::Parameters* fluid = fluid_of(set.parameters);
      if (!fluid || !fluid->volume_correction) continue;
      for (std::uint32_t p = set.begin[block]; p < set.begin[block + 1]; p += kLanes) {
        const int n = static_cast<int>(std::min<std::uint32_t>(kLanes, set.begin[block + 1] - p));
        Stencil<T, D, Kernel> stencil;
        stencil.set(load_vector<T, D>(set.particles.position, p));
        P sum[4] = {P(0), P(0), P(0), P(0)}, least[4] = {P(1), P(1), P(1), P(1)};
        unroll<kLanes>([&](auto lane) FIRN_INLINE_LAMBDA {
          if (lane < n) find_row<lane>(stencil, arena, sum[lane], least[lane]);
        });
        transpose_lanes(sum[0], sum[1], sum[2], sum[3]);
        transpose_lanes(least[0], least[1], least[2], least[3]);
        source(*fluid, set.particles, p, n, sum[kExcess], sum[kMeanPressure], least[kFill])
            .store(set.particles.source[0] + p, n);
      }
    }
  }

  // Too little volume is believed only where all nodes around are full, since a free surface looks
  // the same, and undone only up to rest: the correction never pulls.
  P source(const Fluid::Parameters& fluid, const ParticleSet<T, D>& set, std::uint32_t p, int n,
           P excess, P pressure, P fill) const {
    const P J = P::load(set.scalar[0] + p, n);
    const P modulus = P(T(fluid.bulk_modulus)) * P::load(set.stiffness[0] + p, n);
    const P mean_J = P(1) - pressure / modulus;
    excess = clamp(excess, P(T(-kMaxExcess)), P(T(kMaxExcess)));
    const auto believed = (excess > P(0)) | ((fill > P(T(kFullNode))) & (mean_J < P(1)));
    excess = select(believed, excess, P(0));
    const P strain = strain_rate(set, p, n);
    return min_of(P(T(kSmoothingPerStrain)) * strain, P(max_rate)) * (mean_J / J - P(1)) -
           min_of(P(T(kVolumePerStrain)) * strain, P(max_rate)) * excess;
  }

  // Frobenius norm of the symmetric part of the velocity gradient.
  P strain_rate(const ParticleSet<T, D>& set, std::uint32_t p, int n) const {
    P sum(0);
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) {
        const P twice =
            P::load(set.affine[i * D + j] + p, n) + P::load(set.affine[j * D + i] + p, n);
        sum += square(twice) * P(T(i == j ? 0.25 : 0.5));
      }
    return sqrt_of(sum) * P(strain_scale);
  }
};

// Contact stops nodes, so the fluid sees a wall at the outermost layer of nodes that it holds: up
// to a cell behind the surface, m. `d` is what the node at hand sees of the obstacle.
double recess(const Collider& collider, const DistanceAndNormal& d, double h) {
  double step = 0;  // change of the distance from one layer of nodes to the next
  for (int a = 0; a < 3; ++a) step = std::max(step, h * std::abs(d.normal[a]));
  // A node on the surface is held, by slip only if it lies below.
  const double margin = collider.contact == ContactKind::slip ? 1e-6 : -1e-6;
  return std::ceil(d.distance / step + margin) * step - d.distance;
}

// APIC stores B h^-2, the others the gradient itself.
template <class Kernel>
double strain_scale(TransferKind transfer) {
  if (transfer != TransferKind::apic) return 1;
  return Kernel::kInverseD > 0 ? Kernel::kInverseD : 1;
}

}  // namespace

template <int D>
double open_fraction(const Vec3d& node, double h, KernelKind kernel,
                     const std::vector<Collider>& colliders, const std::vector<int>& near) {
  const double spacing = point_spacing(kernel);
  const double reach = spacing * std::sqrt(double(D)) + 0.5;  // cells
  double distance = reach;
  std::vector<double> recesses(near.size());
  for (std::size_t c = 0; c < near.size(); ++c) {
    const Collider& collider = colliders[near[c]];
    const DistanceAndNormal d = signed_distance(collider.shape, node);
    recesses[c] = recess(collider, d, h);
    distance = std::min(distance, (d.distance + recesses[c]) / h);
  }
  if (distance >= reach || distance <= -reach) return distance > 0 ? 1 : 0;
  double open = 0;
  for (int point = 0; point < power(3, D); ++point) {
    Vec3d x = node;
    double weight = 1, outside = 1;
    for (int a = 0, rest = point; a < D; ++a, rest /= 3) {
      x[a] += (rest % 3 - 1) * spacing * h;
      weight *= rest % 3 == 1 ? 0.5 : 0.25;
    }
    for (std::size_t c = 0; c < near.size(); ++c) {
      const double d = signed_distance(colliders[near[c]].shape, x).distance + recesses[c];
      outside = std::min(outside, clamp(d / h + 0.5, 0.0, 1.0));
    }
    open += weight * outside;
  }
  return open;
}

template <class T, int D>
void update_volume_sources(const MpmSettings& settings, const std::vector<Collider>& colliders,
                           const ContactMap<D>& contacts, double dt, MpmState<T, D>& state) {
  const bool wanted = std::any_of(state.sets.begin(), state.sets.end(), [](const auto& set) {
    const Fluid::Parameters* fluid = fluid_of(set.parameters);
    return fluid && fluid->volume_correction && set.particles.size() > 0;
  });
  if (!wanted) return;
  const auto run = [&](auto kernel) {
    using Kernel = decltype(kernel);
    VolumePass<T, D, Kernel>{settings,
                             colliders,
                             contacts,
                             T(kMaxShare / (kVolumeInterval * dt)),
                             T(strain_scale<Kernel>(settings.transfer)),
                             state}
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
