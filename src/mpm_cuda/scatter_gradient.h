// Particles to grid with kernel gradients (APIC, PIC, FLIP; quadratic and cubic kernels), in the
// shape of scatter.h. What one particle gives is classic_particle.h's: momentum as an affine field
// times the weight, and the impulse of the stress times the weight's gradient. Here the sums over
// nodes are taken line by line, as mpm/transfer_gradient.h does on the CPU.
#pragma once

#include "mpm_cuda/scatter.h"

namespace firn {

// together: momentum may change over the stencil, and one sum holds momentum and impulse (APIC; PIC
// with slopes of zero). apart: momentum is the same over the stencil, and impulses have sums of
// their own (FLIP). push: impulses alone.
enum class GradientParts { together, apart, push };
template <GradientParts Parts>
struct GradientRows;

// A row: the value of the momentum at the first node, mass, slopes, the impulse (symmetric), then
// weights and gradients of each axis; those along the last axis twice, to be read from any node on.
template <class T, int D, class Kernel, GradientParts Parts>
struct ScatterLayout<T, D, Kernel, GradientRows<Parts>> : ScatterArena<D, Kernel> {
  using Base = ScatterArena<D, Kernel>;
  using Base::K;
  static constexpr bool kApart = Parts == GradientParts::apart;
  static constexpr bool kSlopes = Parts == GradientParts::together;
  // Sums of a node: momentum, mass, impulse.
  static constexpr int kMass = D, kPush = D + 1, kValues = kApart ? 2 * D + 1 : D + 1;
  static constexpr int kSlope = D + 1, kImpulse = kSlope + (kSlopes ? D * D : 0);
  static constexpr int kSides = kImpulse + SymMat<T, D>::kSize;
  static constexpr int kAlong = kSides + 2 * K * (D - 1), kRing = 2 * K - 1;
  static constexpr int kWords = kAlong + 2 * kRing;
  static constexpr int kRow = Base::row_length(kWords);
  static constexpr std::size_t kBytes = Base::template bytes<T>(kValues, kRow);
};

// Goes through the rows of a cell that are a lane's.
template <class T, int D, class Kernel, GradientParts Parts>
class GradientCursor {
 public:
  using L = ScatterLayout<T, D, Kernel, GradientRows<Parts>>;
  static constexpr int K = L::K;

  __device__ GradientCursor(const CellLane<T, D, Kernel>& lane, const T* rows, int first)
      : row_(rows + (first + lane.group) * L::kRow), along_(row_ + L::kAlong + lane.group) {
    for (int a = D - 2, rest = lane.line; a >= 0; --a, rest /= K)
      side_[a] = row_ + L::kSides + 2 * K * a + rest % K;
  }
  __device__ bool is_before(const T* end) const { return row_ < end; }
  __device__ void advance(int steps) {
    row_ += steps * L::kRow;
    along_ += steps * L::kRow;
    for (int a = 0; a < D - 1; ++a) side_[a] += steps * L::kRow;
  }
  __device__ __forceinline__ void add(const CellLane<T, D, Kernel>& lane,
                                      T (&sum)[K][L::kValues]) const {
    T head[L::kSides + 3];
    read_words<L::kSides>(row_, head);
    SymMat<T, D> impulse;
    for (int k = 0; k < SymMat<T, D>::kSize; ++k) impulse.e[k] = head[L::kImpulse + k];
    T of_line, gradient[D - 1];
    weigh_line(of_line, gradient);
    // Of momentum, of the impulse, and what each does along the line.
    T value[D], push[D], last_push[D], slope[D];
    for (int c = 0; c < D; ++c) {
      value[c] = head[c];
      if constexpr (L::kSlopes)
        for (int j = 0; j < D - 1; ++j) value[c] += head[L::kSlope + c * D + j] * lane.line_at[j];
      value[c] *= of_line;
      push[c] = L::kSlopes ? value[c] : T(0);
      for (int a = 0; a < D - 1; ++a) push[c] += gradient[a] * impulse(c, a);
      last_push[c] = of_line * impulse(c, D - 1);
      if constexpr (L::kSlopes) slope[c] = of_line * head[L::kSlope + c * D + D - 1];
    }
    const T mass = of_line * head[L::kMass];
#pragma unroll
    for (int j = 0; j < K; ++j) {
      const T w = along_[j], g = along_[L::kRing + j];
      for (int c = 0; c < D; ++c) {
        const T pushed = g * last_push[c];
        if constexpr (L::kSlopes)
          sum[j][c] += w * (push[c] + slope[c] * lane.node_at[j]) + pushed;
        else if constexpr (L::kApart)
          sum[j][c] += w * value[c];
        else
          sum[j][c] += w * push[c] + pushed;
        if constexpr (L::kApart) sum[j][L::kPush + c] += w * push[c] + pushed;
      }
      sum[j][L::kMass] += w * mass;
    }
  }

 private:
  // The weight of the line, and its derivatives along the other axes than the last.
  __device__ __forceinline__ void weigh_line(T& of_line, T (&gradient)[D - 1]) const {
    if constexpr (D == 3) {
      const T w0 = *side_[0], g0 = side_[0][K], w1 = *side_[1], g1 = side_[1][K];
      of_line = w0 * w1;
      gradient[0] = g0 * w1;
      gradient[1] = w0 * g1;
    } else {
      of_line = *side_[0];
      gradient[0] = side_[0][K];
    }
  }

  const T *row_, *along_, *side_[D - 1];
};

template <GradientParts Parts, class T, int D, class Kernel, int Values>
__device__ __forceinline__ void add_rows(GradientRows<Parts>, const CellLane<T, D, Kernel>& lane,
                                         const T* rows, int first, int count,
                                         T (&sum)[Kernel::kNodes][Values]) {
  using Cursor = GradientCursor<T, D, Kernel, Parts>;
  const T* const end = rows + (first + count) * Cursor::L::kRow;
  Cursor row(lane, rows, first);
#pragma unroll 1
  for (; row.is_before(end); row.advance(CellLane<T, D, Kernel>::kGroups)) row.add(lane, sum);
}

// The weights of a row and their gradients.
template <class L, class T, int D, class Kernel>
__device__ void put_sides(const DevicePlace<T, D, Kernel>& place, T (&words)[L::kRow]) {
  constexpr int K = L::K;
  for (int a = 0; a < D; ++a) {
    T gradient[K];
    Kernel::gradients(place.xi[a] - T(Kernel::kShift), gradient);
    if (a < D - 1) {
      for (int k = 0; k < K; ++k) {
        words[L::kSides + 2 * K * a + k] = place.weight[a][k];
        words[L::kSides + 2 * K * a + K + k] = gradient[k];
      }
      continue;
    }
    for (int k = 0; k < L::kRing; ++k) {
      words[L::kAlong + k] = place.weight[a][k % K];
      words[L::kAlong + L::kRing + k] = gradient[k % K];
    }
  }
}

template <GradientParts Parts>
struct GradientRows {
  static constexpr bool kCarried = Parts != GradientParts::push;
  static constexpr bool kMassMarks = kCarried;
  static constexpr bool kPushesApart = Parts == GradientParts::apart;
  static constexpr int kGroups = 3;
  template <class T>
  __device__ static bool takes(const SetView<T>&) {
    return true;
  }
  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T dt,
                              const DevicePlace<T, D, Kernel>& place, T* row) {
    using L = ScatterLayout<T, D, Kernel, GradientRows>;
    using C = CommonColumns<D>;
    const T volume = stressed_volume(set, particle);
    T words[L::kRow] = {};
    if constexpr (kCarried) {
      const T mass = set.mass < 0 ? set.same_mass : particle[set.mass];
      for (int i = 0; i < D; ++i) words[i] = mass * particle[C::kVelocity + i];
      words[L::kMass] = mass;
    }
    if constexpr (L::kSlopes) {
      const T scale = words[L::kMass] * view.h * slope_scale<T, D, Kernel>(view);
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
          const T slope = scale * particle[C::kAffine + i * D + j];
          words[L::kSlope + i * D + j] = slope;
          words[i] -= slope * place.xi[j];
        }
    }
    const T scale = -dt * volume * view.inverse_h;
    SymMat<T, D> impulse = SymMat<T, D>::isotropic(particle[set.stress]);
    if (set.stress_components > 1)
      for (int k = 0; k < SymMat<T, D>::kSize; ++k) impulse.e[k] = particle[set.stress + k];
    for (int k = 0; k < SymMat<T, D>::kSize; ++k) words[L::kImpulse + k] = scale * impulse.e[k];
    put_sides<L>(place, words);
    store_words(words, row);
  }
  template <class T, int D>
  __device__ static void prefetch(const SetView<T>& set, int base_row, std::uint32_t first,
                                  std::uint32_t end, int tile) {
    MomentumRows::prefetch<T, D>(set, base_row, first, end, tile);
  }
};

}  // namespace firn
