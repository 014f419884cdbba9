// Names of the discretisation choices, shared by scene files and solvers.
#pragma once

namespace firn {

enum class KernelKind { linear, quadratic, cubic };
enum class TransferKind { mls, apic, flip, pic };
// Of smoothed particles (sph/smoothing.h).
enum class SmoothingKind { spiky, cubic_spline, wendland };
// How fine grains follow the particles (grains/grain_rules.h).
enum class GrainMethod { even, printed };
// How a step in time is taken: docs/integrators.md.
enum class IntegratorKind { explicit_, semi_implicit, optimization, newton, automatic };
enum class PreconditionerKind { none, diagonal, blocks, multigrid };

// Nodes along the edge of a block of the grid.
constexpr int block_edge(int dimension) {
  return dimension == 3 ? 4 : 8;
}

}  // namespace firn
