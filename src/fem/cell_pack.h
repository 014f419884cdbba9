// Some cells side by side, one a lane: what they are at rest, and their shape at given places.
#pragma once

#include <algorithm>

#include "base/mat.h"
#include "base/simd.h"
#include "exec/buffer.h"
#include "fem/cell_shape.h"

namespace firn {

inline constexpr int kCellLanes = std::max(4, FIRN_REGISTER_BYTES / int(sizeof(double)));
using CellLanes = Simd<double, kCellLanes>;

// Of one body. Lanes behind the last cell repeat it, without volume.
template <int D, int Order>
class CellPacks {
 public:
  using S = CellLanes;
  using Shape = CellShape<D, Order>;
  static constexpr int W = kCellLanes, N = Shape::kNodes;

  CellPacks(const FemBody<D>& body, const std::vector<std::uint32_t>& cells) {
    count_ = cells.size() / N;
    const std::size_t packs = this->packs();
    node_.resize(packs * N * W);
    slope_.resize(packs * D * D * W);
    volume_.resize(packs * W);
    for (std::size_t p = 0; p < packs; ++p)
      for (int lane = 0; lane < W; ++lane)
        set_cell(body, cells, p, lane, std::min(p * W + lane, count_ - 1));
  }

  std::size_t count() const { return count_; }
  std::size_t packs() const { return (count_ + W - 1) / W; }
  int lanes(std::size_t pack) const {
    return static_cast<int>(std::min<std::size_t>(W, count_ - pack * W));
  }
  // Of node a, one a lane.
  const std::uint32_t* nodes(std::size_t pack, int a) const {
    return node_.data() + (pack * N + a) * W;
  }
  S volume(std::size_t pack) const { return S::load(volume_.data() + pack * W); }

  // Gradients of the shape functions at point q by places at rest, 1/m.
  void gradients(std::size_t pack, int q, Vec<S, D>* out) const {
    Vec<S, D> slope[D + 1];
    slope[0] = Vec<S, D>::zero();
    for (int k = 0; k < D; ++k)
      for (int i = 0; i < D; ++i) {
        slope[k + 1][i] = S::load(slope_.data() + ((pack * D + k) * D + i) * W);
        slope[0][i] -= slope[k + 1][i];
      }
    for (int a = 0; a < N; ++a) {
      if constexpr (Order == 1) {
        out[a] = slope[a];
      } else {
        out[a] = Vec<S, D>::zero();
        for (int k = 0; k <= D; ++k)
          if (Shape::slope(q, a, k) != 0) out[a] += slope[k] * S(Shape::slope(q, a, k));
      }
    }
  }
  // Places of the nodes, relative to the first one: what is far from the origin loses no digits.
  void places(std::size_t pack, const double* x, Vec<S, D>* out) const {
    const std::uint32_t* first = nodes(pack, 0);
    out[0] = Vec<S, D>::zero();
    for (int a = 1; a < N; ++a) {
      const std::uint32_t* node = nodes(pack, a);
      for (int i = 0; i < D; ++i)
        for (int lane = 0; lane < W; ++lane)
          out[a][i].set(lane,
                        x[std::size_t(node[lane]) * D + i] - x[std::size_t(first[lane]) * D + i]);
    }
  }
  static Mat<S, D> deformation(const Vec<S, D>* places, const Vec<S, D>* gradients) {
    Mat<S, D> F = Mat<S, D>::zero();
    for (int a = 1; a < N; ++a) F = F + outer(places[a], gradients[a]);
    return F;
  }
  std::size_t bytes() const { return node_.bytes() + slope_.bytes() + volume_.bytes(); }

 private:
  void set_cell(const FemBody<D>& body, const std::vector<std::uint32_t>& cells, std::size_t pack,
                int lane, std::size_t cell) {
    for (int a = 0; a < N; ++a) node_[(pack * N + a) * W + lane] = cells[cell * N + a];
    const std::uint32_t* corner = body.cells.data() + cell * N;
    Mat<double, D> edges;  // a column each
    for (int k = 0; k < D; ++k)
      for (int i = 0; i < D; ++i)
        edges(i, k) = body.rest[corner[k + 1]][i] - body.rest[corner[0]][i];
    const Mat<double, D> slopes = inverse(edges);  // a row each
    for (int k = 0; k < D; ++k)
      for (int i = 0; i < D; ++i) slope_[((pack * D + k) * D + i) * W + lane] = slopes(k, i);
    const double volume = determinant(edges) / (D == 3 ? 6 : 2);
    volume_[pack * W + lane] = pack * W + lane < count_ ? volume : 0;
  }

  std::size_t count_ = 0;
  Buffer<std::uint32_t> node_;
  Buffer<double> slope_, volume_;
};

}  // namespace firn
