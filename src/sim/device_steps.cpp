// Steps of an MPM world that a device takes.
#include <algorithm>

#include "sim/mpm_world.h"

namespace firn {

template <class T, int D>
Errors MpmWorld<T, D>::move_to(Device device) {
  if (device == Device::cpu) return {};
  DeviceSetup setup;
  setup.settings = solver_.settings();
  setup.settings.deterministic = device == Device::cuda_deterministic;
  setup.colliders = &solver_.colliders();
  setup.bodies_move = solver_.bodies_move();
  std::copy(gravity_.component, gravity_.component + 3, setup.gravity);
  setup.sinks = flow_.sink_shapes();
  setup.emits = flow_.emits(state_.sets.size());
  auto made = make_device_solver<T, D>(setup);
  if (!made) return made.errors();
  Errors errors = (*made)->upload(state_);
  if (errors.empty()) device_ = std::move(*made);
  return errors;
}

template <class T, int D>
const MpmState<T, D>& MpmWorld<T, D>::state() const {
  if (stale_) device_errors_ = device_->download(state_);
  stale_ = false;
  return state_;
}

template <class T, int D>
Errors MpmWorld<T, D>::prepare_device_step(DeviceTask& task) {
  const double wanted = next_dt(1 / scene_.fps - time_in_frame_);
  task.max_steps = 1;
  task.given_dt = wanted;
  if (solver_.bodies_move()) {
    const auto [first, last] = device_->occupied_corners();
    int jumper = -1;
    task.given_dt =
        solver_.move_bodies(first, last, time(), wanted, kMaxBodyCells, jumper, task.body_advance);
    if (!(task.given_dt > 0)) return {jump_line(jumper)};
    task.bodies = &solver_.colliders();
  }
  if (!body_force_) return {};
  std::vector<Vec3d> kicks;
  for (const Vec3d& x : initial_positions_) kicks.push_back(body_force_(x, time()) * task.given_dt);
  return device_->kick(kicks);
}

// Steps until the frame is over or so many are done, or particles came or went.
template <class T, int D>
Errors MpmWorld<T, D>::run_on_device(std::int64_t max_steps, bool& frame_done) {
  if (!device_errors_.empty()) return device_errors_;
  if (const std::string line = standstill_line(); !line.empty()) return {line};
  DeviceTask task;
  task.rule = step_rule();
  task.frame_start = frame_ / scene_.fps;
  task.frame_length = 1 / scene_.fps;
  task.time_in_frame = time_in_frame_;
  task.max_steps = max_steps;
  task.max_signal = last_.max_signal;
  task.max_cells = kMaxCellsPerStep;
  task.hand = hand_;
  task.hand_cells = kMostCellsByHand;
  task.watch_flow = flow_.any();
  task.waits = flow_.waits();
  if (solver_.bodies_move() || body_force_) {
    Errors errors = prepare_device_step(task);
    if (!errors.empty()) return errors;
  }
  const Result<DeviceOutcome> run =
      solver_.timers().measure("device", [&] { return device_->run(task); });
  if (!run) return run.errors();
  const StepReport before = last_;
  take_outcome(*run);
  if (last_.bad_field) return {field_line(run->bad_time, last_.bad_place)};
  if (last_.bad_set >= 0 || !(last_.drift <= kMaxCellsPerStep))
    return {divergence_line(last_, run->bad_id, before)};
  frame_done = run->frame_done;
  if (!run->flow_due) return {};
  return solver_.timers().measure("flow", [&] {
    return flow_.update_on_device(scene_, solver_, *device_, time(), run->sorted || frame_done,
                                  last_);
  });
}

template <class T, int D>
void MpmWorld<T, D>::take_outcome(const DeviceOutcome& outcome) {
  stale_ = true;
  last_ = outcome.report;
  last_dt_ = outcome.last_dt;
  dt_min_ = frame_steps_ == 0 ? outcome.dt_min : std::min(dt_min_, outcome.dt_min);
  dt_max_ = frame_steps_ == 0 ? outcome.dt_max : std::max(dt_max_, outcome.dt_max);
  total_steps_ += outcome.steps;
  frame_steps_ += outcome.steps;
  time_in_frame_ = outcome.time_in_frame;
  for (std::size_t i = 0; i < outcome.impulses.size(); ++i)
    frame_impulses_[i].add(outcome.impulses[i]);
}

#define FIRN_INSTANTIATE(T, D)                                  \
  template Errors MpmWorld<T, D>::move_to(Device);              \
  template const MpmState<T, D>& MpmWorld<T, D>::state() const; \
  template Errors MpmWorld<T, D>::run_on_device(std::int64_t, bool&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
