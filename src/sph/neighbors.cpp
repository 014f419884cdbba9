#include "sph/neighbors.h"

#include <algorithm>
#include <atomic>
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
bool NeighborLists<T, D>::order(const Particles<T, D>& all, FlatParticles<T, D>& flat) {
  const int blocks = all.blocks.occupied();
  if (all.count() >= Neighbor::kMost) return false;
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
  return true;
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

// Those within the support, behind those that `near` has already.
template <class T, int D>
void NeighborLists<T, D>::find_near(const BlockTopology<D>& blocks, const FlatParticles<T, D>& flat,
                                    int block, std::uint32_t i,
                                    std::vector<std::uint32_t>& near) const {
  using S = Simd<T, kTogether>;
  const Four<T> here = flat.place[i];
  for_runs(blocks, block, here, [&](int seen, std::uint32_t first, std::uint32_t last) {
    T from[D];
    for (int a = 0; a < D; ++a) from[a] = here[a] - offset_[a].value[seen];
    std::size_t used = near.size();
    near.resize(used + (last - first) + kTogether);
    for (std::uint32_t j = first; j < last; j += kTogether) {
      S there[4];
      load_lanes(flat.place.data(), std::size_t(j), 1, there);
      S r2(T(0));
      for (int a = 0; a < D; ++a) r2 = r2 + square(S(from[a]) - there[a]);
      const int count = static_cast<int>(std::min<std::uint32_t>(kTogether, last - j));
      const std::uint32_t self = i - j;  // its lane
      used += append_lanes(r2 < S(T(1)), count, self, Neighbor::make(j, seen), near.data() + used);
    }
    near.resize(used);
  });
}

// Of some packs: their lists one after the other, and then as rows.
template <class T, int D>
struct NeighborLists<T, D>::Lists {
  std::vector<std::uint32_t> near, rows;
};

template <class T, int D>
void NeighborLists<T, D>::list_pack(const BlockTopology<D>& blocks, const FlatParticles<T, D>& flat,
                                    std::size_t pack, int& block, Lists& lists) {
  const std::size_t begin = pack * kTogether;
  const int particles = static_cast<int>(std::min<std::size_t>(kTogether, flat.count - begin));
  std::size_t end[kTogether], most = 0;
  lists.near.clear();
  for (int k = 0; k < particles; ++k) {
    const std::uint32_t i = static_cast<std::uint32_t>(begin) + k;
    while (i >= flat.begin[block + 1]) ++block;
    const std::size_t before = lists.near.size();
    find_near(blocks, flat, block, i, lists.near);
    end[k] = lists.near.size();
    most = std::max(most, end[k] - before);
  }
  const std::uint32_t nobody =
      Neighbor::make(static_cast<std::uint32_t>(flat.count), BlockShape<D>::kNeighbors / 2);
  const std::size_t at = lists.rows.size();
  lists.rows.resize(at + most * kTogether, nobody);
  const std::uint32_t* from = lists.near.data();
  for (int k = 0; k < particles; ++k) {
    std::uint32_t* to = lists.rows.data() + at + k;
    for (const std::uint32_t* last = lists.near.data() + end[k]; from != last; to += kTogether)
      *to = *from++;
  }
  rows_[pack] = static_cast<std::uint32_t>(most);
}

template <class T, int D>
void NeighborLists<T, D>::list(const BlockTopology<D>& blocks, const FlatParticles<T, D>& flat) {
  constexpr std::int64_t kPiece = 16;  // packs
  const std::size_t packs = (flat.count + kTogether - 1) / kTogether;
  first_.resize(packs);
  rows_.resize(packs);
  for (;;) {
    std::atomic<std::size_t> used{0};
    const std::size_t room = list_.size() / kTogether;
    const auto list_packs = [&](std::int64_t begin, std::int64_t end) {
      Lists lists;
      const std::uint32_t* after =
          std::upper_bound(flat.begin.begin(), flat.begin.end(), begin * kTogether);
      int block = static_cast<int>(after - flat.begin.begin()) - 1;
      for (std::int64_t pack = begin; pack < end; ++pack)
        list_pack(blocks, flat, pack, block, lists);
      const std::size_t rows = lists.rows.size() / kTogether;
      std::size_t first = used.fetch_add(rows);
      if (first + rows > room) return;
      std::copy(lists.rows.begin(), lists.rows.end(), list_.data() + first * kTogether);
      for (std::int64_t pack = begin; pack < end; ++pack) {
        first_[pack] = static_cast<std::uint32_t>(first);
        first += rows_[pack];
      }
    };
    parallel_for("list neighbours", static_cast<std::int64_t>(packs), kPiece, list_packs);
    if (used <= room) return;
    list_ = {};
    slope_ = {};
    list_.resize((used + used / 16) * kTogether);
    slope_.resize(list_.size() * D);
  }
}

template class NeighborLists<float, 2>;
template class NeighborLists<float, 3>;
template class NeighborLists<double, 2>;
template class NeighborLists<double, 3>;

}  // namespace firn
