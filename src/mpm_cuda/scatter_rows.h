// What a particle gives to its nodes, as a row in shared memory: values that may change linearly
// over the nodes, and weights.
#pragma once

#include "mpm/kernels.h"
#include "mpm/mls_particle.h"
#include "mpm_cuda/device_tools.h"

namespace firn {

// A full block holds 512 particles, and a few more where matter is pressed together: two chunks.
constexpr int kScatterThreads = 288;

// Momentum and mass, the impulse of the stress, or both, as explicit steps have it.
template <bool Carried, bool Stressed>
struct AffineRows;
using MomentumRows = AffineRows<true, true>;

// The arena of a block and the lines of nodes of a cell, whatever is scattered.
template <int D, class Kernel>
struct ScatterArena {
  static constexpr int K = Kernel::kNodes;
  // 99 and 9 (in 2D 19) put the nodes of a cell into different banks.
  using Spread = SpreadArena<D, Kernel, D == 3 ? 99 : 19, D == 3 ? 9 : 1>;
  static constexpr int kPlane = (Spread::kSize + 3) / 4 * 4;
  static constexpr int kLines = power(K, D - 1);
  static constexpr int kCells = power(Arena<D, Kernel>::kCells, D);
  static_assert(kCells <= kScatterThreads);

  // Words of a row: an odd number of quads, so that rows written side by side lie in different
  // banks.
  static constexpr int row_length(int words) { return 4 * ((words + 3) / 4 | 1); }
  template <class T>
  static constexpr std::size_t bytes(int values, int row) {
    return (std::size_t(values) * kPlane + std::size_t(kScatterThreads) * row) * sizeof(T);
  }
};

// A row: values of which the last is the mass or stands for it, slopes of the others where they
// have any, weights of the lines of nodes, and twice those along a line, so that they can be read
// from any node on in turn.
template <class T, int D, class Kernel, class Rows = MomentumRows>
struct ScatterLayout : ScatterArena<D, Kernel> {
  using Base = ScatterArena<D, Kernel>;
  using Base::K, Base::kLines;
  static constexpr int kValues = Rows::template kValues<D>, kMass = kValues - 1;
  static constexpr int kSlope = kValues, kWeights = kSlope + (Rows::kSlopes ? kMass * D : 0);
  static constexpr int kAlong = kWeights + kLines, kWords = kAlong + 2 * K - 1;
  static constexpr int kRow = Base::row_length(kWords);
  static constexpr std::size_t kBytes = Base::template bytes<T>(kValues, kRow);
};

// The first `Words` words of a row, four at a time; a single one at the end is read as such.
template <int Words, class T>
__device__ __forceinline__ void read_words(const T* row, T (&words)[Words + 3]) {
  constexpr int kWhole = (Words + 1) / 4;
  for (int q = 0; q < kWhole; ++q) {
    const DeviceNode<T> four = load_node(reinterpret_cast<const DeviceNode<T>*>(row) + q);
    for (int c = 0; c < 4; ++c) words[4 * q + c] = four.e[c];
  }
  for (int k = 4 * kWhole; k < Words; ++k) words[k] = row[k];
}
template <int Row, class T>
__device__ void store_words(const T (&words)[Row], T* row) {
  for (int q = 0; q < Row / 4; ++q)
    store_node(reinterpret_cast<DeviceNode<T>*>(row) + q,
               {{words[4 * q], words[4 * q + 1], words[4 * q + 2], words[4 * q + 3]}});
}

// Stores the values of a row and its weights.
template <class L, class T, int D, class Kernel>
__device__ void store_row(T (&values)[L::kRow], const DevicePlace<T, D, Kernel>& place, T* row) {
  for (int line = 0; line < L::kLines; ++line) {
    T of_line = T(1);
    for (int a = D - 2, rest = line; a >= 0; --a, rest /= L::K)
      of_line *= place.weight[a][rest % L::K];
    values[L::kWeights + line] = of_line;
  }
  for (int k = 0; k < 2 * L::K - 1; ++k) values[L::kAlong + k] = place.weight[D - 1][k % L::K];
  for (int k = L::kWords; k < L::kRow; ++k) values[k] = T(0);
  store_words(values, row);
}

// How much of the stored affine matrices times m h momentum changes from node to node: MLS stores
// velocity gradients, APIC B h^-2.
template <class T, int D, class Kernel>
__device__ T slope_scale(const View<T, D>& view) {
  return view.transfer.mls ? T(1) : view.transfer.affine ? T(Kernel::kInverseD) : T(0);
}

// Momentum m (v + C d) minus the impulse dt V tau D^-1 d of the stress, as value + slope k, and
// mass: the first words of a row.
template <class L, bool Carried, bool Stressed, class T, int D, class Kernel>
__device__ void put_momentum(const View<T, D>& view, const SetView<T>& set,
                             const ParticleWords<T>& particle, T dt,
                             const DevicePlace<T, D, Kernel>& place, T (&values)[L::kRow]) {
  using C = CommonColumns<D>;
  const T mass = !Carried ? T(0) : set.mass < 0 ? set.same_mass : particle[set.mass];
  const T volume = !Stressed ? T(0) : stressed_volume(set, particle);
  const T scale = dt * T(Kernel::kInverseD) * view.inverse_h * volume;
  const T mass_h = Stressed ? mass * view.h : mass * view.h * slope_scale<T, D, Kernel>(view);
  Mat<T, D> slope;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j)
      slope(i, j) = Carried ? mass_h * particle[C::kAffine + i * D + j] : T(0);
  if (Stressed && set.stress_components == 1) {
    subtract_pressure(scale * particle[set.stress], slope);
  } else if (Stressed) {
    SymMat<T, D> tau;
    const T* stress = &particle[set.stress];
    for (int k = 0; k < SymMat<T, D>::kSize; ++k) tau.e[k] = scale * stress[k * kTile];
    subtract_stress(tau, slope);
  }
  Vec<T, D> momentum;
  for (int i = 0; i < D; ++i) momentum[i] = Carried ? mass * particle[C::kVelocity + i] : T(0);
  momentum = momentum_at_first_node(momentum, slope, place.xi);
  for (int i = 0; i < D; ++i) values[i] = momentum[i];
  values[L::kMass] = mass;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) values[L::kSlope + i * D + j] = slope(i, j);
}

// What rows that lay no mass have in common: they are of all sets and mark no nodes.
struct MasslessRows {
  static constexpr bool kMassMarks = false;
  static constexpr bool kPushesApart = false;
  template <class T>
  __device__ static bool takes(const SetView<T>&) {
    return true;
  }
};

// What is scattered, and of which sets.
template <bool Carried, bool Stressed>
struct AffineRows {
  template <int D>
  static constexpr int kValues = D + 1;
  static constexpr bool kSlopes = true;
  static constexpr bool kMassMarks = Carried;  // nodes with particles have mass
  static constexpr bool kPushesApart = false;
  static constexpr int kGroups = 4;  // thread blocks of a multiprocessor, in float
  template <class T>
  __device__ static bool takes(const SetView<T>&) {
    return true;
  }
  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T dt,
                              const DevicePlace<T, D, Kernel>& place, T* row) {
    using L = ScatterLayout<T, D, Kernel>;
    T values[L::kRow];
    put_momentum<L, Carried, Stressed>(view, set, particle, dt, place, values);
    store_row<L>(values, place, row);
  }
  // What make() reads of the particles [first, end), one tile a thread.
  template <class T, int D>
  __device__ static void prefetch(const SetView<T>& set, int base_row, std::uint32_t first,
                                  std::uint32_t end, int tile) {
    prefetch_columns(set, base_row, first, end, tile, 0, CommonColumns<D>::kEnd);
    prefetch_columns(set, base_row, first, end, tile, set.stress, set.stress_components);
  }
};

}  // namespace firn
