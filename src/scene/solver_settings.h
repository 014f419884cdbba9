// The method that a scene is computed with, and how it steps in time. A further solver adds its
// word to SolverKind, a struct of its keys and a line in SceneSettings::describe_solver.
#pragma once

#include <cmath>

#include "base/describe.h"
#include "base/describe_scene.h"
#include "base/schemes.h"

namespace firn {

enum class SolverKind { mpm };
enum class IntegratorKind { explicit_ };

inline TypedInfo solver_info() {
  return {{"mpm"}, "method of computation", {"sph", "fem"}};
}

inline TypedInfo integrator_info() {
  return {{"explicit"}, "time integration", {"semi_implicit", "optimization", "newton", "auto"}};
}

// Species share space, and each has a velocity of its own there.
inline constexpr const char* kDefaultSpecies = "default";
inline constexpr const char* kSpeciesMeaning =
    "what is of one species has one velocity at a place; several share space and act on each other "
    "as /porous says";

// Keys of the solver "mpm".
struct MpmKeys {
  KernelKind kernel = KernelKind::quadratic;
  TransferKind transfer = TransferKind::mls;
  double flip_ratio = 0.95;
  bool particle_collisions = false;

  template <class V>
  void describe(V& v) {
    v.choice("kernel", kernel, {"linear", "quadratic", "cubic"}, "weights of the transfers");
    v.choice("transfer", transfer, {"mls", "apic", "flip", "pic"},
             "how velocity passes between particles and grid");
    v.edits(Edits::at_once);
    v.number("flip_ratio", flip_ratio,
             {"share of FLIP in the flip transfer; the rest is PIC", "", 0, 1});
    v.flag("particle_collisions", particle_collisions,
           "also keep particles, not only grid nodes, out of colliders");
  }
};

struct IntegratorSettings {
  IntegratorKind kind = IntegratorKind::explicit_;
  double cfl = 0.4;      // fraction of a cell that a wave or particle may cross in a step
  double max_dt = 0.01;  // s
  double fixed_dt = 0;   // s; 0: chosen automatically

  // The keys of one kind.
  template <class V>
  void describe(V& v, IntegratorKind) {
    v.number("cfl", cfl,
             {"fraction of a cell that a wave or particle may cross in a step; less where kernel, "
              "transfer and material bear less",
              "", 0, 1, true});
    v.number("max_dt", max_dt, {"largest time step", "s", 0, INFINITY, true});
    v.number("fixed_dt", fixed_dt, {"time step to use always; 0: chosen automatically", "s", 0});
  }
};

}  // namespace firn
