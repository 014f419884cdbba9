#include "mpm/coarse_grid.h"

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

int floor_half(int i) {
  return i >> 1;
}

template <int D>
int color_of(const Vec<int, D>& c) {
  int color = 0;
  for (int a = 0; a < D; ++a) color = 2 * color + (c[a] & 1);
  return color;
}

// Rows of the matrix of a cell, corner by corner, for a unit of each modulus in each of its 2^D
// parts, which are looked at in their middles; lengths in cells of the finer grid.
template <int D>
struct CellMatrices {
  static constexpr int kCorners = 1 << D, kRow = kCorners * D * D;
  // [part][corner][(other corner, column, row)]
  float bulk[kCorners][kCorners][kRow], shear[kCorners][kCorners][kRow];

  CellMatrices() {
    for (int part = 0; part < kCorners; ++part) {
      Vec<double, D> g[kCorners];
      for (int corner = 0; corner < kCorners; ++corner)
        g[corner] = part_gradient<double, D>(part, corner);
      for (int a = 0; a < kCorners; ++a)
        for (int b = 0; b < kCorners; ++b)
          for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j) {
              const int at = (b * D + j) * D + i;
              bulk[part][a][at] = float(bulk_entry(g[a], g[b], i, j));
              shear[part][a][at] = float(shear_entry(g[a], g[b], i, j));
            }
    }
  }
};

template <int D>
const CellMatrices<D>& cell_matrices() {
  static const CellMatrices<D> matrices;
  return matrices;
}

}  // namespace

template <class T, int D>
bool CoarseGrid<T, D>::can_halve(const Periods& finer) {
  for (const NodePeriod& p : finer)
    if (p.count > 0 && (p.count % 4 != 0 || p.count < 8 || p.first % 4 != 0)) return false;
  return true;
}

template <class T, int D>
int CoarseGrid<T, D>::finer_at(std::size_t n, int code) const {
  // A step back leads to the upper child of the neighbour there.
  int owner = 0, child = 0, digits = code, scale = 1;
  for (int a = D - 1; a >= 0; --a, digits /= 3, scale *= 3) {
    const int step = digits % 3 - 1;
    owner += (step < 0 ? 0 : 1) * scale;
    if (step != 0) child |= 1 << (D - 1 - a);
  }
  const int at = neighbors_[n][owner];
  return at >= 0 ? children_[at][child] : -1;
}

template <class T, int D>
void CoarseGrid<T, D>::build(std::vector<Coord> finer, std::vector<Matter> matter,
                             const Periods& periods, double spacing) {
  for (int a = 0; a < D; ++a) periods_[a] = {periods[a].first / 2, periods[a].count / 2};
  find_nodes(finer, matter);
  find_neighbors(finer, matter);
  finer = {};  // the matrix is large: room for it
  sum_matter(matter);
  find_moduli(matter, spacing);
  matter = {};
  assemble();
}

template <class T, int D>
void CoarseGrid<T, D>::find_nodes(const std::vector<Coord>& finer,
                                  const std::vector<Matter>& matter) {
  std::vector<Coord> found;
  PlaceTable<D> table(finer.size() / 4);
  for (std::size_t i = 0; i < finer.size(); ++i) {
    if (!(matter[i].mass > T(0))) continue;
    for (int o = 0; o < kChildren; ++o) {
      Coord c;
      bool is_parent = true;
      for (int a = 0; a < D; ++a) {
        c[a] = floor_half(finer[i][a]) + bit_of<D>(o, a);
        is_parent = is_parent && (bit_of<D>(o, a) == 0 || (finer[i][a] & 1));
      }
      if (is_parent) table.insert(found, wrapped<D>(c, periods_));
    }
  }
  coords_.clear();
  for (int color = 0; color < kColors; ++color) {
    first_[color] = static_cast<int>(coords_.size());
    for (const Coord& c : found)
      if (color_of<D>(c) == color) coords_.push_back(c);
  }
  first_[kColors] = static_cast<int>(coords_.size());
}

template <class T, int D>
void CoarseGrid<T, D>::find_neighbors(const std::vector<Coord>& finer,
                                      const std::vector<Matter>& matter) {
  std::vector<Coord> places;
  PlaceTable<D> table(size());
  for (const Coord& c : coords_) table.insert(places, c);
  neighbors_.resize(size());
  children_.resize(size());
  for_nodes([&](std::size_t n) {
    for (int code = 0; code < kNeighbors; ++code) {
      const Vec<int, D> offset = neighbor_offset<D>(code);
      Coord c;
      for (int a = 0; a < D; ++a) c[a] = coords_[n][a] + offset[a];
      neighbors_[n][code] = table.find(places, wrapped<D>(c, periods_));
    }
    children_[n].fill(-1);
  });
  for (std::size_t i = 0; i < finer.size(); ++i) {
    if (!(matter[i].mass > T(0))) continue;
    Coord c;
    for (int a = 0; a < D; ++a) c[a] = floor_half(finer[i][a]);
    children_[table.find(places, c)][color_of<D>(finer[i])] = static_cast<int>(i);
  }
  finer_.resize(size());
  for_nodes([&](std::size_t n) {
    for (int code = 0; code < kNeighbors; ++code) finer_[n][code] = finer_at(n, code);
  });
}

template <class T, int D>
void CoarseGrid<T, D>::sum_matter(const std::vector<Matter>& finer) {
  matter_.resize(size());
  for_nodes([&](std::size_t n) {
    Matter sum;
    for (int code = 0; code < kNeighbors; ++code) {
      const int from = finer_[n][code];
      if (from < 0) continue;
      const T share = kShares[code];
      sum.mass += share * finer[from].mass;
      sum.bulk += share * finer[from].bulk;
      sum.shear += share * finer[from].shear;
    }
    matter_[n] = sum;
  });
}

// A node's moduli belong to the cells around it in equal shares; to those only whose corners are
// all there.
template <class T, int D>
void CoarseGrid<T, D>::find_moduli(const std::vector<Matter>& finer, double spacing) {
  moduli_.resize(size());
  const T scale = T(1 / (spacing * spacing * kChildren));
  for_nodes([&](std::size_t n) {
    // Corners of the parts: those of the finer grid at 0, 1, 2 along each axis.
    int corners[kNeighbors];
    for (int k = 0; k < kNeighbors; ++k) {
      int owner, code;
      owner_in_cell<D>(k, owner, code);
      const int at = neighbors_[n][owner];
      corners[k] = at >= 0 ? finer_[at][code] : -1;
    }
    for (int part = 0; part < kChildren; ++part) {
      T bulk = T(0), shear = T(0);
      bool whole = true;
      for (int o = 0; o < kChildren && whole; ++o) {
        const int k = corner_of_part<D>(part, o);
        whole = corners[k] >= 0;
        if (!whole) continue;
        bulk += finer[corners[k]].bulk;
        shear += finer[corners[k]].shear;
      }
      moduli_[n].bulk[part] = whole ? scale * bulk : T(0);
      moduli_[n].shear[part] = whole ? scale * shear : T(0);
    }
  });
}

template <class T, int D>
void CoarseGrid<T, D>::assemble() {
  constexpr int kRow = CellMatrices<D>::kRow;
  const CellMatrices<D>& of_cell = cell_matrices<D>();
  constexpr int kBlock = D * D;
  stencils_.resize(size() * kNeighbors * kBlock);
  for_nodes([&](std::size_t n) {
    T* const blocks = stencils_.data() + n * kNeighbors * kBlock;
    std::fill(blocks, blocks + kNeighbors * kBlock, T(0));
    for (int corner = 0; corner < kChildren; ++corner) {
      // The cell of which the node is this corner.
      const int cell = neighbors_[n][kNeighbors - 1 - towards<D>(corner)];
      if (cell < 0) continue;
      T row[kRow] = {};
      for (int part = 0; part < kChildren; ++part) {
        const T bulk = moduli_[cell].bulk[part], shear = moduli_[cell].shear[part];
        if (!(bulk > T(0)) && !(shear > T(0))) continue;
        const float* of_bulk = of_cell.bulk[part][corner];
        const float* of_shear = of_cell.shear[part][corner];
        for (int k = 0; k < kRow; ++k) row[k] += bulk * T(of_bulk[k]) + shear * T(of_shear[k]);
      }
      for (int other = 0; other < kChildren; ++other) {
        T* const block = blocks + between_corners<D>(corner, other) * kBlock;
        for (int k = 0; k < kBlock; ++k) block[k] += row[other * kBlock + k];
      }
    }
  });
}

template <class T, int D>
void CoarseGrid<T, D>::invert_own() {
  own_.resize(size());
  inverse_.resize(size());
  for_nodes([&](std::size_t n) {
    const OwnBlock<D> own = own_block<T, D>(
        [&](int i, int j) { return column_of(n, kMiddle, j)[i]; }, springs_[n], matter_[n].mass);
    for (int j = 0; j < D; ++j) {
      own_[n][j] = inverse_[n][j] = Node<T>(0);
      for (int i = 0; i < D; ++i) {
        own_[n][j].set(i, T(own.whole(i, j)));
        inverse_[n][j].set(i, T(own.inverse(i, j)));
      }
    }
  });
}

template <class T, int D>
Node<T> CoarseGrid<T, D>::others(std::size_t n, const Vector& x) const {
  Node<T> sum(0);
  for (int code = 0; code < kNeighbors; ++code) {
    const int at = neighbors_[n][code];
    if (at < 0 || code == kMiddle) continue;
    const Node<T> there = x[at];
    for (int j = 0; j < D; ++j) sum = sum + column_of(n, code, j) * Node<T>(there[j]);
  }
  return sum;
}

template <class T, int D>
void CoarseGrid<T, D>::sweep(const Vector& b, Vector& x, bool forwards) const {
  for (int k = 0; k < kColors; ++k) {
    const int color = forwards ? k : kColors - 1 - k;
    parallel_for("sweep", first_[color + 1] - first_[color], 128,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::size_t n = std::size_t(first_[color] + i);
                     const Node<T> r = b[n] - others(n, x);
                     Node<T> sum(0);
                     for (int j = 0; j < D; ++j) sum = sum + inverse_[n][j] * Node<T>(r[j]);
                     x[n] = sum;
                   }
                 });
  }
}

template <class T, int D>
void CoarseGrid<T, D>::residual(const Vector& b, const Vector& x, Vector& r) const {
  for_nodes([&](std::size_t n) {
    const bool left_out = is_left_out(n);
    Node<T> sum = left_out ? Node<T>(0) : b[n] - others(n, x);
    for (int j = 0; j < D && !left_out; ++j) sum = sum - own_[n][j] * Node<T>(x[n][j]);
    r[n] = sum;
  });
}

template <class T, int D>
std::size_t CoarseGrid<T, D>::bytes() const {
  return size() * (sizeof(Coord) + 2 * sizeof(neighbors_[0]) + sizeof(children_[0]) +
                   sizeof(Matter) + sizeof(SymMat<T, D>) + sizeof(Moduli) + 2 * sizeof(Block)) +
         stencils_.bytes();
}

template class CoarseGrid<float, 2>;
template class CoarseGrid<float, 3>;
template class CoarseGrid<double, 2>;
template class CoarseGrid<double, 3>;

}  // namespace firn
