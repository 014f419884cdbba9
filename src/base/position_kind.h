// Where the velocity is taken that moves a particle: docs/integrators.md.
#pragma once

namespace firn {

enum class PositionKind { forward, backward };

}  // namespace firn
