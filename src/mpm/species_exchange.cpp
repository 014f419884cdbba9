#include "mpm/species_exchange.h"

#include <algorithm>

#include "mpm/momentum_exchange.h"
#include "mpm/porous_stages.h"

namespace firn {
namespace {

// The nodes of one species in a block.
template <class T>
struct BlockNodes {
  Node<T>*velocity, *change, *exchanged, *pressure;  // null where there is none

  // The new velocity of a node, and what FLIP needs of it.
  template <int D>
  void change_velocity(int node, const Vec<T, D>& v) const {
    for (int a = 0; a < D; ++a) {
      if (change) change[node].set(a, change[node][a] + (v[a] - velocity[node][a]));
      velocity[node].set(a, v[a]);
    }
  }
};

template <class T, int D>
struct SpeciesOfBlock {
  int count;
  BlockNodes<T> of[kMostSpecies];

  SpeciesOfBlock(const StepContext<T, D>& ctx, const PorousSettings& porous, int slot,
                 bool near_obstacles, MpmState<T, D>& state)
      : count(state.species()) {
    for (int s = 0; s < count; ++s) {
      SpeciesNodes<T, D>& on = state.nodes[s];
      of[s] = {
          on.velocity.of_block(slot), ctx.split ? on.change.of_block(slot) : nullptr,
          near_obstacles ? on.exchanged.of_block(slot) : nullptr,
          porous.wants_pressure() && porous.is_fluid[s] ? state.matter[s].of_block(slot) : nullptr};
    }
  }
  bool shared(int node) const {
    int here = 0;
    for (int s = 0; s < count; ++s) here += of[s].velocity[node][kMassLane] > T(0);
    return here > 1;
  }
};

template <class T, int D>
int nearest_obstacle(const std::vector<Collider>& colliders, const NodeObstacles<D>& near, int node,
                     const Vec3d& x) {
  int nearest = 0;
  double least = 1e30;
  for (int k = 0; k < static_cast<int>(near.colliders.size()); ++k) {
    const double d = near.distance_to_node(colliders[near.colliders[k]], k, node, x).distance;
    if (d < least) nearest = k;
    least = std::min(least, d);
  }
  return nearest;
}

}  // namespace

template <class T, int D>
void exchange_momentum(const StepContext<T, D>& ctx, const PorousSettings& porous, int slot,
                       bool near_obstacles, MpmState<T, D>& state) {
  const SpeciesOfBlock<T, D> species(ctx, porous, slot, near_obstacles, state);
  const T cell = cell_volume(ctx);
  const BlockMatter<T, D> matter(porous, state, slot, cell, porous.wants_volumes_each_step());
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    if (species.shared(i)) {
      const NodeMatter<T> at = matter.at(i);
      Vec<T, D> v[kMostSpecies];
      for (int s = 0; s < species.count; ++s) v[s] = velocity_of<D>(species.of[s].velocity[i]);
      for (int f = 0; f < species.count; ++f)
        if (species.of[f].pressure)
          share_pressure<T, D>(porous, at, f, velocity_of<D>(species.of[f].pressure[i]), v);
      exchange_at_node<T, D>(porous, ctx.dt, cell, at, v);
      for (int s = 0; s < species.count; ++s) species.of[s].change_velocity(i, v[s]);
    }
    for (int s = 0; s < species.count && near_obstacles; ++s)
      species.of[s].exchanged[i] = species.of[s].velocity[i];
  }
}

template <class T, int D>
void exchange_after_contact(const StepContext<T, D>& ctx, const PorousSettings& porous,
                            const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                            int slot, MpmState<T, D>& state, ContactImpulse* given) {
  const SpeciesOfBlock<T, D> species(ctx, porous, slot, true, state);
  const T cell = cell_volume(ctx);
  const BlockMatter<T, D> matter(porous, state, slot, cell, porous.wants_volumes_each_step());
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    if (!species.shared(i)) continue;
    const NodeMatter<T> at = matter.at(i);
    Vec<T, D> unmet[kMostSpecies], met[kMostSpecies];
    for (int s = 0; s < species.count; ++s) {
      unmet[s] = velocity_of<D>(species.of[s].exchanged[i]);
      met[s] = velocity_of<D>(species.of[s].velocity[i]);
    }
    if (!exchange_with_held<T, D>(porous, ctx.dt, cell, at, unmet, met)) continue;
    const Vec3d x = node_position<D>(state.blocks.coord(slot), i, ctx.spacing);
    const int nearest = nearest_obstacle<T, D>(colliders, near, i, x);
    for (int s = 0; s < species.count; ++s) {
      const Node<T>& node = species.of[s].velocity[i];
      Vec3d impulse{{0, 0, 0}};
      for (int a = 0; a < D; ++a)
        impulse[a] = double(at.mass[s]) * (double(met[s][a]) - double(node[a]));
      given[nearest].add(
          {impulse, cross(x - reference_point(colliders[near.colliders[nearest]]), impulse)});
      species.of[s].change_velocity(i, met[s]);
    }
  }
}

#define FIRN_INSTANTIATE(T, D)                                                                \
  template void exchange_momentum<T, D>(const StepContext<T, D>&, const PorousSettings&, int, \
                                        bool, MpmState<T, D>&);                               \
  template void exchange_after_contact<T, D>(                                                 \
      const StepContext<T, D>&, const PorousSettings&, const std::vector<Collider>&,          \
      const NodeObstacles<D>&, int, MpmState<T, D>&, ContactImpulse*);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
