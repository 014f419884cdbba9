// What a step does to its nodes: forces, the exchange between species, obstacles.
#include <algorithm>

#include "mpm/solver.h"
#include "mpm/species_exchange.h"

namespace firn {
namespace {

// Of the nodes of a block; null where nothing rubs.
template <class T, int D>
T* grip_of(SpeciesNodes<T, D>& on, int slot) {
  if (on.grip.keys.empty()) return nullptr;
  return on.grip.impulses.data() + std::size_t(slot) * BlockShape<D>::kNodes;
}

}  // namespace

template <class T, int D>
std::int64_t MpmSolver<T, D>::update_grid(const StepContext<T, D>& ctx, MpmState<T, D>& state) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  const bool checks = ctx.gravity_field || obstacles_->any_varies();
  std::vector<int> bad_node(checks ? state.blocks.size() : 0, -1);
  parallel_for("grid", state.blocks.size(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      const int slot = static_cast<int>(b);
      std::fill(given_[b].begin(), given_[b].end(), ContactImpulse{});
      const int bad = state.species() == 1 ? update_block(ctx, state, slot)
                                           : update_mixed_block(ctx, state, slot);
      if (checks) bad_node[b] = bad;
    }
  });
  if (!mirrors_.empty()) {
    StepContext<T, D> of_species = ctx;
    for (int s = 0; s < state.species(); ++s) {
      of_species.species = s;
      meet_mirrors(of_species, state.blocks, state.nodes[s]);
    }
  }
  if (state.species() > 1) exchange_near_obstacles(ctx, state);
  sum_impulses();
  for (std::size_t b = 0; b < bad_node.size(); ++b)
    if (bad_node[b] >= 0) return static_cast<std::int64_t>(b) * kNodes + bad_node[b];
  return -1;
}

template <class T, int D>
void MpmSolver<T, D>::exchange_near_obstacles(const StepContext<T, D>& ctx, MpmState<T, D>& state) {
  parallel_for("contact of species", state.blocks.size(), 16,
               [&](std::int64_t begin, std::int64_t end) {
                 for (int slot = static_cast<int>(begin); slot < end; ++slot)
                   if (!contacts_.of_block(slot).empty())
                     exchange_after_contact<T, D>(ctx, porous_.settings(), colliders(),
                                                  contacts_.of_nodes(slot), slot, state,
                                                  given_[slot].data());
               });
}

template <class T, int D>
int MpmSolver<T, D>::update_block(const StepContext<T, D>& ctx, MpmState<T, D>& state, int slot) {
  static const NodeObstacles<D> none;
  return advance_nodes(ctx, state, 0, slot, mirrors_.has(slot) ? none : contacts_.of_nodes(slot));
}

// Contact comes after the exchange: what species do to each other is not for obstacles to know.
template <class T, int D>
int MpmSolver<T, D>::update_mixed_block(const StepContext<T, D>& ctx, MpmState<T, D>& state,
                                        int slot) {
  static const NodeObstacles<D> none;
  StepContext<T, D> of_species = ctx;
  int bad = -1;
  for (int s = 0; s < state.species(); ++s) {
    of_species.species = s;
    const int found = advance_nodes(of_species, state, s, slot, none);
    if (bad < 0) bad = found;
  }
  exchange_momentum<T, D>(ctx, porous_.settings(), slot, !contacts_.of_block(slot).empty(), state);
  if (mirrors_.has(slot)) return bad;
  for (int s = 0; s < state.species(); ++s) {
    SpeciesNodes<T, D>& on = state.nodes[s];
    of_species.species = s;
    meet_nodes<T, D>(of_species, state.blocks.coord(slot), colliders(), contacts_.of_nodes(slot),
                     on.velocity.of_block(slot), ctx.split ? on.change.of_block(slot) : nullptr,
                     grip_of(on, slot), given_[slot].data());
  }
  return bad;
}

template <class T, int D>
int MpmSolver<T, D>::advance_nodes(const StepContext<T, D>& ctx, MpmState<T, D>& state, int species,
                                   int slot, const NodeObstacles<D>& near) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  SpeciesNodes<T, D>& on = state.nodes[species];
  const BlockCoord<D>& coord = state.blocks.coord(slot);
  Node<T>* const nodes = on.velocity.of_block(slot);
  Node<T> impulses[kNodes], kicks[kNodes];
  stages_.merge(state, species, ctx.split, slot, impulses);
  int bad = ctx.gravity_field ? gravity_kicks<T, D>(ctx, coord, nodes, kicks) : -1;
  if (bad < 0 && obstacles_->any_varies())
    bad = wrong_surface<T, D>(ctx, coord, colliders(), contacts_.of_nodes(slot), nodes);
  update_nodes<T, D>(ctx, coord, colliders(), near, nodes, ctx.split ? impulses : nullptr,
                     ctx.gravity_field ? kicks : nullptr,
                     ctx.split ? on.change.of_block(slot) : nullptr, grip_of(on, slot),
                     given_[slot].data());
  return bad;
}

template <class T, int D>
void MpmSolver<T, D>::meet_mirrors(const StepContext<T, D>& ctx, const BlockTopology<D>& blocks,
                                   SpeciesNodes<T, D>& on) {
  constexpr std::size_t kNodes = BlockShape<D>::kNodes;
  const std::vector<int>& slots = mirrors_.blocks();
  const auto for_each = [&](const char* name, const auto& body) {
    parallel_for(name, static_cast<std::int64_t>(slots.size()), 8,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t k = begin; k < end; ++k) body(slots[k]);
                 });
  };
  Node<T>* const grid = on.velocity.data();
  const auto change_of = [&](int slot) {
    return ctx.split ? on.change.data() + slot * kNodes : nullptr;
  };
  for_each("mirrors begin", [&](int slot) {
    begin_folding<T, D>(grid + slot * kNodes, folded_.data() + slot * kNodes);
  });
  for (int pass = 0; pass < mirrors_.passes(); ++pass)
    for_each("mirrors lead", [&](int slot) {
      lead_nodes<T, D>(ctx, blocks.coord(slot), colliders(), contacts_.of_nodes(slot),
                       mirrors_.of_block(slot), pass, slot * kNodes, grid, folded_.data(),
                       change_of(slot), given_[slot].data());
    });
  for (int pass = mirrors_.passes() - 1; pass >= 0; --pass)
    for_each("mirrors follow", [&](int slot) {
      follow_nodes<T, D>(ctx, blocks.coord(slot), colliders(), contacts_.of_nodes(slot),
                         mirrors_.of_block(slot), pass, slot * kNodes, grid, folded_.data(),
                         change_of(slot), given_[slot].data());
    });
  for_each("contact beside mirrors", [&](int slot) {
    meet_rest<T, D>(ctx, blocks.coord(slot), colliders(), contacts_.of_nodes(slot),
                    mirrors_.of_block(slot), folded_.data() + slot * kNodes, grid + slot * kNodes,
                    change_of(slot), grip_of(on, slot), given_[slot].data());
  });
}

#define FIRN_INSTANTIATE(T, D) \
  template std::int64_t MpmSolver<T, D>::update_grid(const StepContext<T, D>&, MpmState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
