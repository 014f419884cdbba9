// What a visitor of settings (base/describe.h) passes over unless it reads text: other ways to
// write a value, notes for other programs, and which keys must or must not be given.
#pragma once

#include "base/describe.h"

namespace firn {

struct PassesOverText {
  template <class Body>
  void also_here(const char*, Body) {}
  void reserved(const char*, const char*) {}
  template <class Set>
  void shorthand(const char*, const char*, const NumberInfo&, Set) {}
  void hint(const char*, const char*) {}
  template <class... Names>
  void require(Names...) {}
  void conflict(const char*, const char*) {}
};

}  // namespace firn
