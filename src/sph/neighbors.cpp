#include "sph/neighbors.h"

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

// Of the cell that a place in a block lies in; rounding may have left it just outside.
template <class T, int D>
Vec<int, D> cell_of(const Four<T>& place) {
  Vec<int, D> cell;
  for (int a = 0; a < D; ++a)
    cell[a] = std::clamp(static_cast<int>(place[a]), 0, BlockShape<D>::kEdge - 1);
  return cell;
}
template <int D>
int cell_index(const Vec<int, D>& cell) {
  int index = 0;
  for (int a = 0; a < D; ++a) index = index * BlockShape<D>::kEdge + cell[a];
  return index;
}

}  // namespace

template <class T, int D>
NeighborLists<T, D>::NeighborLists() : offset_{} {
  for (int code = 0; code < BlockShape<D>::kNeighbors; ++code) {
    const Vec<int, D> offset = neighbor_offset<D>(code);
    for (int a = 0; a < D; ++a) offset_[a].value[code] = T(offset[a] * kEdge);
  }
}

// By block, then by cell, then by set: each block counts its own.
template <class T, int D>
void NeighborLists<T, D>::order(const Particles<T, D>& all, FlatParticles<T, D>& flat) {
  const int blocks = all.blocks.occupied();
  flat.resize(all.count());
  flat.begin.resize(blocks + 1);
  flat.begin[0] = 0;
  for (int b = 0; b < blocks; ++b) {
    flat.begin[b + 1] = flat.begin[b];
    for (const auto& set : all.sets) flat.begin[b + 1] += set.begin[b + 1] - set.begin[b];
  }
  cell_begin_.resize(std::size_t(blocks) * kCells + 1);
  cell_begin_[std::size_t(blocks) * kCells] = static_cast<std::uint32_t>(flat.count);
  parallel_for("order by cells", blocks, 16, [&](std::int64_t first, std::int64_t last) {
    std::vector<int> cells;
    for (std::int64_t b = first; b < last; ++b) {
      const auto for_all = [&](auto&& f) {
        std::size_t k = 0;
        for (std::size_t s = 0; s < all.sets.size(); ++s)
          for (std::uint32_t p = all.sets[s].begin[b]; p < all.sets[s].begin[b + 1]; ++p)
            f(k++, s, p);
      };
      std::uint32_t at[kCells + 1] = {};
      cells.resize(flat.begin[b + 1] - flat.begin[b]);
      for_all([&](std::size_t k, std::size_t s, std::uint32_t p) {
        Four<T> place{};
        for (int a = 0; a < D; ++a) place[a] = all.sets[s].particles.position[a][p];
        cells[k] = cell_index<D>(cell_of<T, D>(place));
        ++at[cells[k] + 1];
      });
      for (int c = 0; c < kCells; ++c) {
        cell_begin_[b * kCells + c] = flat.begin[b] + at[c];
        at[c + 1] += at[c];
      }
      for_all([&](std::size_t k, std::size_t s, std::uint32_t p) {
        const std::uint32_t to = flat.begin[b] + at[cells[k]]++;
        flat.row[to] = p;
        flat.set[to] = static_cast<std::uint16_t>(s);
      });
    }
  });
}

// Cells along the last axis follow each other, so that those of one block are one run.
template <class T, int D>
template <class F>
void NeighborLists<T, D>::for_runs(const BlockTopology<D>& blocks, int block, const Four<T>& place,
                                   F&& f) const {
  Vec<int, D> low, high, cell;
  for (int a = 0; a < D; ++a) {
    low[a] = static_cast<int>(std::floor(place[a] - T(kListReach)));
    high[a] = static_cast<int>(std::floor(place[a] + T(kListReach)));
  }
  const auto beyond = [](int c) { return c < 0 ? -1 : c >= kEdge ? 1 : 0; };
  for (cell = low; cell[0] <= high[0];) {
    const int side = beyond(cell[D - 1]);
    const int last = std::min(high[D - 1], (side + 1) * kEdge - 1);
    Vec<int, D> seen, inside;
    for (int a = 0; a < D; ++a) {
      seen[a] = beyond(cell[a]);
      inside[a] = cell[a] - seen[a] * kEdge;
    }
    const int code = neighbor_code<D>(seen);
    const std::int32_t slot = blocks.neighbors(block)[code];
    if (slot >= 0 && slot < blocks.occupied()) {
      const std::size_t c = std::size_t(slot) * kCells + cell_index<D>(inside);
      f(code, cell_begin_[c], cell_begin_[c + (last - cell[D - 1]) + 1]);
    }
    cell[D - 1] = last + 1;
    for (int a = D - 1; a > 0 && cell[a] > high[a]; --a) {
      cell[a] = low[a];
      ++cell[a - 1];
    }
  }
}

template <class T, int D>
template <class F>
void NeighborLists<T, D>::for_near(const Particles<T, D>& all, const FlatParticles<T, D>& flat,
                                   int block, std::size_t i, F&& f) const {
  constexpr T kReach2 = T(kListReach * kListReach);
  const Four<T> here = flat.place[i];
  for_runs(all.blocks, block, here, [&](int seen, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t j = first; j < last; ++j) {
      T r2 = 0;
      for (int a = 0; a < D; ++a) r2 += square(here[a] - flat.place[j][a] - offset_[a].value[seen]);
      if (r2 < kReach2 && j != i) f(Neighbor::make(j, seen));
    }
  });
}

template <class T, int D>
bool NeighborLists<T, D>::build(const Particles<T, D>& all, FlatParticles<T, D>& flat) {
  order(all, flat);
  if (flat.count >= Neighbor::kMost) return false;
  flat.load(all);
  const int blocks = all.blocks.occupied();
  first_.resize(flat.count + 1);
  const auto for_particles = [&](const char* name, auto&& f) {
    parallel_for(name, blocks, 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b)
        for (std::uint32_t i = flat.begin[b]; i < flat.begin[b + 1]; ++i) f(static_cast<int>(b), i);
    });
  };
  for_particles("count neighbours", [&](int b, std::uint32_t i) {
    std::uint64_t count = 0;
    for_near(all, flat, b, i, [&](std::uint32_t) { ++count; });
    first_[i + 1] = (count + kTogether - 1) / kTogether * kTogether;
  });
  first_[0] = 0;
  for (std::size_t i = 0; i < flat.count; ++i) first_[i + 1] += first_[i];
  list_.resize(first_[flat.count]);
  const std::uint32_t nobody =
      Neighbor::make(static_cast<std::uint32_t>(flat.count), BlockShape<D>::kNeighbors / 2);
  for_particles("list neighbours", [&](int b, std::uint32_t i) {
    std::uint32_t* to = list_.data() + first_[i];
    for_near(all, flat, b, i, [&](std::uint32_t n) { *to++ = n; });
    std::fill(to, list_.data() + first_[i + 1], nobody);
  });
  return true;
}

template class NeighborLists<float, 2>;
template class NeighborLists<float, 3>;
template class NeighborLists<double, 2>;
template class NeighborLists<double, 3>;

}  // namespace firn
