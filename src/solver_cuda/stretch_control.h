// A stretch of steps as the device sees it, whoever takes the steps, and what it tells afterwards.
#pragma once

#include "solver/stretch.h"

namespace firn {

// paused: the host is to look at emitters and sinks.
enum class RunState : std::int32_t { running, done, paused, diverged, bad_field, bad_parameter };

// Maxima are kept as the bits of doubles that are not negative, which order like integers.
struct StepFindings {
  unsigned long long signal, speed2, motion, push2, plastic;
  unsigned long long bad_id;    // the smallest id of a particle whose state is not finite
  unsigned long long bad_node;  // the first where gravity or a surface is wrong; ~0: none
  std::int32_t bad_set;
};
inline constexpr StepFindings kNothingFound{0, 0, 0, 0, 0, ~0ull, ~0ull, -1};

struct StretchControl {
  StepRule rule;
  StretchClock clock;
  double frame_start, max_cells;
  double given_dt;     // s, of a step that the host chose; 0: by the rule
  double gravity[3];   // m/s2, where it is the same everywhere
  double middle;       // s, time in the middle of the step
  double body_drift;   // cells that bodies moved since the lists of obstacles were made
  double force_cells;  // the interactive force makes no particle faster than this, cells a step
  InteractiveForce force;
  std::int32_t wait_count;     // emitters that are waited for
  std::int32_t watch_sources;  // whether sorts and ends of frames are
  double dt;
  std::int64_t max_steps;
  double drift;  // cells since the last sort
  StepFindings found;
  double max_signal, max_speed, max_motion, max_push, last_drift;
  unsigned long long plastic;
  RunState state;
  std::int32_t sort_due;
  std::int32_t sorted;        // in the newest step
  std::int32_t sources_due;   // emitters or sinks are to be looked at after the newest step
  std::int64_t steps_before;  // of the run, when the stretch began
  double most_way, follower_speed, way;  // of Stretch and StretchResult

  // A step is over; whether those who follow particles are to take part.
  FIRN_HD bool lead_followers() {
    way += dt * max_of(max_motion, follower_speed);
    return most_way > 0 && way >= most_way;
  }
  FIRN_HD void choose_dt() {
    dt = given_dt > 0 ? given_dt : rule.next_dt(max_signal, clock.remaining());
    middle = frame_start + clock.time_in_frame + dt / 2;
    found = kNothingFound;
  }
};

inline void begin_stretch(const Stretch& stretch, StretchControl& control) {
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
  control.most_way = stretch.most_way;
  control.follower_speed = stretch.follower_speed;
  control.way = stretch.way;
  control.state = RunState::running;
}

// `sums` are six numbers for each owner of colliders.
inline StretchResult result_of(const StretchControl& control, const std::vector<double>& sums) {
  StretchResult result(control.clock);
  result.sorted = control.sorted;
  result.sources_due = control.sources_due;
  result.bad_time = control.middle;
  result.way = control.way;
  StepReport& report = result.report;
  report.max_signal = control.max_signal;
  report.max_speed = control.max_speed;
  report.max_motion = control.max_motion;
  report.max_push = control.max_push;
  report.drift = control.last_drift;
  report.plastic = control.plastic;
  report.bad_set = control.found.bad_set;
  report.bad_field = control.state == RunState::bad_field;
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

#ifdef __CUDACC__
__device__ inline double from_bits(unsigned long long bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}

// Gravity, where it is the same everywhere, and obstacles that depend on the time are brought to
// the middle of the step.
template <class View>
__device__ void bring_to_middle(const View& view, StretchControl& control) {
  for (int a = 0; a < 3 && !view.gravity_in_space; ++a) {
    control.gravity[a] = view.gravity[a].at({{0, 0, 0}}, control.middle);
    if (!isfinite(control.gravity[a])) control.found.bad_node = 0;
  }
  for (int i = 0; i < view.timed_count; ++i) {
    view.colliders[view.timed[i]].time = control.middle;
    view.colliders[view.timed[i]].step = control.dt;
  }
}

// Whether emitters or sinks are to be looked at: when particles were sorted, at the end of a frame,
// and when an emitter has waited long enough.
__device__ inline bool are_sources_due(const StretchControl& control, const EmitterWait* waits) {
  if (control.watch_sources && (control.sorted || control.clock.frame_done)) return true;
  const double time = control.frame_start + control.clock.time_in_frame;
  for (int i = 0; i < control.wait_count; ++i)
    if (waits[i].is_over(time)) return true;
  return false;
}
#endif

}  // namespace firn
