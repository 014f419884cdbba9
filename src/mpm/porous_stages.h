// What a step does beside its own stages where species share space (docs/porous.md): volumes and
// pressures of species on nodes, and what particles find there.
#pragma once

#include "mpm/porous_particle.h"
#include "mpm/state.h"

namespace firn {

template <class T, int D>
struct PorousStages {
  // Lays the volumes of a species' particles of a block, and the pressure of fluids.
  void (*lay)(const StepContext<T, D>&, const PorousSettings&, MpmState<T, D>&, int species,
              int block);
  void (*merge)(MpmState<T, D>&, int species, int slot);
  // Mixture: what the flow of all does to the volume of the fluids' particles of a block.
  void (*find_flow)(const StepContext<T, D>&, const PorousSettings&, MpmState<T, D>&, int block);
  // phi of all particles of a block.
  void (*find_fraction)(const PorousSettings&, MpmState<T, D>&, int block);
};

template <class T, int D>
PorousStages<T, D> porous_stages(KernelKind kernel);

// What the species have at a node of a block.
template <class T, int D>
NodeMatter<T> matter_at(const PorousSettings& porous, const MpmState<T, D>& state, int slot,
                        int node, bool with_volumes);

// From volumes and velocities at the nodes of a block: the flow of a mixture, and phi.
template <class T, int D>
void compose_flow(const PorousSettings& porous, MpmState<T, D>& state, int slot);
template <class T, int D>
void compose_fraction(const PorousSettings& porous, MpmState<T, D>& state, int slot);

// At the start of a mixture: fluids that objects put where solids are have the room that the grains
// leave. Volumes are on the nodes as the objects have them.
template <class T, int D>
void give_grains_their_room(const PorousSettings& porous, const PorousStages<T, D>& stages,
                            MpmState<T, D>& state);

}  // namespace firn
