// The end of a step: what the particles found becomes the next dt, and says whether to sort, to
// look at the volume of fluids, or to stop.
#pragma once

#include "cuda/loop_graph.h"
#include "mpm/porous_particle.h"
#include "mpm/volume_source.h"
#include "mpm_cuda/viscosity.h"

namespace firn {

// Branches of the graph that runs the steps.
// The last one is there where particles know phi.
enum StepBranch { kSortBranch, kVolumeBranch, kFractionBranch, kStepBranches };
using StepConditions = LoopConditions<kStepBranches>;

// m/s, at most. MLS moves particles at their own velocities and leaves `motion` zero; the others
// tell the largest component.
template <int D>
__device__ double fastest_motion(const StepFindings& found) {
  return found.motion ? sqrt(double(D)) * from_bits(found.motion) : sqrt(from_bits(found.speed2));
}

// Chooses dt, by the viscosity that was found last; gravity and obstacles are brought to the middle
// of the step.
template <class T, int D>
__device__ void start_step(const View<T, D>& view) {
  Control& control = *view.control;
  if (view.viscous) control.rule.viscous = viscous_rate(view.viscous, view.set_count);
  control.choose_dt();
  control.vary_due =
      view.varies && (control.varied_age == 0 || control.varied_age >= kVariedInterval);
  control.varied_age = control.vary_due ? 1 : control.varied_age + view.varies;
  if (control.vary_due) forget_viscosity(view);
  control.fraction_due = view.tells_phi && --control.fraction_age <= 0;
  if (control.fraction_due) control.fraction_age = kFractionInterval;
  control.transition_due = are_transitions_due(control.steps_before + control.clock.steps + 1);
  control.transitions_hold = 0;
  bring_to_middle(view, control);
}

__device__ inline void take_findings(Control& control, double spacing) {
  const StepFindings& found = control.found;
  control.max_signal = from_bits(found.signal);
  control.max_speed = sqrt(from_bits(found.speed2));
  control.max_motion = found.motion ? from_bits(found.motion) : control.max_speed;
  control.max_push = sqrt(from_bits(found.push2)) / spacing;
  control.plastic = found.plastic;
  control.last_drift = control.max_motion * control.dt / spacing;
  control.drift += control.drift_factor * (control.last_drift + control.max_push);
}

template <class T, int D>
__device__ void finish_step(const View<T, D>& view, double margin) {
  Control& control = *view.control;
  take_findings(control, view.spacing);
  control.clock.advance(control.dt);
  if (control.found.bad_set >= 0 || !(control.last_drift <= control.max_cells)) {
    control.state = RunState::diverged;
    return;
  }
  control.sort_due = control.sorted = control.drift > margin;
  if (++control.volume_age >= view.volume_interval) {
    control.volume_age = 0;
    control.volume_due = view.keeps_volume;
  }
  control.sources_due = are_sources_due(control, view.waits);
  const bool pauses = control.lead_followers() || control.sources_due || control.transitions_hold;
  if (control.clock.frame_done || control.clock.steps >= control.max_steps)
    control.state = RunState::done;
  else if (pauses)
    control.state = RunState::paused;
}

template <class T, int D>
__global__ void begin_kernel(const __grid_constant__ View<T, D> view) {
  start_step(view);
}

template <class T, int D>
__global__ void end_kernel(const __grid_constant__ View<T, D> view, double margin,
                           StepConditions conditions) {
  Control& control = *view.control;
  control.sort_due = control.volume_due = control.sources_due = control.sorted = 0;
  if (control.not_finite.taken)
    control.state = RunState::bad_parameter;
  else if (control.found.bad_node != ~0ull)
    control.state = RunState::bad_field;
  else
    finish_step(view, margin);
  const bool again = control.state == RunState::running;
  conditions.take(kSortBranch, control.sort_due);
  conditions.take(kVolumeBranch, control.volume_due);
  conditions.repeat(again);
  if (again) start_step(view);
  if (view.tells_phi) conditions.take(kFractionBranch, again && control.fraction_due);
}

}  // namespace firn
