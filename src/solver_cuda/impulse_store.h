// What particles give to obstacles: six sums for each owner of colliders, on the device and here.
#pragma once

#include <algorithm>

#include "collision/collider.h"
#include "cuda/exact_sum.h"
#include "cuda/memory.h"

namespace firn {

class ImpulseStore {
 public:
  // exact: the sums are the same in whatever order the terms come.
  void set(const std::vector<Collider>& colliders, bool exact) {
    int owners = 0;
    for (const Collider& c : colliders) owners = std::max(owners, c.owner + 1);
    sums_.allocate(6 * std::size_t(owners));
    found_.allocate(sums_.size());
    digits_.allocate(exact ? sums_.size() * kExactDigits : 0);
    found_digits_.allocate(digits_.size());
  }
  // Six of each owner; or in their place kExactDigits for each of them.
  double* plain() const { return sums_.data(); }
  unsigned long long* exact() const { return digits_.data(); }
  void clear(cudaStream_t stream) {
    const auto clear = [&](void* data, std::size_t bytes) {
      if (bytes > 0) must(cudaMemsetAsync(data, 0, bytes, stream), "a step");
    };
    clear(sums_.data(), sums_.bytes());
    clear(digits_.data(), digits_.bytes());
  }
  void fetch(cudaStream_t stream) {
    found_.fetch(sums_, stream);
    found_digits_.fetch(digits_, stream);
  }
  // Those of the last fetch, once the stream got there.
  std::vector<double> sums() const {
    std::vector<double> sums(found_.data(), found_.data() + found_.size());
    for (std::size_t i = 0; i * kExactDigits < found_digits_.size(); ++i)
      sums[i] = exact_value(found_digits_.data() + i * kExactDigits);
    return sums;
  }

 private:
  DeviceArray<double> sums_;
  DeviceArray<unsigned long long> digits_;  // in their place, kExactDigits for each
  PinnedArray<double> found_;
  PinnedArray<unsigned long long> found_digits_;
};

}  // namespace firn
