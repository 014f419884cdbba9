// The method that a scene is computed with, and how it steps in time. A further solver adds its
// word to SolverKind, a struct of its keys and a line in SceneSettings::describe_solver.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/describe.h"
#include "base/describe_scene.h"
#include "base/position_kind.h"
#include "base/schemes.h"

namespace firn {

enum class SolverKind { mpm, sph };

inline TypedInfo solver_info() {
  return {{"mpm", "sph"}, "method of computation", {"fem"}};
}

inline TypedInfo integrator_info() {
  return {{"explicit", "semi_implicit", "optimization", "newton", "auto"}, "time integration"};
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

// Keys of the solver "sph".
struct SphKeys {
  SmoothingKind kernel = SmoothingKind::spiky;
  double tolerance = 1e-3;
  std::int64_t max_iterations = 200;

  template <class V>
  void describe(V& v) {
    v.choice("kernel", kernel, {"spiky", "cubic_spline", "wendland"},
             "weights of the neighbours; its support is /grid/spacing");
    v.edits(Edits::at_once);
    v.number("tolerance", tolerance,
             {"mean compression that a step may leave, and rate of strain, 1/s, where nothing "
              "yields",
              "", 1e-8, 0.1});
    v.integer("max_iterations", max_iterations,
              {"after which a step is taken as it is", 2, 100000});
  }
};

struct IntegratorSettings {
  static constexpr double kMostImplicitCfl = 16;
  IntegratorKind kind = IntegratorKind::explicit_;
  double explicit_cfl = 0.4;      // fraction of a cell that a wave or particle may cross in a step
  double explicit_max_dt = 0.01;  // s
  double implicit_cfl = 0.6;      // fraction of a cell that a particle may cross in a step
  double implicit_max_dt = 0;     // s; 0: a frame
  double fixed_dt = 0;            // s; 0: chosen automatically
  double beta = 1;
  double tolerance = 1e-3;
  std::int64_t max_newton = 50;
  PreconditionerKind preconditioner = PreconditionerKind::multigrid;
  PositionKind positions = PositionKind::forward;

  bool is_explicit() const { return kind == IntegratorKind::explicit_; }
  double cfl() const { return is_explicit() ? explicit_cfl : implicit_cfl; }
  // Cells that a step may carry a particle before it counts as unstable.
  double most_cells() const { return is_explicit() ? 1 : std::max(1.0, 2 * implicit_cfl); }
  double max_dt(double fps) const {  // s
    if (is_explicit()) return explicit_max_dt;
    return implicit_max_dt > 0 ? implicit_max_dt : 1 / fps;
  }

  // The keys of one kind.
  template <class V>
  void describe(V& v, IntegratorKind of) {
    if (of == IntegratorKind::explicit_) {
      v.number("cfl", explicit_cfl,
               {"fraction of a cell that a wave or particle may cross in a step; less where "
                "kernel, transfer and material bear less",
                "", 0, 1, true});
      v.number("max_dt", explicit_max_dt, {"largest time step", "s", 0, INFINITY, true});
    } else {
      v.number("cfl", implicit_cfl,
               {"cells that a particle may cross in a step; above 1 what flies meets obstacles "
                "where its path would lead",
                "", 0, kMostImplicitCfl, true});
      v.number("max_dt", implicit_max_dt, {"largest time step; 0: a frame", "s", 0});
    }
    v.number("fixed_dt", fixed_dt, {"time step to use always; 0: chosen automatically", "s", 0});
    if (of != IntegratorKind::explicit_) describe_implicit(v, of);
  }

 private:
  template <class V>
  void describe_implicit(V& v, IntegratorKind of) {
    if (of == IntegratorKind::semi_implicit)
      v.number("beta", beta,
               {"share of the new state in the forces: 1 is backward Euler to first order, 1/2 "
                "damps less, 0 is explicit",
                "", 0, 1});
    v.number("tolerance", tolerance,
             {"of a step's equations, of the larger of the mean speed and what gravity adds in a "
              "step",
              "", 1e-12, 1});
    v.integer("max_newton", max_newton,
              {"Newton steps after which a step counts as missed and is tried with half its length",
               1, 10000});
    v.choice("preconditioner", preconditioner, {"none", "diagonal", "blocks", "multigrid"},
             "of the linear systems");
    v.choice("positions", positions, {"forward", "backward"},
             "particles move with the velocity at the place they leave, or at the one they reach");
  }
};

}  // namespace firn
