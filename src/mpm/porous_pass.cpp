#include "mpm/porous_pass.h"

#include "exec/parallel.h"

namespace firn {
namespace {

// f(block) for each, by all threads.
template <class F>
void for_blocks(const char* name, int count, int grain, const F& f) {
  parallel_for(name, count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) f(static_cast<int>(b));
  });
}

}  // namespace

template <class T, int D>
void PorousPass<T, D>::fit(MpmState<T, D>& state) const {
  state.matter.resize(settings_.wants_volumes() ? settings_.species : 0, NodeField<T, D>("matter"));
  for (std::size_t s = 0; s < state.matter.size(); ++s)
    if (lays_matter(settings_, static_cast<int>(s))) state.matter[s].resize(state.blocks);
  if (is_mixture()) state.flow.resize(state.blocks);
  if (settings_.fractions_wanted) state.fraction.resize(state.blocks);
}

template <class T, int D>
void PorousPass<T, D>::begin_step(MpmState<T, D>& state) {
  tells_phi_ = settings_.fractions_wanted && --state.fraction_age <= 0;
  if (tells_phi_) state.fraction_age = kFractionInterval;
}

template <class T, int D>
void PorousPass<T, D>::lay(const StepContext<T, D>& ctx, MpmState<T, D>& state) const {
  for (int s = 0; s < settings_.species; ++s) {
    if (!lays_matter(settings_, s)) continue;
    for_blocks("matter", state.blocks.occupied(), 4,
               [&](int block) { stages_.lay(ctx, settings_, state, s, block); });
    for_blocks("matter sum", state.blocks.size(), 16,
               [&](int slot) { stages_.merge(state, s, slot); });
  }
}

template <class T, int D>
void PorousPass<T, D>::tell(const StepContext<T, D>& ctx, MpmState<T, D>& state) const {
  if (is_mixture()) {
    for_blocks("flow", state.blocks.size(), 16,
               [&](int slot) { compose_flow<T, D>(settings_, cell_volume(ctx), state, slot); });
    for_blocks("flow found", state.blocks.occupied(), 4,
               [&](int block) { stages_.find_flow(ctx, settings_, state, block); });
  }
  if (tells_phi_) tell_phi(ctx, state);
}

template <class T, int D>
void PorousPass<T, D>::tell_phi(const StepContext<T, D>& ctx, MpmState<T, D>& state) const {
  for_blocks("phi", state.blocks.size(), 16,
             [&](int slot) { compose_fraction<T, D>(settings_, cell_volume(ctx), state, slot); });
  for_blocks("phi found", state.blocks.occupied(), 4,
             [&](int block) { stages_.find_fraction(state, block); });
}

template <class T, int D>
void PorousPass<T, D>::begin(const StepContext<T, D>& ctx, MpmState<T, D>& state) const {
  lay(ctx, state);
  if (is_mixture()) {
    give_grains_their_room<T, D>(settings_, stages_, cell_volume(ctx), state);
    lay(ctx, state);
  }
  if (settings_.fractions_wanted) tell_phi(ctx, state);
}

template class PorousPass<float, 2>;
template class PorousPass<float, 3>;
template class PorousPass<double, 2>;
template class PorousPass<double, 3>;

}  // namespace firn
