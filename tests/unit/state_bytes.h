// All columns of all particles as bytes.
#pragma once

#include <vector>

#include "mpm/state.h"

namespace firn {

using Bytes = std::vector<unsigned char>;

template <class T, int D>
Bytes bytes_of(const MpmState<T, D>& state) {
  Bytes bytes;
  for (const auto& set : state.sets)
    set.particles.for_each_field([&](const char*, const auto& columns) {
      for (int c = 0; c < columns.components(); ++c) {
        const auto* first = reinterpret_cast<const unsigned char*>(columns[c]);
        bytes.insert(bytes.end(), first, first + set.particles.size() * sizeof(columns[c][0]));
      }
    });
  return bytes;
}

}  // namespace firn
