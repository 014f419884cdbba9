// Settings of implicit steps, and what one of them did.
#pragma once

#include "base/position_kind.h"
#include "base/schemes.h"

namespace firn {

struct ImplicitSettings {
  IntegratorKind kind = IntegratorKind::explicit_;
  double beta = 1;          // semi_implicit: share of the new state in the forces
  double tolerance = 1e-3;  // of the larger of the mean speed and what gravity adds in a step
  int max_newton = 50;
  double most_cells = 0.9;  // that a node may cross in a step
  PreconditionerKind preconditioner = PreconditionerKind::multigrid;
  PositionKind positions = PositionKind::forward;  // particles move by the old or the new place

  bool is_explicit() const { return kind == IntegratorKind::explicit_; }
};

}  // namespace firn
