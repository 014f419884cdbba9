// Everything a step reads and writes, and what is constant during one step.
#pragma once

#include <utility>

#include "base/math.h"
#include "base/schemes.h"
#include "collision/collider_set.h"
#include "expr/varying.h"
#include "mpm/implicit_settings.h"
#include "mpm/node_field.h"
#include "mpm/node_grip.h"
#include "mpm/porous_settings.h"
#include "particles/particles.h"
#include "solver/step_report.h"

namespace firn {

// What the particles of one species have on the nodes of the grid.
template <class T, int D>
struct SpeciesNodes {
  NodeGrip<T, D> grip;  // where obstacles rub, else empty

  // An arena is what one occupied block scattered, its margin included.
  Buffer<Node<T>> arenas;                     // momentum and mass
  Buffer<Node<T>> force_arenas;               // FLIP: impulses of the stress, kept apart
  NodeField<T, D> velocity{"velocity"};       // after forces and contact, and mass
  NodeField<T, D> change{"velocity change"};  // FLIP: in this step
  NodeField<T, D> exchanged{"exchanged"};     // of several species: velocity before contact

  std::size_t bytes() const {
    return arenas.bytes() + force_arenas.bytes() + velocity.bytes() + change.bytes() +
           exchanged.bytes() + grip.impulses.bytes();
  }
};

// Steps between two looks at parameters that are expressions: waves cross a few cells meanwhile.
inline constexpr int kVariedInterval = 10;

template <class T, int D>
struct MpmState : Particles<T, D> {
  MpmState() : nodes(1) {}
  // as_one: all species on the same nodes, where they have one velocity.
  explicit MpmState(Particles<T, D> particles, bool as_one = false)
      : Particles<T, D>(std::move(particles)), nodes(1) {
    for (const auto& set : this->sets)
      if (set.species >= species() && !as_one) nodes.resize(set.species + 1);
  }

  double time = 0;                        // s, at the beginning of the step
  int volume_age = 0;                     // steps since the volume sources of fluids were found
  int varied_age = 0;                     // steps since parameters that vary were found; 0: never
  std::vector<SpeciesNodes<T, D>> nodes;  // of each species, over the same blocks
  int fraction_age = 0;                   // steps since particles were told phi
  // Where species share space, of each that lays them: volumes, and impulses of a fluid's pressure
  // (mpm/porous_stages.h).
  std::vector<NodeField<T, D>> matter;
  NodeField<T, D> flow{"flow"};          // mixture: flux of all together, and porosity
  NodeField<T, D> fraction{"fraction"};  // phi

  // Species that have nodes of their own, and whose nodes a set is on.
  int species() const { return static_cast<int>(nodes.size()); }
  int nodes_of(const MaterialSet<T, D>& set) const { return species() == 1 ? 0 : set.species; }
};

// The volume that the stress of particles acts in, m^D: that of a fluid in a mixture counts for the
// grains around it.
template <class T, int D>
const Columns<T>& stressed_volume(const ParticleSet<T, D>& set) {
  const Columns<T>& room = set[column::room];
  return room.components() > 0 ? room : set.volume;
}

struct MpmSettings {
  double spacing = 0.02;  // h, m
  KernelKind kernel = KernelKind::quadratic;
  TransferKind transfer = TransferKind::mls;
  double flip_ratio = 0.95;
  bool particle_collisions = false;
  double cfl = 0.4, fixed_dt = 0, max_dt = 1e-3;  // cells; s (0: none); s
  // On a device the same bytes from run to run, at a price; the CPU gives them always.
  bool deterministic = false;
  PorousSettings porous;
  ImplicitSettings implicit;

  // Cells that a node may cross in a step.
  double longest_stride() const {
    return implicit.is_explicit() ? 1 : std::max(1.0, implicit.most_cells);
  }
};

// Gravity that is not the same everywhere, at one time.
struct GravityField {
  VaryingValue component[3];
  double time = 0;  // s
};

// All that derives from dt, built once a step.
template <class T, int D>
struct StepContext {
  T dt, h, inverse_h;
  T grip_time;     // s (collision/grip.h)
  double spacing;  // h as the scene has it: a wall on a node must lie on it
  Vec<T, D> gravity;
  const GravityField* gravity_field;  // in its place where not null
  bool affine;                        // APIC, MLS: particles carry an affine velocity field
  bool split;                         // FLIP: momentum before and after forces are both needed
  T flip_ratio;                       // 0 unless FLIP
  int species = 0;                    // whose nodes meet obstacles
  bool implicit = false;              // stresses act within the step, none is taken ahead
};

template <class T, int D>
T cell_volume(const StepContext<T, D>& ctx) {  // m^D
  return D == 3 ? ctx.h * ctx.h * ctx.h : ctx.h * ctx.h;
}

}  // namespace firn
