// A few numbers of one cell, put into an order.
#pragma once

#include <cstdint>

namespace firn {

// numbers[begin] to numbers[end - 1] in ascending order of id_of(number).
template <class IdOf>
__device__ void sort_by_id(std::uint32_t* numbers, std::uint32_t begin, std::uint32_t end,
                           IdOf&& id_of) {
  for (std::uint32_t k = begin + 1; k < end; ++k) {
    const std::uint32_t mine = numbers[k];
    const unsigned long long id = id_of(mine);
    std::uint32_t at = k;
    for (; at > begin && id_of(numbers[at - 1]) > id; --at) numbers[at] = numbers[at - 1];
    numbers[at] = mine;
  }
}

}  // namespace firn
