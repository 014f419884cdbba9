// The order of particles by id, over several sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace firn {

struct IdList {
  const std::uint64_t* ids;
  std::size_t count;
};

// For each list the rank of each of its ids among all. Ids are nearly consecutive, as they are
// given one after the other and only removals leave gaps: counting takes linear time. Where they
// are not, or one occurs twice, they are sorted.
std::vector<std::vector<std::uint32_t>> ranks_by_id(const std::vector<IdList>& lists);

}  // namespace firn
