// Failures of CUDA as errors for other rooms.
#pragma once

#include "base/result.h"
#include "cuda/memory.h"

namespace firn {

// A failure may leave arrays half grown: no work is done with them any more.
class FailureGuard {
 public:
  template <class Work>
  Errors run(Work&& work) {
    if (!failure_.empty()) return failure_;
    try {
      work();
    } catch (const CudaFailure& failure) {
      failure_ = {failure.what()};
    }
    return failure_;
  }
  template <class Value, class Work>
  Result<Value> value(Work&& work) {
    Value value;
    Errors errors = run([&] { value = work(); });
    if (!errors.empty()) return errors;
    return value;
  }

 private:
  Errors failure_;
};

}  // namespace firn
