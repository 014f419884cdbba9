// Gradients of a field at particles and their transpose where a register holds the four numbers of
// four nodes (AVX-512, float): the three nodes of a line along the last axis at once. MLS with the
// quadratic kernel in 3D; what it computes is what MlsOperators does.
#pragma once

#include <cstdint>

#include "base/wide_lanes.h"
#include "mpm/transfer_mls.h"

namespace firn {

template <class T, int D, class Kernel>
inline constexpr bool kHasWindows =
    D == 3 && std::is_same_v<Kernel, QuadraticKernel> && !kPaired<T, 16>;

// An arena whose lines of eight nodes are held as the nodes 0-3, 2-5 and 4-7: three nodes side by
// side lie in one of them. Each is a register, and what was stored last is loaded as a whole.
template <class T>
struct LineWindows {
  using W = Wide<T>;
  static constexpr int kWidth = 8, kOfLine = 3, kLines = kWidth * kWidth;
  static_assert(Arena<3, QuadraticKernel>::kWidth == kWidth);
  W window[kLines * kOfLine];

  void clear() {
    for (W& w : window) w = W(0);
  }
  void read(const Node<T>* arena) {
    for (int at = 0; at < kLines * kOfLine; ++at)
      __builtin_memcpy(&window[at], arena + at / kOfLine * kWidth + at % kOfLine * 2, sizeof(W));
  }
  void add_to(Node<T>* arena) const {
    const auto add = [&](W x, Node<T>* to) FIRN_INLINE_LAMBDA {
      W sum;
      __builtin_memcpy(&sum, to, sizeof(W));
      sum = sum + x;
      __builtin_memcpy(to, &sum, sizeof(W));
    };
    const W none(0);
    for (int line = 0; line < kLines; ++line) {
      const W* const of = window + line * kOfLine;
      const W low(__builtin_shufflevector(none.v, of[1].v, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19,
                                          20, 21, 22, 23));
      const W high(__builtin_shufflevector(none.v, of[1].v, 24, 25, 26, 27, 28, 29, 30, 31, 0, 1, 2,
                                           3, 4, 5, 6, 7));
      add(of[0] + low, arena + line * kWidth);
      add(of[2] + high, arena + line * kWidth + 4);
    }
  }
  // The window at the same place of another line, counted from one.
  static constexpr int line_offset(int i, int j) { return (i * kWidth + j) * kOfLine; }
};

// Where 16 particles sit among windows.
template <class T>
struct WindowStencil {
  using W = Wide<T>;
  static constexpr int kCount = 16;

  alignas(64) T first[3][kCount];  // weights along the axes
  alignas(64) T middle[3][kCount];
  alignas(64) T line[9][kCount];         // first times middle
  alignas(64) T last[4 * kCount];        // four of a window for each particle, see row_of
  alignas(64) T from_center[3][kCount];  // from node 1, and along the last axis of the window
  alignas(64) std::int32_t index[kCount];

  // Of each number of a window, how far its node is from the middle, in cells.
  FIRN_HOST_INLINE static W node_from_center() {
    return typename W::V{-1.5f, -1.5f, -1.5f, -1.5f, -0.5f, -0.5f, -0.5f, -0.5f,
                         0.5f,  0.5f,  0.5f,  0.5f,  1.5f,  1.5f,  1.5f,  1.5f};
  }
  // Rows of four for each particle as transpose_fours leaves them.
  static constexpr int row_of(int p) { return p % 4 * kCount + p / 4 * 4; }

  FIRN_HOST_INLINE void set(const Vec<W, 3>& position) {
    using A = Arena<3, QuadraticKernel>;
    constexpr int kLast = A::kCells - 1 - A::kMargin;
    W w[3][3], cell[3], from[3];
    for (int a = 0; a < 3; ++a) {
      cell[a] = max_of(min_of(floor_of(position[a]), W(T(kLast))), W(T(-A::kMargin)));
      const W f = position[a] - cell[a];
      cell[a] = cell[a] + W(T(A::kMargin));
      QuadraticKernel::weights(f, w[a]);
      from[a] = f + W(T(QuadraticKernel::kShift - (a < 2 ? 1 : 1.5)));
    }
    const W half = floor_of(cell[2] * W(T(0.5))), odd = cell[2] - (half + half);
    from[2] = from[2] + odd;
    for (int a = 0; a < 3; ++a) from[a].store(from_center[a]);
    const auto is_odd = odd > W(0);
    W of_window[4] = {select(is_odd, W(0), w[2][0]), select(is_odd, w[2][0], w[2][1]),
                      select(is_odd, w[2][1], w[2][2]), select(is_odd, w[2][2], W(0))};
    transpose_fours(of_window[0], of_window[1], of_window[2], of_window[3]);
    for (int k = 0; k < 4; ++k) of_window[k].store(last + k * kCount);
    for (int i = 0; i < 3; ++i) {
      w[0][i].store(first[i]);
      w[1][i].store(middle[i]);
      for (int j = 0; j < 3; ++j) (w[0][i] * w[1][j]).store(line[3 * i + j]);
    }
    store_integers((cell[0] * W(T(A::kWidth)) + cell[1]) * W(T(LineWindows<T>::kOfLine)) + half,
                   index);
  }

  // Sums over the nodes of particle p: weighted, and with the way along each axis.
  FIRN_HOST_INLINE W gather(int p, const LineWindows<T>& from) const {
    const W* const node = from.window + index[p];
    W across[3], at_first(0), at_last(0);
    const W m[3] = {spread(middle[0][p]), spread(middle[1][p]), spread(middle[2][p])};
    const W f[3] = {spread(first[0][p]), spread(first[1][p]), spread(first[2][p])};
    unroll<3>([&](auto i) FIRN_INLINE_LAMBDA {
      const W v0 = node[from.line_offset(i, 0)], v1 = node[from.line_offset(i, 1)],
              v2 = node[from.line_offset(i, 2)];
      across[i] = v0 * m[0] + v1 * m[1] + v2 * m[2];
      at_first = i == 0 ? v0 * f[0] : at_first + v0 * f[i];
      at_last = i == 0 ? v2 * f[0] : at_last + v2 * f[i];
    });
    const W w = each_repeated(last + row_of(p));
    const W value = (across[0] * f[0] + across[1] * f[1] + across[2] * f[2]) * w;
    return sums_of_nodes(value, (across[2] * f[2] - across[0] * f[0]) * w,
                         (at_last * m[2] - at_first * m[0]) * w, value * node_from_center());
  }

  // Adds value + slope k to the nodes of particle p.
  FIRN_HOST_INLINE void scatter(int p, const T* value, const T* slope0, const T* slope1,
                                const T* slope2, LineWindows<T>& to) const {
    W* const node = to.window + index[p];
    const W w = each_repeated(last + row_of(p));
    W plane = (repeat(value) + repeat(slope2) * node_from_center()) * w;
    const W step = repeat(slope1) * w, next = repeat(slope0) * w;
    unroll<3>([&](auto i) FIRN_INLINE_LAMBDA {
      W along = plane;
      unroll<3>([&](auto j) FIRN_INLINE_LAMBDA {
        W& at = node[to.line_offset(i, j)];
        at = at + along * spread(line[3 * i + j][p]);
        along = along + step;
      });
      plane = plane + next;
    });
  }
};

// The same for a group of particles.
template <class T>
class WindowGroup {
  using W = Wide<T>;
  using Stencil = WindowStencil<T>;
  static constexpr int kCount = Stencil::kCount;

 public:
  static constexpr std::uint32_t kMost = 64;

  explicit WindowGroup(T inverse_h) : scale_(T(QuadraticKernel::kInverseD) * inverse_h) {}

  // Row-major columns of the gradients, and then of what becomes of them.
  T* column(int k) { return sums_[k / 3][1 + k % 3]; }

  // The gradients at the n particles from p on.
  FIRN_KEEP_ORDER void gather(const std::array<const T*, 3>& position, std::uint32_t p, int n,
                              const LineWindows<T>& from, const ColumnStream<T>* ahead) {
    for (int b = 0; b * kCount < n; ++b) {
      Vec<W, 3> x;
      for (int a = 0; a < 3; ++a) x[a] = W::load(position[a] + p + b * kCount, n - b * kCount);
      stencils_[b].set(x);
    }
    for (int at = 0; at < n; at += 4) {
      if (ahead) ahead->advance(p + at);
      const Stencil& s = stencils_[at / kCount];
      const int q = at % kCount;
      W rows[4] = {s.gather(q, from), s.gather(q + 1, from), s.gather(q + 2, from),
                   s.gather(q + 3, from)};
      transpose_fours(rows[0], rows[1], rows[2], rows[3]);
      for (int i = 0; i < 3; ++i) store_fours(rows[i], sums_[i][0] + at, kMost);
    }
    for (int b = 0; b * kCount < n; ++b) find_gradients(b);
  }
  // Their transpose.
  FIRN_KEEP_ORDER void scatter(int n, LineWindows<T>& to) const {
    for (int b = 0; b * kCount < n; ++b) {
      alignas(64) T rows[4][4 * kCount];
      make_rows(b, rows);
      const int last = std::min(kCount, n - b * kCount);
      for (int q = 0; q < last; ++q) {
        const int at = Stencil::row_of(q);
        stencils_[b].scatter(q, rows[0] + at, rows[1] + at, rows[2] + at, rows[3] + at, to);
      }
    }
  }

 private:
  FIRN_HOST_INLINE void find_gradients(int b) {
    const W scale(scale_);
    for (int j = 0; j < 3; ++j) {
      const W from_center = W::load(stencils_[b].from_center[j]);
      for (int i = 0; i < 3; ++i) {
        T* const sum = sums_[i][1 + j] + b * kCount;
        const W value = W::load(sums_[i][0] + b * kCount);
        gradient_entry(scale, W::load(sum), from_center, value).store(sum);
      }
    }
  }
  // Of each particle what it gives to the first node, in the middle of its window, and by how much
  // that changes along each axis.
  FIRN_HOST_INLINE void make_rows(int b, T (*rows)[4 * kCount]) const {
    const W scale(scale_), none(0);
    Mat<W, 3> slope;
    Vec<W, 3> xi;
    for (int j = 0; j < 3; ++j) {
      xi[j] = W::load(stencils_[b].from_center[j]) + W(j < 2 ? 1 : 0);
      for (int i = 0; i < 3; ++i) slope(i, j) = scale * W::load(sums_[i][1 + j] + b * kCount);
    }
    const Vec<W, 3> value = momentum_at_first_node(Vec<W, 3>::zero(), slope, xi);
    for (int k = 0; k < 4; ++k) {
      W of[4] = {none, none, none, none};
      for (int i = 0; i < 3; ++i) of[i] = k == 0 ? value[i] : slope(i, k - 1);
      transpose_fours(of[0], of[1], of[2], of[3]);
      for (int l = 0; l < 4; ++l) of[l].store(rows[k] + l * kCount);
    }
  }

  T scale_;
  // Of each component: weighted, and with the way along each axis.
  alignas(64) T sums_[3][4][kMost];
  Stencil stencils_[kMost / kCount];
};

}  // namespace firn
