// A grid of twice the spacing of a finer one, over the same matter, for the part of a linear solve
// that a finer grid is slow at. Velocities between its nodes are multilinear. What resists them is
// taken for isotropic: two moduli and springs to what stands still, sums over the nodes of the
// finer grid. Its operator is the matrix
//   mass + springs + sum over cells of the finer grid (bulk, shear)
// of blocks of D x D, with a node's 3^D neighbours.
#pragma once

#include <array>
#include <vector>

#include "base/mat.h"
#include "exec/parallel.h"
#include "mpm/coarse_node.h"
#include "mpm/node_field.h"
#include "mpm/place_table.h"

namespace firn {

template <class T, int D>
class CoarseGrid {
 public:
  using Vector = Buffer<Node<T>>;
  using Coord = Vec<int, D>;
  using Periods = std::array<NodePeriod, D>;
  using Matter = StiffMatter<T>;
  using Springs = std::vector<SymMat<T, D>>;

  // Whether a grid with these periods can be halved.
  static bool can_halve(const Periods& finer);

  // Around the nodes of the finer grid that carry mass: finer[i] is where node i is, and
  // matter[i] what it carries. spacing: the finer grid's, m.
  void build(std::vector<Coord> finer, std::vector<Matter> matter, const Periods& periods,
             double spacing);
  // of(i): of node i of the finer grid, kg, null for none. Completes the operator.
  template <class Of>
  void set_springs(const Of& of) {
    springs_.resize(size());
    for_nodes([&](std::size_t n) {
      springs_[n] = SymMat<T, D>::isotropic(T(0));
      for (int code = 0; code < kNeighbors; ++code) {
        const SymMat<T, D>* from = finer_[n][code] >= 0 ? of(finer_[n][code]) : nullptr;
        for (int k = 0; from && k < SymMat<T, D>::kSize; ++k)
          springs_[n].e[k] += kShares[code] * from->e[k];
      }
    });
    invert_own();
  }

  std::size_t size() const { return coords_.size(); }
  const std::vector<Coord>& coords() const { return coords_; }
  const std::vector<Matter>& matter() const { return matter_; }
  const Springs& springs() const { return springs_; }
  const Periods& periods() const { return periods_; }
  std::size_t bytes() const;

  // The transpose of `prolong`: of(i) is the value of node i of the finer grid.
  template <class Of>
  void restrict_from(const Of& of, Vector& to) const {
    for_nodes([&](std::size_t n) {
      Node<T> sum(0);
      for (int code = 0; code < kNeighbors; ++code) {
        const int from = finer_[n][code];
        if (from >= 0) sum = sum + of(from) * Node<T>(kShares[code]);
      }
      to[n] = sum;
    });
  }
  // add(i, value): what the nodes of the finer grid get.
  template <class Add>
  void prolong(const Vector& from, const Add& add) const {
    for_nodes([&](std::size_t n) {
      Node<T> near[kChildren];
      for (int o = 0; o < kChildren; ++o) {
        const int at = neighbors_[n][towards<D>(o)];
        near[o] = at >= 0 ? from[at] : Node<T>(0);
      }
      for (int child = 0; child < kChildren; ++child)
        if (children_[n][child] >= 0) add(children_[n][child], mean(near, child));
    });
  }
  // Gauss-Seidel over the nodes, colour by colour, forwards or backwards.
  void sweep(const Vector& b, Vector& x, bool forwards) const;
  // set(row, column, value): the whole matrix.
  template <class Set>
  void for_entries(const Set& set) const {
    for (std::size_t n = 0; n < size(); ++n) {
      if (is_left_out(n)) continue;
      for (int code = 0; code < kNeighbors; ++code) {
        const int at = neighbors_[n][code];
        if (at < 0 || is_left_out(std::size_t(at))) continue;
        for (int j = 0; j < D; ++j) {
          const Node<T> column = code == kMiddle ? own_[n][j] : column_of(n, code, j);
          for (int i = 0; i < D; ++i)
            set(n * D + std::size_t(i), std::size_t(at * D + j), double(column[i]));
        }
      }
    }
  }
  void residual(const Vector& b, const Vector& x, Vector& r) const;

 private:
  static constexpr int kNeighbors = CoarseShape<D>::kNeighbors, kMiddle = CoarseShape<D>::kMiddle;
  static constexpr int kChildren = CoarseShape<D>::kCorners, kColors = kChildren;
  using Block = std::array<Node<T>, D>;  // columns of a matrix
  // Of the block between a node and a neighbour; what is in the lanes beyond D is of no meaning.
  Node<T> column_of(std::size_t n, int code, int j) const {
    return Node<T>::load(stencils_.data() + (n * kNeighbors + std::size_t(code)) * D * D + j * D);
  }

  static constexpr std::array<T, kNeighbors> find_shares() {
    std::array<T, kNeighbors> shares{};
    for (int code = 0; code < kNeighbors; ++code) shares[code] = share_of_finer<T, D>(code);
    return shares;
  }
  // What a node gets of one of the finer grid next to it.
  static constexpr std::array<T, kNeighbors> kShares = find_shares();
  static Node<T> mean(const Node<T>* near, int child) {
    Node<T> sum(0);
    for (int o = 0; o < kChildren; ++o)
      if (const T share = share_of_corner<T>(child, o); share > T(0))
        sum = sum + near[o] * Node<T>(share);
    return sum;
  }
  // Node of the finer grid next to node n, which coincides with a node of it.
  int finer_at(std::size_t n, int code) const;

  void find_nodes(const std::vector<Coord>& finer, const std::vector<Matter>& matter);
  void find_neighbors(const std::vector<Coord>& finer, const std::vector<Matter>& matter);
  void sum_matter(const std::vector<Matter>& finer);
  void find_moduli(const std::vector<Matter>& finer, double spacing);
  void assemble();
  void invert_own();
  // Nodes that nothing resists but their own mass: a finer grid does them exactly.
  bool is_left_out(std::size_t n) const { return inverse_[n][0][0] == T(0); }
  Node<T> others(std::size_t n, const Vector& x) const;
  template <class Body>
  void for_nodes(const Body& body) const {
    parallel_for("coarse grid", static_cast<std::int64_t>(size()), 512,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (auto n = static_cast<std::size_t>(begin); n < std::size_t(end); ++n)
                     body(n);
                 });
  }

  Periods periods_{};
  std::vector<Coord> coords_;           // colour by colour
  std::array<int, kColors + 1> first_;  // of each colour
  std::vector<std::array<int, kNeighbors>> neighbors_;
  // On the finer grid: the nodes of the cell that a node is the lowest corner of, and those around
  // the node.
  std::vector<std::array<int, kChildren>> children_;
  std::vector<std::array<int, kNeighbors>> finer_;
  std::vector<Matter> matter_;
  Springs springs_;
  // Of the cells of the finer grid in the cell that a node is the lowest corner of.
  struct Moduli {
    T bulk[kChildren], shear[kChildren];
  };
  std::vector<Moduli> moduli_;
  Buffer<T> stencils_;                // blocks, column by column: most of the memory of a grid
  std::vector<Block> own_, inverse_;  // of the node itself, with mass and springs
};

}  // namespace firn
