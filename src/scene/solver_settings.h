// The method that a scene is computed with, and how it steps in time. A further solver adds its
// word to SolverKind, a struct of its keys and a line in SceneSettings::describe_solver.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "base/describe_scene.h"
#include "base/position_kind.h"
#include "base/schemes.h"

namespace firn {

enum class SolverKind { mpm, sph, fem };

inline TypedInfo solver_info() {
  return {{"mpm", "sph", "fem"}, "method of computation"};
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

// How closely the solver "sph" solves a step, by name.
struct SphPreset {
  const char* name;
  double tolerance;
  std::int64_t max_iterations;
};
// The first holds the defaults; GRAIN 6 has the second's tolerance.
inline constexpr SphPreset kSphPresets[] = {{"default", 1e-3, 200}, {"interactive", 1e-2, 20}};

// Keys of the solver "sph".
struct SphKeys {
  SmoothingKind kernel = SmoothingKind::spiky;
  std::string preset = kSphPresets[0].name;
  double tolerance = kSphPresets[0].tolerance;  // the preset's where the file gives none
  std::int64_t max_iterations = kSphPresets[0].max_iterations;

  template <class V>
  void describe(V& v) {
    v.choice("kernel", kernel, {"spiky", "cubic_spline", "wendland"},
             "weights of the neighbours; its support is /grid/spacing");
    v.edits(Edits::at_once);
    std::vector<std::string> presets;
    for (const SphPreset& known : kSphPresets) presets.push_back(known.name);
    v.word("preset", preset, presets,
           "tolerance and iterations to start from: interactive has few and the tolerance 0.01",
           [this] { take_preset(); });
    v.number("tolerance", tolerance,
             {"mean compression that a step may leave, and rate of strain, 1/s, where nothing "
              "yields",
              "", 1e-8, 0.1});
    v.integer("max_iterations", max_iterations,
              {"after which a step is taken as it is", 2, 100000});
  }

 private:
  void take_preset() {
    for (const SphPreset& known : kSphPresets)
      if (preset == known.name) {
        tolerance = known.tolerance;
        max_iterations = known.max_iterations;
      }
  }
};

// How bodies of the solver "fem" keep out of themselves and of each other.
struct SelfCollisionKeys {
  double stiffness = 0;  // Pa; 0: from the materials
  double friction = 0;

  template <class V>
  void describe(V& v) {
    v.number("stiffness", stiffness,
             {"with which surfaces push each other apart; 0: from the materials", "Pa", 0, 1e15});
    v.number("friction", friction, {"Coulomb friction coefficient between surfaces", "", 0, 100});
  }
};

// Keys of the solver "fem".
struct FemKeys {
  std::optional<SelfCollisionKeys> self_collision;  // none: bodies pass through each other
  FrictionMethod friction = FrictionMethod::inside;

  template <class V>
  void describe(V& v) {
    v.edits(Edits::at_once);
    v.object("self_collision", self_collision,
             "bodies keep out of each other and of themselves; they pass through each other when "
             "not given");
    v.choice("friction", friction, {"inside", "afterwards"},
             "at obstacles: solved for within a step, or applied to the velocities after it");
  }
};

inline constexpr const char* kOfFemAlone =
    "belongs to the solver \"fem\"; remove it, or choose that solver";

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

  // Of the solver "fem".
  std::int64_t fem_max_newton = 200;
  TimeScheme scheme = TimeScheme::backward_euler;
  MinimizerKind minimizer = MinimizerKind::robust;
  std::int64_t steps_per_frame = 1;

  bool is_explicit() const { return kind == IntegratorKind::explicit_; }
  double cfl() const { return is_explicit() ? explicit_cfl : implicit_cfl; }
  // Cells that a step may carry a particle before it counts as unstable.
  double most_cells() const { return is_explicit() ? 1 : std::max(1.0, 2 * implicit_cfl); }
  double max_dt(double fps) const {  // s
    if (is_explicit()) return explicit_max_dt;
    return implicit_max_dt > 0 ? implicit_max_dt : 1 / fps;
  }

  // The keys of one kind, for one solver.
  template <class V>
  void describe(V& v, IntegratorKind of, SolverKind solver) {
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
    const bool for_fem = solver == SolverKind::fem;
    if (of != IntegratorKind::explicit_) describe_implicit(v, of, for_fem);
    if (of == IntegratorKind::optimization && (for_fem || sees_all_keys<V>()))
      describe_fem_steps(v);
    else
      for (const char* key : {"scheme", "minimizer", "steps_per_frame"})
        v.reserved(key, for_fem ? "is for the type \"optimization\"" : kOfFemAlone);
  }

 private:
  template <class V>
  void describe_implicit(V& v, IntegratorKind of, bool for_fem) {
    if (of == IntegratorKind::semi_implicit)
      v.number("beta", beta,
               {"share of the new state in the forces: 1 is backward Euler to first order, 1/2 "
                "damps less, 0 is explicit",
                "", 0, 1});
    v.number("tolerance", tolerance,
             {"of a step's equations, of the larger of the mean speed and what gravity adds in a "
              "step",
              "", 1e-12, 1});
    v.integer("max_newton", for_fem ? fem_max_newton : max_newton,
              {"Newton steps after which a step counts as missed and is tried with half its "
               "length; 200 when not given with the solver fem",
               1, 10000});
    v.choice("preconditioner", preconditioner, {"none", "diagonal", "blocks", "multigrid"},
             "of the linear systems");
    v.choice("positions", positions, {"forward", "backward"},
             "particles move with the velocity at the place they leave, or at the one they reach");
  }
  template <class V>
  void describe_fem_steps(V& v) {
    v.choice("scheme", scheme, {"backward_euler", "bdf2", "trapezoid"},
             "solver fem: how a step follows from those before; backward Euler damps most, the "
             "trapezoid keeps energy");
    v.choice("minimizer", minimizer, {"robust", "plain_newton"},
             "solver fem: descends from any start, or Newton steps alone");
    v.integer("steps_per_frame", steps_per_frame,
              {"solver fem: steps of equal length that a frame takes", 1, 1'000'000});
  }
};

}  // namespace firn
