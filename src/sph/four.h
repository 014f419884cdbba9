// Four numbers side by side: what one particle has that its neighbours look at, in one load.
#pragma once

#include "base/macros.h"

namespace firn {

template <class T>
struct alignas(4 * sizeof(T)) Four {
  T e[4];
  FIRN_INLINE T& operator[](int i) { return e[i]; }
  FIRN_INLINE const T& operator[](int i) const { return e[i]; }
};

}  // namespace firn
