// A stretch of steps as the device sees it, and what it tells afterwards.
#pragma once

#include "mpm_cuda/device_solver.h"
#include "mpm_cuda/view.h"

namespace firn {

inline void begin_stretch(const Stretch& stretch, Control& control) {
  control.rule = stretch.rule;
  control.frame_start = stretch.frame_start;
  control.clock = stretch.clock();
  control.max_cells = stretch.max_cells;
  control.given_dt = stretch.given_dt;
  control.force = stretch.force;
  control.force_cells = stretch.force_cells;
  control.watch_sources = stretch.watch_sources;
  control.wait_count = static_cast<std::int32_t>(stretch.waits.size());
  control.steps_before = stretch.steps_before;
  control.max_steps = stretch.max_steps;
  control.max_signal = stretch.max_signal;
  control.out_of_range.taken = control.not_finite.taken = 0;
  control.state = RunState::running;
}

// `sums` are six numbers for each owner of colliders.
inline StretchResult result_of(const Control& control, const std::vector<double>& sums) {
  StretchResult result(control.clock);
  result.sorted = control.sorted;
  result.sources_due = control.sources_due;
  result.transitions_due = control.transitions_hold;
  result.bad_time = control.middle;
  StepReport& report = result.report;
  report.max_signal = control.max_signal;
  report.max_speed = control.max_speed;
  report.max_motion = control.max_motion;
  report.max_push = control.max_push;
  report.drift = control.last_drift;
  report.plastic = control.plastic;
  report.bad_set = control.found.bad_set;
  report.bad_field = control.state == RunState::bad_field;
  const VariedNote& note = control.not_finite.taken ? control.not_finite : control.out_of_range;
  if (note.taken)
    report.varied = {note.set, note.parameter, note.id, note.value, !control.not_finite.taken};
  result.bad_id = control.found.bad_id;
  for (std::size_t owner = 0; 6 * owner < sums.size(); ++owner) {
    ContactImpulse impulse;
    for (int a = 0; a < 3; ++a) {
      impulse.linear[a] = sums[6 * owner + a];
      impulse.angular[a] = sums[6 * owner + 3 + a];
    }
    result.impulses.push_back(impulse);
  }
  return result;
}

}  // namespace firn
