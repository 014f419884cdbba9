// What a step does beside its own stages where species share space (docs/porous.md): volumes and
// pressures of species on nodes, and what particles find there.
#pragma once

#include "mpm/porous_particle.h"
#include "mpm/state.h"

namespace firn {

template <class T, int D>
struct PorousStages {
  // Lays the volumes of a species' particles of a block, and the pressure of fluids, in the first
  // arenas of the momentum; `merge` must come before these are used for anything else.
  void (*lay)(const StepContext<T, D>&, const PorousSettings&, MpmState<T, D>&, int species,
              int block);
  void (*merge)(MpmState<T, D>&, int species, int slot);
  // Mixture: what the flow of all does to the volume of the fluids' particles of a block.
  void (*find_flow)(const StepContext<T, D>&, const PorousSettings&, MpmState<T, D>&, int block);
  // phi of all particles of a block.
  void (*find_fraction)(MpmState<T, D>&, int block);
};

template <class T, int D>
PorousStages<T, D> porous_stages(KernelKind kernel);

// What the species have at the nodes of a block.
template <class T, int D>
class BlockMatter {
 public:
  // `cell`: volume of a cell, m^D. Without volumes masses alone are told.
  BlockMatter(const PorousSettings& porous, const MpmState<T, D>& state, int slot, T cell,
              bool with_volumes);

  NodeMatter<T> at(int node) const {
    NodeMatter<T> at;
    for (int s = 0; s < with_mass_; ++s) at.mass[s] = velocity_[s][node][kMassLane];
    for (int s = 0; s < count_; ++s) {
      if (per_mass_[s] > T(0))
        take_matter_of_mass(porous_, s, per_mass_[s], at);
      else if (laid_[s])
        take_matter(porous_, s, laid_[s][node], at);
    }
    return at;
  }

 private:
  const PorousSettings& porous_;
  int count_, with_mass_;
  const Node<T>*velocity_[kMostSpecies], *laid_[kMostSpecies];
  T per_mass_[kMostSpecies];  // 0: volumes do not follow from mass
};

// From volumes and velocities at the nodes of a block: the flow of a mixture, and phi.
template <class T, int D>
void compose_flow(const PorousSettings& porous, T cell, MpmState<T, D>& state, int slot);
template <class T, int D>
void compose_fraction(const PorousSettings& porous, T cell, MpmState<T, D>& state, int slot);

// At the start of a mixture: fluids that objects put where solids are have the room that the grains
// leave. Volumes are on the nodes as the objects have them.
template <class T, int D>
void give_grains_their_room(const PorousSettings& porous, const PorousStages<T, D>& stages, T cell,
                            MpmState<T, D>& state);

}  // namespace firn
