// What a solver does once, before the first step, and what it takes in all.
#include <algorithm>

#include "mpm/solver.h"

namespace firn {

template <class T, int D>
StepReport MpmSolver<T, D>::initialize(MpmState<T, D>& state,
                                       const std::vector<bool>& estimate_volume) {
  prepare(state);
  const StepContext<T, D> ctx = make_context(0, {{0, 0, 0}});
  if (std::find(estimate_volume.begin(), estimate_volume.end(), true) != estimate_volume.end()) {
    for (auto& set : state.sets)
      for (int c = 0; c < set.particles.stress.components(); ++c)
        set.particles.stress.column(c).fill(T(0));
    scatter_to_grid(ctx, state);
    update_grid(ctx, state);
    for (std::size_t s = 0; s < state.sets.size(); ++s)
      estimate_volumes(ctx, estimate_volume, state, static_cast<int>(s));
  }
  return initialize_new(state, std::vector<std::size_t>(state.sets.size(), 0));
}

// Particles of objects that are not to be estimated keep their volume, whoever shares their
// material.
template <class T, int D>
void MpmSolver<T, D>::estimate_volumes(const StepContext<T, D>& ctx,
                                       const std::vector<bool>& of_objects, MpmState<T, D>& state,
                                       int s) {
  auto& particles = state.sets[s].particles;
  const std::vector<T> given(particles.volume[0], particles.volume[0] + particles.size());
  for (int b = 0; b < state.blocks.occupied(); ++b) stages_.estimate_volume(ctx, state, b, s);
  const auto& ends = state.object_ends;
  for (std::size_t p = 0; p < given.size(); ++p) {
    const auto object = std::upper_bound(ends.begin(), ends.end(), particles.id[0][p]);
    if (object == ends.end() || !of_objects[object - ends.begin()])
      particles.volume[0][p] = given[p];
  }
}

template <class T, int D>
std::size_t MpmSolver<T, D>::bytes(const MpmState<T, D>& state) const {
  std::size_t total = state.blocks.bytes() + state.arenas.bytes() + state.force_arenas.bytes() +
                      state.grid.bytes() + state.grid_change.bytes() + state.grip.impulses.bytes();
  for (const auto& set : state.sets) total += set.particles.bytes() + set.begin.bytes();
  return total;
}

template <class T, int D>
double MpmSolver<T, D>::bytes_moved(const MpmState<T, D>& state) const {
  double total = 0;
  for (const auto& set : state.sets) {
    const auto& p = set.particles;
    const int transfer =
        2 * (D + D * D) + D;  // position, velocity and C: read, written, position again
    const int deform = 2 * (p.gradient.components() + p.scalar.components()) + D * D;
    const int stress =
        2 * p.stress.components() + p.source.components() + 2 * p.dilation.components();
    const int constants = 2 * 2 + p.stiffness.components() + D;  // mass and volume twice, velocity
    total += double(p.size()) * sizeof(T) * (transfer + deform + stress + constants);
  }
  // Arenas are written and read once, and read again from the grid; nodes are written and read.
  const double arenas = double(state.blocks.occupied()) * stages_.arena_size;
  const double nodes = double(state.blocks.size()) * BlockShape<D>::kNodes;
  return total + (3 * arenas + 2 * nodes) * sizeof(Node<T>);
}

#define FIRN_INSTANTIATE(T, D)                                                                \
  template StepReport MpmSolver<T, D>::initialize(MpmState<T, D>&, const std::vector<bool>&); \
  template std::size_t MpmSolver<T, D>::bytes(const MpmState<T, D>&) const;                   \
  template double MpmSolver<T, D>::bytes_moved(const MpmState<T, D>&) const;
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
