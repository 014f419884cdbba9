// The passes of a step that only species need which share space: their volumes and pressures on the
// nodes, and what particles are told of them (docs/porous.md).
#pragma once

#include "mpm/porous_stages.h"
#include "mpm/state.h"

namespace firn {

template <class T, int D>
class PorousPass {
 public:
  PorousPass(const PorousSettings& settings, KernelKind kernel)
      : settings_(settings), stages_(porous_stages<T, D>(kernel)) {}

  const PorousSettings& settings() const { return settings_; }

  // Sizes the node fields after the topology changed.
  void fit(MpmState<T, D>& state) const;

  // Begins a step, in which particles may be told phi.
  void begin_step(MpmState<T, D>& state);
  bool lays() const { return tells_phi_ || settings_.wants_volumes_each_step(); }
  bool tells() const { return tells_phi_ || is_mixture(); }
  // Volumes and pressures to nodes; before momentum is scattered, for it needs the same arenas.
  void lay(const StepContext<T, D>& ctx, MpmState<T, D>& state) const;
  // Once the nodes have their velocities.
  void tell(const StepContext<T, D>& ctx, MpmState<T, D>& state) const;

  // At the start of a run: what phi is, and the room of grains in a mixture. The masses of nodes
  // are there.
  bool begins() const { return settings_.fractions_wanted || is_mixture(); }
  void begin(const StepContext<T, D>& ctx, MpmState<T, D>& state) const;

 private:
  bool is_mixture() const { return settings_.form == DragForm::mixture; }
  void tell_phi(const StepContext<T, D>& ctx, MpmState<T, D>& state) const;

  PorousSettings settings_;
  PorousStages<T, D> stages_;
  bool tells_phi_ = false;  // in this step
};

}  // namespace firn
