// Sand columns that collapse and sand wedges that stand or flow: what the granular cases share.
#pragma once

#include "cases/case_tools.h"

namespace firn {

// measured >= limit.
Check at_least_check(const std::string& case_name, std::string quantity, double measured,
                     double limit);

// A column of height aspect x radius, let go at once. 2D: a step against a smooth wall, radius is
// its width. 3D: a quarter of a cylinder between two planes of symmetry.
struct SandColumn {
  SolverKind solver = SolverKind::mpm;
  int dimension = 2;
  double aspect = 1;
  double radius = 1;          // m
  int cells = 20;             // grid cells in a radius
  double friction_angle = 0;  // degrees
  double floor_friction = 0;  // coefficient
  Cone cone = Cone::automatic;
  double edge = 0;  // thickness at which the deposit ends, over the radius; 0: 0.6 cells
};

// Wide enough for the edge of the deposit to show. Tall columns spread far: in 3D they need fewer
// cells in their radius for as many in the deposit.
int cells_in_radius(int dimension, double aspect, bool fine);

struct Deposit {
  double runout = 0;   // (R - R0) / R0
  double height = 0;   // of the summit, over R0
  double kinetic = 0;  // J/kg left in the end
};

// The front R is where the thickness, averaged over strips (3D: rings) one cell wide, falls below
// `edge`: beyond 0.6 cells lies at most a single layer of particles, which is 0.5 cells thick.
Result<Deposit> collapse(const SandColumn& column);

// One friction rule for every geometry: grains that rest at an angle. Sand that flows at constant
// volume shears along a plane with tau / sigma = sin(phi), so that phi = asin(tan repose) makes
// tau / sigma = tan(repose); the floor has the same.
SandColumn grains(double repose);
constexpr double kGrainsRepose = 29.5;  // degrees, of the experiments' sand

// What experiments found: run-out, and the height of the summit between two of them.
struct DepositReference {
  double runout = 0, low = 0, high = 0;
  double tolerance = 0;  // of the height; that of the run-out is 20 %
};
std::vector<Check> judge_deposit(const char* case_name, const ValidateOptions& options,
                                 const SandColumn& column, const DepositReference& reference);
// Height and radius of the deposit change by less than 5 % when the grid is refined. The front is
// at the same thickness for both, 0.6 cells of the coarser: deposits end in a thin wedge, whose tip
// would otherwise come in sight.
std::vector<Check> judge_refinement(const char* case_name, SandColumn column);

// measured in [low, high], each end widened by a tolerance.
Check range_check(const std::string& case_name, std::string quantity, double measured, double low,
                  double high, double tolerance);

// Half of a ridge of sand on a rough floor: a right-angled triangle, base 1 m long, its high side
// on the plane of symmetry. 3D: a slab between two more, which is plane strain.
struct SandWedge {
  SolverKind solver = SolverKind::mpm;
  int dimension = 2;
  double friction_angle = 30;  // degrees
  double slope = 28;           // degrees
  Cone cone = Cone::automatic;
  int cells = 40;      // along the base
  int slab = 1;        // cells in the depth
  double seconds = 5;  // that it is watched
  double enough = 1;   // displacement after which it need not be watched further
  IntegratorSettings integrator;
};

// Mean displacement of the layer of 1.5 cells at the surface, over the length of the base.
struct WedgeMotion {
  double settled = 0;  // at 1 s, when what gravity set in motion has come to rest
  double end = 0;
  double tension = 0;  // Pa, largest mean stress in the plane at the end of a frame
  double missed = 0;   // steps that missed their tolerance

  double creep() const { return end - settled; }
};
Result<WedgeMotion> watch_wedge(const SandWedge& wedge);
std::string name_of(const SandWedge& wedge);
// Whether it flows, for one that is steeper than it can be.
Check judge_flowing_wedge(const char* name, const ValidateOptions& options, SandWedge wedge);
constexpr int kWedgeFps = 10;
Result<std::unique_ptr<World>> wedge_world(const SandWedge& wedge);

}  // namespace firn
