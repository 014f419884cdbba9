// The two particle-grid stages of one block, for one kernel and transfer; picked once at run time.
#pragma once

#include "mpm/state.h"

namespace firn {

template <class T, int D>
struct Stages {
  // Scatter a species' particles of an occupied block into its arena.
  void (*scatter)(const StepContext<T, D>&, MpmState<T, D>&, int species, int block);
  // Sum the arenas into the nodes of a block (momentum and mass, and impulses when split).
  void (*merge)(MpmState<T, D>&, int species, bool split, int slot, Node<T>* impulses);
  // Gather, deform and project a species' particles of a block; reports per set.
  void (*gather)(const StepContext<T, D>&, MpmState<T, D>&, int species, int block,
                 StepReport& report);
  // m / (density seen on the grid) becomes the particles' initial volume.
  void (*estimate_volume)(const StepContext<T, D>&, MpmState<T, D>&, int block, int set);
  int arena_size;
  // How far particles go at most at StepReport::max_motion, which is a speed for MLS and the
  // largest component of a velocity for the others.
  double stride_of_motion;
};

template <class T, int D>
Stages<T, D> stages(KernelKind kernel, TransferKind transfer);

}  // namespace firn
