// Matter of species on the nodes that they share (mpm/porous_node.h): volumes, and impulses of the
// pressure of fluids.
#pragma once

#include "mpm/porous_particle.h"
#include "mpm_cuda/scatter_gradient.h"
#include "mpm_cuda/volume.h"

namespace firn {

// Volume now over the initial one.
template <class T, int D>
__device__ T volume_ratio_of(const SetView<T>& set, const ParticleWords<T>& particle) {
  if (is_fluid(set)) return particle[FluidColumns<D>::kScalar];
  const Mat<T, D> F = load_matrix<T, D>(particle, ModelColumns<Sand, D>::kGradient);
  const bool has_dilation = set.dilation != set.loose;  // of the model's own
  return has_dilation ? volume_ratio(F, particle[set.dilation]) : volume_ratio(F);
}

template <class T, int D>
__device__ LaidMatter<T> laid_by(const View<T, D>& view, const SetView<T>& set,
                                 const ParticleWords<T>& particle) {
  const T whole = initial_volume(set, particle) * view.per_cell;
  const T now = set.lays_strain ? whole * volume_ratio_of<T, D>(set, particle) : whole;
  return laid_matter(set.is_porous_fluid, whole, now, set.grains);
}

// What laid_by() reads of the particles [first, end), one tile a thread; and the stress where it
// is asked for.
template <class T, int D>
__device__ void prefetch_matter(const SetView<T>& set, int base_row, std::uint32_t first,
                                std::uint32_t end, int tile, bool with_stress) {
  using C = CommonColumns<D>;
  prefetch_columns(set, base_row, first, end, tile, C::kPosition, D);
  const int last = with_stress ? set.stress + set.stress_components : set.stress;
  if (set.lays_strain || with_stress)
    prefetch_columns(set, base_row, first, end, tile, C::kEnd, last - C::kEnd);
}

// Volumes alone, in the lanes kBulk and kGrains.
struct MatterRows : MasslessRows {
  template <int D>
  static constexpr int kValues = 2;
  static constexpr bool kSlopes = false;
  static constexpr int kGroups = 5;

  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T,
                              const DevicePlace<T, D, Kernel>& place, T* row) {
    using L = ScatterLayout<T, D, Kernel, MatterRows>;
    const LaidMatter<T> laid = laid_by<T, D>(view, set, particle);
    T values[L::kRow];
    values[kBulk] = laid.bulk;
    values[L::kMass] = laid.grains;
    store_row<L>(values, place, row);
  }
  template <class T, int D>
  __device__ static void prefetch(const SetView<T>& set, int base_row, std::uint32_t first,
                                  std::uint32_t end, int tile) {
    prefetch_matter<T, D>(set, base_row, first, end, tile, false);
  }
};

// The impulse of the pressure of a fluid's particle, per gradient of a weight by cells.
template <class T, int D>
__device__ T pressure_push(const View<T, D>& view, const SetView<T>& set,
                           const ParticleWords<T>& particle, T dt) {
  T mean = particle[set.stress];
  if (set.stress_components > 1)
    mean = mean_stress<D>([&](int a) { return T(particle[set.stress + a]); });
  return -dt * view.inverse_h * stressed_volume(set, particle) * mean;
}

// A fluid: the impulse of its pressure, -dt V tau D^-1 (x_i - x_p) at a node, and what it fills.
struct PressureRows : MasslessRows {
  static constexpr int kGroups = 4;

  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T dt,
                              const DevicePlace<T, D, Kernel>& place, T* row);
  template <class T, int D>
  __device__ static void prefetch(const SetView<T>& set, int base_row, std::uint32_t first,
                                  std::uint32_t end, int tile) {
    prefetch_matter<T, D>(set, base_row, first, end, tile, true);
  }
};

// A row: the impulse at the first node, what is filled, and by what each component of the impulse
// grows from node to node along its own axis.
template <class T, int D, class Kernel>
struct ScatterLayout<T, D, Kernel, PressureRows> : ScatterArena<D, Kernel> {
  using Base = ScatterArena<D, Kernel>;
  using Base::K, Base::kLines;
  static constexpr int kMass = D, kValues = D + 1;
  static constexpr int kSlope = D + 1, kWeights = kSlope + 1;
  static constexpr int kAlong = kWeights + kLines, kWords = kAlong + 2 * K - 1;
  static constexpr int kRow = Base::row_length(kWords);
  static constexpr std::size_t kBytes = Base::template bytes<T>(kValues, kRow);
};

template <class T, int D, class Kernel>
__device__ void PressureRows::make(const View<T, D>& view, const SetView<T>& set,
                                   const ParticleWords<T>& particle, T dt,
                                   const DevicePlace<T, D, Kernel>& place, T* row) {
  using L = ScatterLayout<T, D, Kernel, PressureRows>;
  const T push = pressure_push<T, D>(view, set, particle, dt) * T(Kernel::kInverseD);
  T values[L::kRow];
  for (int a = 0; a < D; ++a) values[a] = -place.xi[a] * push;
  values[L::kMass] = laid_by<T, D>(view, set, particle).grains;
  values[L::kSlope] = push;
  store_row<L>(values, place, row);
}

template <class T, int D, class Kernel, int Values>
__device__ __forceinline__ void add_rows(PressureRows, const CellLane<T, D, Kernel>& lane,
                                         const T* rows, int first, int count,
                                         T (&sum)[Kernel::kNodes][Values]) {
  using L = ScatterLayout<T, D, Kernel, PressureRows>;
  constexpr int kSteps = CellLane<T, D, Kernel>::kGroups * L::kRow;
  const T* const end = rows + (first + count) * L::kRow;
#pragma unroll 1
  for (const T* row = rows + (first + lane.group) * L::kRow; row < end; row += kSteps) {
    T head[L::kWeights + 3];
    read_words<L::kWeights>(row, head);
    const T of_line = row[L::kWeights + lane.line], push = head[L::kSlope];
    T value[D];
    for (int a = 0; a < D; ++a) value[a] = head[a];
    for (int a = 0; a < D - 1; ++a) value[a] += push * lane.line_at[a];
#pragma unroll
    for (int j = 0; j < L::K; ++j) {
      const T w = of_line * row[L::kAlong + lane.group + j];
      for (int a = 0; a < D - 1; ++a) sum[j][a] += w * value[a];
      sum[j][D - 1] += w * (value[D - 1] + push * lane.node_at[j]);
      sum[j][L::kMass] += w * head[L::kMass];
    }
  }
}

// Momentum and, apart from it, the impulse of the pressure, of a fluid that need lay nothing else.
struct PressedRows {
  static constexpr bool kMassMarks = true;
  static constexpr bool kPushesApart = true;
  static constexpr int kGroups = 3;

  template <class T>
  __device__ static bool takes(const SetView<T>&) {
    return true;
  }
  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T dt,
                              const DevicePlace<T, D, Kernel>& place, T* row);
  template <class T, int D>
  __device__ static void prefetch(const SetView<T>& set, int base_row, std::uint32_t first,
                                  std::uint32_t end, int tile) {
    MomentumRows::prefetch<T, D>(set, base_row, first, end, tile);
  }
};

// A row: that of the momentum, the impulse at the first node and by what it grows.
template <class T, int D, class Kernel>
struct ScatterLayout<T, D, Kernel, PressedRows> : ScatterArena<D, Kernel> {
  using Base = ScatterArena<D, Kernel>;
  using Base::K, Base::kLines;
  // Sums of a node: momentum, mass, impulse.
  static constexpr int kMass = D, kPush = D + 1, kValues = 2 * D + 1;
  static constexpr int kSlope = D + 1, kFirst = kSlope + D * D, kGrowth = kFirst + D;
  static constexpr int kWeights = kGrowth + 1;
  static constexpr int kAlong = kWeights + kLines, kWords = kAlong + 2 * K - 1;
  static constexpr int kRow = Base::row_length(kWords);
  static constexpr std::size_t kBytes = Base::template bytes<T>(kValues, kRow);
};

template <class T, int D, class Kernel>
__device__ void PressedRows::make(const View<T, D>& view, const SetView<T>& set,
                                  const ParticleWords<T>& particle, T dt,
                                  const DevicePlace<T, D, Kernel>& place, T* row) {
  using L = ScatterLayout<T, D, Kernel, PressedRows>;
  T values[L::kRow];
  put_momentum<L, true, true>(view, set, particle, dt, place, values);
  const T push = pressure_push<T, D>(view, set, particle, dt) * T(Kernel::kInverseD);
  for (int a = 0; a < D; ++a) values[L::kFirst + a] = -place.xi[a] * push;
  values[L::kGrowth] = push;
  store_row<L>(values, place, row);
}

template <class T, int D, class Kernel, int Values>
__device__ __forceinline__ void add_rows(PressedRows, const CellLane<T, D, Kernel>& lane,
                                         const T* rows, int first, int count,
                                         T (&sum)[Kernel::kNodes][Values]) {
  using L = ScatterLayout<T, D, Kernel, PressedRows>;
  constexpr int kSteps = CellLane<T, D, Kernel>::kGroups * L::kRow;
  const T* const end = rows + (first + count) * L::kRow;
#pragma unroll 1
  for (const T* row = rows + (first + lane.group) * L::kRow; row < end; row += kSteps) {
    T head[L::kWeights + 3];
    read_words<L::kWeights>(row, head);
    const T of_line = row[L::kWeights + lane.line], growth = head[L::kGrowth];
    T value[D], push[D];
    for (int c = 0; c < D; ++c) {
      value[c] = head[c];
      for (int j = 0; j < D - 1; ++j) value[c] += head[L::kSlope + c * D + j] * lane.line_at[j];
      push[c] = head[L::kFirst + c];
      if (c < D - 1) push[c] += growth * lane.line_at[c];
    }
#pragma unroll
    for (int j = 0; j < L::K; ++j) {
      const T w = of_line * row[L::kAlong + lane.group + j], at = lane.node_at[j];
      for (int c = 0; c < D; ++c) {
        sum[j][c] += w * (value[c] + head[L::kSlope + c * D + D - 1] * at);
        sum[j][L::kPush + c] += w * (c < D - 1 ? push[c] : push[c] + growth * at);
      }
      sum[j][L::kMass] += w * head[L::kMass];
    }
  }
}

// The same by gradients of weights, for the kernel whose D is not constant.
struct GradientPressureRows : MasslessRows {
  using Pushes = GradientRows<GradientParts::push>;

  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T dt,
                              const DevicePlace<T, D, Kernel>& place, T* row) {
    using L = ScatterLayout<T, D, Kernel, Pushes>;
    T words[L::kRow] = {};
    words[L::kMass] = laid_by<T, D>(view, set, particle).grains;
    const auto impulse = SymMat<T, D>::isotropic(pressure_push<T, D>(view, set, particle, dt));
    for (int k = 0; k < SymMat<T, D>::kSize; ++k) words[L::kImpulse + k] = impulse.e[k];
    put_sides<L>(place, words);
    store_words(words, row);
  }
};
template <class T, int D, class Kernel>
struct ScatterLayout<T, D, Kernel, GradientPressureRows>
    : ScatterLayout<T, D, Kernel, GradientPressureRows::Pushes> {};

template <class T, int D, class Kernel, int Values>
__device__ __forceinline__ void add_rows(GradientPressureRows, const CellLane<T, D, Kernel>& lane,
                                         const T* rows, int first, int count,
                                         T (&sum)[Kernel::kNodes][Values]) {
  add_rows(GradientPressureRows::Pushes{}, lane, rows, first, count, sum);
}

}  // namespace firn
