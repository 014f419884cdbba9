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

// Meshed solids (docs/fem.md): how a step in time is discretised, how its equations are solved, and
// how vertices are kept out of obstacles.
enum class TimeScheme { backward_euler, bdf2, trapezoid };
enum class MinimizerKind { robust, plain_newton };
enum class ObstacleMethod { automatic, constraint, penalty };
enum class FrictionMethod { inside, afterwards };
// Where the mesh of an object comes from, and where its vertices start.
enum class MeshKind { stuffing, lattice, file };
enum class MeshStart { rest, random, point };

// Nodes along the edge of a block of the grid.
constexpr int block_edge(int dimension) {
  return dimension == 3 ? 4 : 8;
}

}  // namespace firn
