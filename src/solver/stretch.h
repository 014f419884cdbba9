// A stretch of steps, as the world asks for it and as a solver answers: one step on a CPU, many on
// a device that chooses dt by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "collision/contact_impulse.h"
#include "solver/interactive_force.h"
#include "solver/source_rules.h"
#include "solver/step_report.h"
#include "solver/step_rule.h"
#include "solver/stretch_clock.h"

namespace firn {

struct Stretch {
  StepRule rule;
  // By set, of all particles that it has or had, kg/m^3: the rule follows from it.
  std::vector<double> least_density;
  double frame_start = 0;         // s
  double frame_length = 0;        // s
  double time_in_frame = 0;       // s, where the stretch begins
  std::int64_t steps_before = 0;  // of the run
  std::int64_t max_steps = 0;
  double max_signal = 0;  // m/s, of the last step: the first dt follows from it
  double max_cells = 1;   // no particle may cross more in a step

  // A single step with a dt that the world chose, and obstacles where they are for it; they advance
  // by so many cells at most.
  double given_dt = 0;  // s; 0: by the rule
  double obstacle_advance = 0;

  // Of a single step: whether it is dropped, asked now and then; whether it was tried with a longer
  // dt; whether it must be taken, however good it is.
  std::function<bool()> cancelled;
  bool tried_before = false, must_accept = false;

  InteractiveForce force;
  double force_cells = 0;  // a step, that this force makes no particle faster than

  bool watch_sources = false;      // the stretch ends where sources or sinks are to be looked at
  std::vector<EmitterWait> waits;  // of the emitters that are open

  // Those who follow particles on a device take part once these, or they themselves at a speed, may
  // have come so far: the stretch ends there.
  double most_way = 0;        // m; 0: nobody follows
  double way = 0;             // m that they may have come before
  double follower_speed = 0;  // m/s

  StretchClock clock() const { return {frame_length, time_in_frame}; }
  double time() const { return frame_start + time_in_frame; }
};

struct StretchResult : StretchClock {
  StretchResult() = default;
  explicit StretchResult(const StretchClock& clock) : StretchClock(clock) {}

  bool refused = false;          // no step was taken: it was dropped, or is too long
  bool sorted = false;           // in the last step
  bool sources_due = false;      // sources or sinks are to be looked at
  bool transitions_due = false;  // particles are to change, which a device leaves to others
  double bad_time = 0;           // s, of report.bad_field
  StepReport report;             // of the last step
  double way = 0;                // m that they may have come since followers took part; of a device
  std::uint64_t bad_id = 0;      // of the particle that report.bad_set speaks of
  std::vector<ContactImpulse> impulses;  // per owner of colliders, summed over the steps
  // By set: of the particles that became what they are there, the least, kg/m^3; empty: none did.
  std::vector<double> changed_density;
};

}  // namespace firn
