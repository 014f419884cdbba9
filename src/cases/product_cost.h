// What a product with the Hessian of an implicit step costs beside an explicit step.
#pragma once

#include "cases/bench.h"

namespace firn {

struct ProductCost {
  double explicit_step = 0, product = 0;  // s
};

// Of the same particles, an elastic box in the air; on the CPU.
ProductCost measure_product(const BenchOptions& options);

}  // namespace firn
