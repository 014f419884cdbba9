// A stretch of steps as the device sees it, and what it tells afterwards.
#pragma once

#include <cmath>

#include "mpm_cuda/device_solver.h"
#include "mpm_cuda/view.h"

namespace firn {

inline void begin_task(const Stretch& task, Control& control) {
  control.rule = task.rule;
  control.frame_start = task.frame_start;
  control.frame_length = task.frame_length;
  control.time_in_frame = task.time_in_frame;
  control.max_cells = task.max_cells;
  control.given_dt = task.given_dt;
  control.force = task.force;
  control.force_cells = task.force_cells;
  control.flow_sorts = task.watch_sources;
  control.flow_waits = static_cast<std::int32_t>(task.waits.size());
  control.steps = 0;
  control.max_steps = task.max_steps;
  control.dt_min = INFINITY;
  control.dt_max = 0;
  control.max_signal = task.max_signal;
  control.frame_done = 0;
  control.state = RunState::running;
}

// `sums` are six numbers for each owner of colliders.
inline StretchResult tell_outcome(const Control& control, const std::vector<double>& sums) {
  StretchResult outcome;
  outcome.steps = control.steps;
  outcome.time_in_frame = control.time_in_frame;
  outcome.dt_min = control.dt_min;
  outcome.dt_max = control.dt_max;
  outcome.last_dt = control.last_dt;
  outcome.frame_done = control.frame_done;
  outcome.sorted = control.sorted;
  outcome.sources_due = control.flow_due;
  outcome.bad_time = control.middle;
  StepReport& report = outcome.report;
  report.max_signal = control.max_signal;
  report.max_speed = control.max_speed;
  report.max_motion = control.max_motion;
  report.max_push = control.max_push;
  report.drift = control.last_drift;
  report.plastic = control.plastic;
  report.bad_set = control.found.bad_set;
  report.bad_field = control.state == RunState::bad_field;
  outcome.bad_id = control.found.bad_id;
  for (std::size_t owner = 0; 6 * owner < sums.size(); ++owner) {
    ContactImpulse impulse;
    for (int a = 0; a < 3; ++a) {
      impulse.linear[a] = sums[6 * owner + a];
      impulse.angular[a] = sums[6 * owner + 3 + a];
    }
    outcome.impulses.push_back(impulse);
  }
  return outcome;
}

}  // namespace firn
