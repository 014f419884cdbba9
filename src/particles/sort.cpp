#include "particles/sort.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "particles/drift.h"

namespace firn {
namespace {

// Block coordinates that a Morton key can hold, with room for neighbours.
template <int D>
constexpr double kMaxBlock = D == 3 ? 1 << 19 : 1 << 29;

template <class T, int D>
struct Placed {
  std::uint64_t key;
  std::uint32_t index;
};

template <int D>
using Counts = std::array<std::uint32_t, BlockShape<D>::kNeighbors>;

// Neighbour code of the block a drifted position now lies in.
template <class T, int D>
FIRN_INLINE int drift_code(const ParticleSet<T, D>& set, std::size_t p, Vec<int, D>& shift) {
  for (int a = 0; a < D; ++a) shift[a] = drift_step<D>(set.position[a][p]);
  return neighbor_code<D>(shift);
}

// How many particles each occupied block sends to each of its neighbours, itself included.
template <class T, int D>
void count_movers(const Particles<T, D>& all, const MaterialSet<T, D>& set,
                  std::vector<Counts<D>>& counts) {
  parallel_for("count movers", all.blocks.occupied(), 16,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t b = begin; b < end; ++b) {
                   Counts<D>& count = counts[b];
                   count.fill(0);
                   Vec<int, D> shift;
                   for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p)
                     ++count[drift_code(set.particles, p, shift)];
                 }
               });
}

// Turns counts into the first index that each (source block, neighbour code) writes to.
template <int D>
void place_movers(const BlockTopology<D>& blocks, const std::vector<std::int32_t>& new_blocks,
                  std::vector<Counts<D>>& counts, Buffer<std::uint32_t>& new_begin) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  new_begin.resize(new_blocks.size() + 1);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < new_blocks.size(); ++i) {
    new_begin[i] = next;
    for (int code = 0; code < kNeighbors; ++code) {
      // The block at `code` from here sends its particles in the opposite direction.
      const std::int32_t source = blocks.neighbors(new_blocks[i])[code];
      if (source < 0 || source >= blocks.occupied()) continue;
      std::uint32_t& count = counts[source][kNeighbors - 1 - code];
      const std::uint32_t here = count;
      count = next;
      next += here;
    }
  }
  new_begin[new_blocks.size()] = next;
}

template <class T, int D>
void move_particles(const Particles<T, D>& all, MaterialSet<T, D>& set,
                    std::vector<Counts<D>>& targets) {
  Buffer<std::uint32_t> order(set.particles.size());
  parallel_for("place movers", all.blocks.occupied(), 16,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t b = begin; b < end; ++b) {
                   Vec<int, D> shift;
                   for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) {
                     order[targets[b][drift_code(set.particles, p, shift)]++] = p;
                     for (int a = 0; a < D; ++a) {
                       T& place = set.particles.position[a][p];
                       place = place_after_drift<D>(place, shift[a]);
                     }
                   }
                 }
               });
  set.particles.reorder(order.data());
}

}  // namespace

template <class T, int D>
bool place_in_block(const Particles<T, D>& all, const Vec3d& x, std::uint64_t& key,
                    Vec<T, D>& place) {
  constexpr int kEdge = BlockShape<D>::kEdge;
  BlockCoord<D> c;
  for (int a = 0; a < D; ++a) {
    const double cells = x[a] / all.spacing - all.shift, block = std::floor(cells / kEdge);
    if (!(std::abs(block) < kMaxBlock<D>)) return false;
    c[a] = static_cast<std::int32_t>(block);
    place[a] = std::min(static_cast<T>(cells - block * kEdge), std::nextafter(T(kEdge), T(0)));
  }
  key = morton_key<D>(all.blocks.wrapped(c));
  return true;
}

template <class T, int D>
bool sort_from_world(Particles<T, D>& all, const std::vector<std::vector<Vec3d>>& world) {
  std::vector<std::vector<Placed<T, D>>> placed(world.size());
  std::vector<std::uint64_t> keys;
  for (std::size_t s = 0; s < world.size(); ++s) {
    placed[s].resize(world[s].size());
    for (std::size_t i = 0; i < world[s].size(); ++i) {
      Vec<T, D> place;
      if (!place_in_block(all, world[s][i], placed[s][i].key, place)) return false;
      for (int a = 0; a < D; ++a) all.sets[s].particles.position[a][i] = place[a];
      placed[s][i].index = static_cast<std::uint32_t>(i);
    }
    std::stable_sort(placed[s].begin(), placed[s].end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    for (std::size_t i = 0; i < placed[s].size(); ++i)
      if (i == 0 || placed[s][i].key != placed[s][i - 1].key) keys.push_back(placed[s][i].key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  all.blocks.build(keys);
  for (std::size_t s = 0; s < world.size(); ++s) {
    MaterialSet<T, D>& set = all.sets[s];
    set.begin.resize(keys.size() + 1);
    Buffer<std::uint32_t> order(placed[s].size());
    std::size_t i = 0;
    for (std::size_t b = 0; b < keys.size(); ++b) {
      set.begin[b] = static_cast<std::uint32_t>(i);
      for (; i < placed[s].size() && placed[s][i].key == keys[b]; ++i)
        order[i] = placed[s][i].index;
    }
    set.begin[keys.size()] = static_cast<std::uint32_t>(i);
    set.particles.reorder(order.data());
  }
  all.drift = 0;
  return true;
}

template <class T, int D>
void sort_after_drift(Particles<T, D>& all) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  const BlockTopology<D>& blocks = all.blocks;
  std::vector<std::vector<Counts<D>>> counts(all.sets.size());
  std::vector<char> used(blocks.size(), 0);
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    counts[s].resize(blocks.occupied());
    count_movers(all, all.sets[s], counts[s]);
    for (int b = 0; b < blocks.occupied(); ++b)
      for (int code = 0; code < kNeighbors; ++code)
        if (counts[s][b][code] > 0) used[blocks.neighbors(b)[code]] = 1;
  }
  std::vector<std::int32_t> new_blocks;
  for (int slot = 0; slot < blocks.size(); ++slot)
    if (used[slot]) new_blocks.push_back(slot);
  std::sort(new_blocks.begin(), new_blocks.end(),
            [&](int a, int b) { return blocks.key(a) < blocks.key(b); });
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    MaterialSet<T, D>& set = all.sets[s];
    Buffer<std::uint32_t> new_begin;
    place_movers<D>(blocks, new_blocks, counts[s], new_begin);
    move_particles(all, set, counts[s]);
    set.begin.swap(new_begin);
  }
  std::vector<std::uint64_t> keys(new_blocks.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = blocks.key(new_blocks[i]);
  all.blocks.build(keys);
  all.drift = 0;
}

template <class T, int D>
bool sort_after_flight(Particles<T, D>& all) {
  std::vector<std::vector<Vec3d>> world(all.sets.size());
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    const MaterialSet<T, D>& set = all.sets[s];
    world[s].resize(set.particles.size());
    parallel_for("places", all.blocks.occupied(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (int b = static_cast<int>(begin); b < end; ++b)
        for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p)
          world[s][p] = world_position(all, set.particles, b, p);
    });
  }
  return sort_from_world(all, world);
}

#define FIRN_INSTANTIATE(T, D)                                                                   \
  template bool place_in_block<T, D>(const Particles<T, D>&, const Vec3d&, std::uint64_t&,       \
                                     Vec<T, D>&);                                                \
  template bool sort_from_world<T, D>(Particles<T, D>&, const std::vector<std::vector<Vec3d>>&); \
  template void sort_after_drift<T, D>(Particles<T, D>&);                                        \
  template bool sort_after_flight<T, D>(Particles<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
