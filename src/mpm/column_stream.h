// Prefetching the columns of a particle set. A transfer reads and writes two to four dozen arrays
// side by side, more than a hardware prefetcher follows.
#pragma once

#include <initializer_list>

#include "base/prefetch.h"
#include "particles/particle_set.h"

namespace firn {

template <class T>
class ColumnStream {
 public:
  explicit ColumnStream(std::initializer_list<const Columns<T>*> fields) {
    for (const Columns<T>* field : fields)
      for (int c = 0; c < field->components() && size_ < kMost; ++c) column_[size_++] = (*field)[c];
    // The last round is filled up, so that every SIMD vector asks for the same number of lines.
    for (; size_ % kRounds != 0; ++size_) column_[size_] = column_[0];
  }
  // To be called for each SIMD vector of four particles in turn. One line of a column holds kRounds
  // SIMD vectors: each of them asks for its share of the columns, some way ahead, and together they
  // ask for all.
  FIRN_HOST_INLINE void advance(std::uint32_t p) const {
    const T* const* end = column_ + size_;
    for (const T* const* c = column_ + p / 4 % kRounds; c < end; c += kRounds)
      __builtin_prefetch(*c + p + kAhead);
  }

 private:
  static constexpr int kLine = static_cast<int>(kCacheLine / sizeof(T)), kRounds = kLine / 4;
  static constexpr int kAhead = 4 * kLine, kMost = 64;
  const T* column_[kMost];
  int size_ = 0;
};

}  // namespace firn
