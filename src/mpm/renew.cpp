#include "mpm/renew.h"

#include <algorithm>
#include <map>

#include "mpm/sort.h"

namespace firn {
namespace {

// The new particles of one set, by block; in each block in their own order.
using Arrivals = std::map<std::uint64_t, std::vector<std::uint32_t>>;

template <class T, int D>
bool place_arrivals(MpmState<T, D>& state, MaterialSet<T, D>& set, std::size_t first,
                    const std::vector<Vec3d>& world, double h, double shift, Arrivals& arrivals) {
  for (std::size_t i = 0; i < world.size(); ++i) {
    Vec<T, D> place;
    std::uint64_t key = 0;
    if (!place_in_block<T, D>(state, world[i], h, shift, key, place)) return false;
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
bool keeps_any(const MpmState<T, D>& state, const Renewal<T, D>& renewal, int slot) {
  for (std::size_t s = 0; s < state.sets.size(); ++s) {
    const auto& begin = state.sets[s].begin;
    for (std::uint32_t p = begin[slot]; p < begin[slot + 1]; ++p)
      if (renewal.removed[s].empty() || !renewal.removed[s][p]) return true;
  }
  return false;
}

}  // namespace

template <class T, int D>
bool renew_particles(MpmState<T, D>& state, const Renewal<T, D>& renewal, double h, double shift) {
  std::vector<Arrivals> arrivals(state.sets.size());
  for (std::size_t s = 0; s < state.sets.size(); ++s)
    if (!place_arrivals(state, state.sets[s], renewal.first_new[s], renewal.world[s], h, shift,
                        arrivals[s]))
      return false;
  std::map<std::uint64_t, int> slots;  // of all blocks that will hold particles
  for (int slot = 0; slot < state.blocks.occupied(); ++slot)
    if (keeps_any(state, renewal, slot)) slots[state.blocks.key(slot)] = slot;
  for (const Arrivals& more : arrivals)
    for (const auto& entry : more) slots.try_emplace(entry.first, -1);
  std::vector<std::uint64_t> keys;
  std::vector<int> slot_of;
  for (const auto& [key, slot] : slots) {
    keys.push_back(key);
    slot_of.push_back(slot);
  }
  // A block that lost all its particles and gets new ones has no old range to keep.
  for (std::size_t s = 0; s < state.sets.size(); ++s)
    reorder_set(state.sets[s], keys, slot_of, renewal.removed[s], arrivals[s]);
  state.blocks.build(keys);
  return true;
}

#define FIRN_INSTANTIATE(T, D) \
  template bool renew_particles<T, D>(MpmState<T, D>&, const Renewal<T, D>&, double, double);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
