// An implicit step, from the momentum of the nodes to the gather that it shares with explicit ones.
#include <algorithm>

#include "mpm/solver.h"

namespace firn {

template <class T, int D>
std::int64_t MpmSolver<T, D>::find_kicks(const StepContext<T, D>& ctx,
                                         const MpmState<T, D>& state) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  const NodeField<T, D>& field = state.nodes[0].velocity;
  Buffer<Node<T>>& all_kicks = implicit_.kicks();
  all_kicks.resize(field.size());
  Node<T> kick(0);
  for (int a = 0; a < D; ++a) kick.set(a, ctx.dt * ctx.gravity[a]);
  std::vector<int> bad(state.blocks.size(), -1);
  parallel_for("gravity", state.blocks.size(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (int slot = static_cast<int>(begin); slot < end; ++slot) {
      Node<T>* const kicks = all_kicks.data() + std::size_t(slot) * kNodes;
      const BlockCoord<D>& coord = state.blocks.coord(slot);
      if (ctx.gravity_field)
        bad[slot] = gravity_kicks<T, D>(ctx, coord, field.of_block(slot), kicks);
      else
        std::fill(kicks, kicks + kNodes, kick);
      if (bad[slot] < 0 && obstacles_->any_varies())
        bad[slot] = wrong_surface<T, D>(ctx, coord, colliders(), contacts_.of_nodes(slot),
                                        field.of_block(slot));
    }
  });
  for (std::size_t slot = 0; slot < bad.size(); ++slot)
    if (bad[slot] >= 0) return static_cast<std::int64_t>(slot) * kNodes + bad[slot];
  return -1;
}

template <class T, int D>
StepReport MpmSolver<T, D>::implicit_step(const StepContext<T, D>& ctx, MpmState<T, D>& state,
                                          double dt, const VariedFinding& varied,
                                          bool must_accept) {
  timers_->measure("scatter", [&] { implicit_.scatter(ctx, state); });
  const std::int64_t bad = timers_->measure("grid", [&] { return find_kicks(ctx, state); });
  if (bad >= 0) return bad_field_at(bad, state.blocks, settings_.spacing);
  for (auto& given : given_) std::fill(given.begin(), given.end(), ContactImpulse{});
  const SolveReport solve = timers_->measure(
      "solve", [&] { return implicit_.run(ctx, state, colliders(), contacts_, mirrors_, given_); });
  StepReport report;
  report.solve = solve;
  const bool too_far = !(solve.speed * dt <= settings_.implicit.most_cells * settings_.spacing);
  report.solve.refused = (solve.missed || too_far) && !must_accept;
  if (solve.cancelled || report.solve.refused) return report;
  sum_impulses();
  implicit_.keep(ctx, state);
  report = finish_step(ctx, state, dt, varied);
  report.solve = solve;
  report.max_signal = report.max_speed;
  return report;
}

#define FIRN_INSTANTIATE(T, D)                                                                  \
  template std::int64_t MpmSolver<T, D>::find_kicks(const StepContext<T, D>&,                   \
                                                    const MpmState<T, D>&);                     \
  template StepReport MpmSolver<T, D>::implicit_step(const StepContext<T, D>&, MpmState<T, D>&, \
                                                     double, const VariedFinding&, bool);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
