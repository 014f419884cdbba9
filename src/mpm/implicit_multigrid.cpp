#include "mpm/implicit_multigrid.h"

#include <algorithm>

namespace firn {

template <class T, int D>
void GridMultigrid<T, D>::build(const BlockTopology<D>& blocks, const Buffer<T>& mass,
                                const Vector& bulk, const Vector& shear, double share,
                                double spacing) {
  constexpr int kNodes = BlockShape<D>::kNodes, kEdge = BlockShape<D>::kEdge;
  using Grid = CoarseGrid<T, D>;
  mass_ = &mass;
  std::vector<typename Grid::Coord> coords(mass.size());
  std::vector<typename Grid::Matter> matter(mass.size());
  parallel_for("coarse grids", blocks.size(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (int slot = static_cast<int>(begin); slot < end; ++slot)
      for (int i = 0; i < kNodes; ++i) {
        const std::size_t at = std::size_t(slot) * kNodes + std::size_t(i);
        int rest = i;
        for (int a = D - 1; a >= 0; --a, rest /= kEdge)
          coords[at][a] = blocks.coord(slot)[a] * kEdge + rest % kEdge;
        matter[at] = {mass[at], T(share) * bulk[at][kMassLane], T(share) * shear[at][kMassLane]};
      }
  });
  typename Grid::Periods periods;
  for (int a = 0; a < D; ++a)
    periods[a] = {blocks.periods()[a].first * kEdge, blocks.periods()[a].count * kEdge};
  levels_.clear();
  std::size_t nodes = static_cast<std::size_t>(
      std::count_if(mass.data(), mass.data() + mass.size(), [](T m) { return m > T(0); }));
  double h = spacing;
  while (nodes > kFewNodes && levels_.size() < kMostLevels && Grid::can_halve(periods)) {
    Grid next;
    if (levels_.empty())
      next.build(std::move(coords), std::move(matter), periods, h);
    else
      next.build(levels_.back().grid.coords(), levels_.back().grid.matter(), periods, h);
    if (next.size() == 0 || double(next.size()) > 0.8 * double(nodes)) break;
    nodes = next.size();
    periods = next.periods();
    h *= 2;
    levels_.push_back({std::move(next), Vector(nodes), Vector(nodes), Vector(nodes)});
  }
  springs_.begin(mass.size());
}

template <class T, int D>
void GridMultigrid<T, D>::set_springs() {
  for (std::size_t l = 0; l < levels_.size(); ++l)
    if (l == 0)
      levels_[l].grid.set_springs([&](int i) { return springs_.find(std::size_t(i)); });
    else
      levels_[l].grid.set_springs([&](int i) { return &levels_[l - 1].grid.springs()[i]; });
  springs_.clear();
  factor_coarsest();
}

template <class T, int D>
void GridMultigrid<T, D>::factor_coarsest() {
  coarsest_.begin(0);
  if (levels_.empty() || levels_.back().grid.size() > kMostSolved) return;
  coarsest_.begin(levels_.back().grid.size() * D);
  levels_.back().grid.for_entries([&](std::size_t row, std::size_t column, double value) {
    coarsest_.entry(row, column) = value;
  });
  coarsest_.factor();
}

template <class T, int D>
void GridMultigrid<T, D>::solve_coarsest() {
  Level& on = levels_.back();
  if (coarsest_.size() == 0) {
    std::fill(on.x.data(), on.x.data() + on.x.size(), Node<T>(0));
    for (int k = 0; k < kSweepsAtTheEnd; ++k) on.grid.sweep(on.b, on.x, true);
    for (int k = 0; k < kSweepsAtTheEnd; ++k) on.grid.sweep(on.b, on.x, false);
    return;
  }
  std::vector<double> b(coarsest_.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = double(on.b[i / D][static_cast<int>(i % D)]);
  coarsest_.solve(b);
  for (std::size_t n = 0; n < on.x.size(); ++n) {
    on.x[n] = Node<T>(0);
    for (int a = 0; a < D; ++a) on.x[n].set(a, T(b[n * D + std::size_t(a)]));
  }
}

template <class T, int D>
void GridMultigrid<T, D>::add_correction(const Vector& r, Vector& z) {
  if (levels_.empty()) return;
  const Buffer<T>& mass = *mass_;
  levels_[0].grid.restrict_from([&](int i) { return r[i] * Node<T>(mass[i]); }, levels_[0].b);
  cycle(0);
  levels_[0].grid.prolong(levels_[0].x, [&](int i, const Node<T>& value) { z[i] = z[i] + value; });
}

template <class T, int D>
void GridMultigrid<T, D>::cycle(std::size_t level) {
  if (level + 1 == levels_.size()) return solve_coarsest();
  Level& on = levels_[level];
  std::fill(on.x.data(), on.x.data() + on.x.size(), Node<T>(0));
  on.grid.sweep(on.b, on.x, true);
  on.grid.residual(on.b, on.x, on.r);
  Level& coarser = levels_[level + 1];
  coarser.grid.restrict_from([&](int i) { return on.r[i]; }, coarser.b);
  cycle(level + 1);
  coarser.grid.prolong(coarser.x, [&](int i, const Node<T>& value) { on.x[i] = on.x[i] + value; });
  on.grid.sweep(on.b, on.x, false);
}

template <class T, int D>
std::size_t GridMultigrid<T, D>::bytes() const {
  std::size_t sum = springs_.bytes();
  for (const Level& level : levels_) sum += level.grid.bytes() + 3 * level.b.bytes();
  return sum;
}

template class GridMultigrid<float, 2>;
template class GridMultigrid<float, 3>;
template class GridMultigrid<double, 2>;
template class GridMultigrid<double, 3>;

}  // namespace firn
