// How the heap of a program is kept.
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace firn {

// Large blocks go back to the system as soon as they are free. By default glibc keeps blocks of the
// sizes that it has once seen freed, and arrays that come and go with a step leave holes between
// them that fit nothing: a tenth of the memory of implicit runs. To be called before there are
// threads.
inline void return_large_blocks() {
#ifdef __GLIBC__
  constexpr int kLarge = 256 << 10;  // bytes
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace firn
