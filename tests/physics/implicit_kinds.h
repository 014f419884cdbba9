// Tests of every implicit integrator.
#pragma once

#include <gtest/gtest.h>

#include "cases/implicit_tools.h"

namespace firn {

template <class F>
void for_each_kind(const F& f) {
  for (const auto& [kind, name] : kImplicitKinds) {
    SCOPED_TRACE(name);
    f(kind);
  }
}

}  // namespace firn
