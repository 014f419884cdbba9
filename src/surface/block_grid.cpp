#include "surface/block_grid.h"

#include <algorithm>

namespace firn {

std::size_t BlockGrid::slot_of(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = (key * 0x9e3779b97f4a7c15ull >> 24) & mask;
  while (slots_[slot] >= 0 && keys_[static_cast<std::size_t>(slots_[slot])] != key)
    slot = (slot + 1) & mask;
  return slot;
}

void BlockGrid::rebuild(std::size_t slots) {
  slots_.assign(slots, -1);
  for (std::size_t i = 0; i < keys_.size(); ++i)
    slots_[slot_of(keys_[i])] = static_cast<std::int32_t>(i);
}

int BlockGrid::insert(const SampleBlockCoord& coord) {
  if (2 * (keys_.size() + 1) > slots_.size()) rebuild(std::max<std::size_t>(64, 2 * slots_.size()));
  const std::uint64_t key = block_key(coord);
  const std::size_t slot = slot_of(key);
  if (slots_[slot] < 0) {
    slots_[slot] = size();
    keys_.push_back(key);
  }
  return slots_[slot];
}

int BlockGrid::find(const SampleBlockCoord& coord) const {
  return slots_.empty() ? -1 : slots_[slot_of(block_key(coord))];
}

void BlockGrid::sort() {
  std::sort(keys_.begin(), keys_.end());
  rebuild(slots_.size());
}

}  // namespace firn
