#include "particles/add_remove.h"

#include <algorithm>
#include <map>

#include "particles/sort.h"

namespace firn {
namespace {

// The new particles of one set, by block; in each block in their own order.
using Arrivals = std::map<std::uint64_t, std::vector<std::uint32_t>>;

template <class T, int D>
bool place_arrivals(Particles<T, D>& all, MaterialSet<T, D>& set, std::size_t first,
                    const std::vector<Vec3d>& world, Arrivals& arrivals) {
  for (std::size_t i = 0; i < world.size(); ++i) {
    Vec<T, D> place;
    std::uint64_t key = 0;
    if (!place_in_block<T, D>(all, world[i], key, place)) return false;
    for (int a = 0; a < D; ++a) set.particles.position[a][first + i] = place[a];
    arrivals[key].push_back(static_cast<std::uint32_t>(first + i));
  }
  return true;
}

// Particles of one set in their new order, block by block of `keys`; slot_of[k] is where block k
// was, or -1.
template <class T, int D>
void reorder_set(MaterialSet<T, D>& set, const std::vector<std::uint64_t>& keys,
                 const std::vector<int>& slot_of, const std::vector<char>& removed,
                 const Arrivals& arrivals) {
  std::vector<std::uint32_t> order;
  order.reserve(set.particles.size());
  Buffer<std::uint32_t> begin(keys.size() + 1);
  for (std::size_t b = 0; b < keys.size(); ++b) {
    begin[b] = static_cast<std::uint32_t>(order.size());
    if (slot_of[b] >= 0)
      for (std::uint32_t p = set.begin[slot_of[b]]; p < set.begin[slot_of[b] + 1]; ++p)
        if (removed.empty() || !removed[p]) order.push_back(p);
    const auto found = arrivals.find(keys[b]);
    if (found != arrivals.end())
      order.insert(order.end(), found->second.begin(), found->second.end());
  }
  begin[keys.size()] = static_cast<std::uint32_t>(order.size());
  set.particles.reorder(order.data(), order.size());
  set.begin.swap(begin);
}

template <class T, int D>
bool keeps_any(const Particles<T, D>& all, const ParticleChanges<T, D>& changes, int slot) {
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    const auto& begin = all.sets[s].begin;
    for (std::uint32_t p = begin[slot]; p < begin[slot + 1]; ++p)
      if (changes.removed[s].empty() || !changes.removed[s][p]) return true;
  }
  return false;
}

}  // namespace

template <class T, int D>
bool add_and_remove(Particles<T, D>& all, const ParticleChanges<T, D>& changes) {
  std::vector<Arrivals> arrivals(all.sets.size());
  for (std::size_t s = 0; s < all.sets.size(); ++s)
    if (!place_arrivals(all, all.sets[s], changes.first_new[s], changes.world[s], arrivals[s]))
      return false;
  std::map<std::uint64_t, int> slots;  // of all blocks that will hold particles
  for (int slot = 0; slot < all.blocks.occupied(); ++slot)
    if (keeps_any(all, changes, slot)) slots[all.blocks.key(slot)] = slot;
  for (const Arrivals& more : arrivals)
    for (const auto& entry : more) slots.try_emplace(entry.first, -1);
  std::vector<std::uint64_t> keys;
  std::vector<int> slot_of;
  for (const auto& [key, slot] : slots) {
    keys.push_back(key);
    slot_of.push_back(slot);
  }
  // A block that lost all its particles and gets new ones has no old range to keep.
  for (std::size_t s = 0; s < all.sets.size(); ++s)
    reorder_set(all.sets[s], keys, slot_of, changes.removed[s], arrivals[s]);
  all.blocks.build(keys);
  return true;
}

template <class T, int D>
void regroup_set(MaterialSet<T, D>& set, std::size_t first_new, const std::vector<int>& block_of,
                 const std::vector<char>& removed) {
  if (block_of.empty() && std::none_of(removed.begin(), removed.end(), [](char r) { return r; }))
    return;
  const std::size_t blocks = set.begin.size() - 1;
  std::vector<std::vector<std::uint32_t>> arrivals(blocks);
  for (std::size_t i = 0; i < block_of.size(); ++i)
    arrivals[block_of[i]].push_back(static_cast<std::uint32_t>(first_new + i));
  std::vector<std::uint32_t> order;
  order.reserve(set.particles.size());
  Buffer<std::uint32_t> begin(blocks + 1);
  for (std::size_t b = 0; b < blocks; ++b) {
    begin[b] = static_cast<std::uint32_t>(order.size());
    for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p)
      if (removed.empty() || !removed[p]) order.push_back(p);
    order.insert(order.end(), arrivals[b].begin(), arrivals[b].end());
  }
  begin[blocks] = static_cast<std::uint32_t>(order.size());
  set.particles.reorder(order.data(), order.size());
  set.begin.swap(begin);
}

#define FIRN_INSTANTIATE(T, D)                                                              \
  template bool add_and_remove<T, D>(Particles<T, D>&, const ParticleChanges<T, D>&);       \
  template void regroup_set<T, D>(MaterialSet<T, D>&, std::size_t, const std::vector<int>&, \
                                  const std::vector<char>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
