// Particles on their way to a device. For the host alone.
#pragma once

#include <map>

#include "particles/sort.h"
#include "solver/solver.h"

namespace firn {

// The blocks of positions; false where one is too far away. `places` may be null.
template <class T, int D>
bool find_blocks(const Particles<T, D>& space, const std::vector<Vec3d>& positions,
                 std::vector<BlockCoord<D>>& blocks, ParticleSet<T, D>* places = nullptr) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::uint64_t key = 0;
    Vec<T, D> place;
    if (!place_in_block<T, D>(space, positions[i], key, place)) return false;
    blocks.push_back(morton_coord<D>(key));
    for (int a = 0; a < D && places; ++a) places->position[a][i] = place[a];
  }
  return true;
}

// Particles that come and go between two steps.
template <class T, int D>
struct DeviceExchange {
  const std::vector<MaterialSet<T, D>>* fresh = nullptr;  // new ones, at places in their blocks
  std::vector<std::vector<BlockCoord<D>>> blocks;         // of each of them
  std::vector<bool> open_sinks;
};

// Puts new particles into their blocks; false where one is too far away.
template <class T, int D>
bool place_new(ParticleTraffic<T, D>& traffic, DeviceExchange<T, D>& exchange) {
  auto& sets = traffic.fresh.sets;
  exchange.blocks.resize(sets.size());
  for (std::size_t s = 0; s < sets.size(); ++s)
    if (!find_blocks(traffic.fresh, traffic.world[s], exchange.blocks[s], &sets[s].particles))
      return false;
  return true;
}

// Different blocks of new particles; particle i of set s is in of_block[s][i] of them.
template <int D>
struct NewBlocks {
  std::vector<BlockCoord<D>> coords;
  std::vector<std::vector<std::int32_t>> of_block;
};
template <class T, int D>
NewBlocks<D> blocks_of(const DeviceExchange<T, D>& exchange) {
  NewBlocks<D> blocks;
  std::map<std::uint64_t, std::int32_t> numbers;
  for (const auto& set : exchange.blocks) {
    blocks.of_block.emplace_back();
    for (const BlockCoord<D>& coord : set) {
      const auto [found, is_new] = numbers.try_emplace(
          morton_key<D>(coord), static_cast<std::int32_t>(blocks.coords.size()));
      if (is_new) blocks.coords.push_back(coord);
      blocks.of_block.back().push_back(found->second);
    }
  }
  return blocks;
}

}  // namespace firn
