// Asking for memory before it is needed.
#pragma once

#include <cstddef>

#include "base/macros.h"

namespace firn {

constexpr std::size_t kCacheLine = 64;

// The cache lines of p[0, n).
template <class T>
FIRN_HOST_INLINE void prefetch_range(const T* p, std::size_t n) {
  const char* c = reinterpret_cast<const char*>(p);
  for (std::size_t byte = 0; byte < n * sizeof(T); byte += kCacheLine) __builtin_prefetch(c + byte);
}

}  // namespace firn
