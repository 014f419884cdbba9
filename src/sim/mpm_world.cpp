#include "sim/mpm_world.h"

#include <algorithm>
#include <chrono>

#include "mpm/sort.h"
#include "sim/build_state.h"
#include "sim/probes.h"
#include "sim/snapshot.h"
#include "sim/statistics.h"

namespace firn {
namespace {

// How often a run on a device looks whether it is to stop.
constexpr std::int64_t kStepsBetweenStops = 1000;

}  // namespace

template <class T, int D>
MpmWorld<T, D>::MpmWorld(const SceneSettings& scene, MpmState<T, D> state)
    : scene_(scene),
      gravity_(scene.gravity),
      gravity_in_space_(gravity_.varies_in_space()),
      solver_(mpm_settings(scene), runtime_colliders(scene)),
      state_(std::move(state)),
      flow_(scene),
      frame_impulses_(scene.colliders.size()) {
  std::copy(gravity_.component, gravity_.component + 3, gravity_field_.component);
}

template <class T, int D>
Errors MpmWorld<T, D>::initialize(const std::vector<bool>& estimate_volume) {
  last_ = solver_.initialize(state_, estimate_volume);
  flow_.set_least_densities(least_densities(state_));
  flow_.set_next_id(particle_count());
  if (last_.bad_set >= 0) return {start_line(last_)};
  return {};
}

template <class T, int D>
std::size_t MpmWorld<T, D>::particle_count() const {
  if (device_) return device_->particles();
  std::size_t count = 0;
  for (const auto& set : state_.sets) count += set.particles.size();
  return count;
}

template <class T, int D>
Result<FrameOutcome> MpmWorld<T, D>::advance_frame(const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  if (frame_steps_ == 0 || time_in_frame_ == 0) {
    frame_steps_ = 0;
    frame_wall_ = 0;
    std::fill(frame_impulses_.begin(), frame_impulses_.end(), ContactImpulse{});
    before_frame_ = solver_.timers();
  }
  const double length = 1 / scene_.fps;
  for (;;) {
    const double remaining = length - time_in_frame_;
    bool frame_done = false;
    Errors errors;
    if (device_) {
      const bool stops = stop.load(std::memory_order_relaxed);
      errors = run_on_device(stops ? 1 : kStepsBetweenStops, frame_done);
    } else {
      const Result<double> dt = begin_step(remaining);
      if (!dt) return dt.errors();
      frame_done = *dt >= remaining;
      errors = take_step(*dt, frame_done);
    }
    if (!errors.empty()) return errors;
    if (frame_done) break;
    if (stop.load(std::memory_order_relaxed)) {
      frame_wall_ += seconds();
      return FrameOutcome::interrupted;
    }
  }
  ++frame_;
  time_in_frame_ = 0;
  frame_wall_ += seconds();
  return FrameOutcome::done;
}

template <class T, int D>
Result<double> MpmWorld<T, D>::advance_step() {
  const double length = 1 / scene_.fps;
  const double remaining = length - time_in_frame_;
  bool frame_done = false;
  Errors errors;
  if (device_) {
    errors = run_on_device(1, frame_done);
  } else {
    const Result<double> dt = begin_step(remaining);
    if (!dt) return dt.errors();
    frame_done = *dt >= remaining;
    errors = take_step(*dt, frame_done);
  }
  if (!errors.empty()) return errors;
  if (frame_done) {
    ++frame_;
    time_in_frame_ = 0;
  }
  return last_dt_;
}

template <class T, int D>
FrameStats MpmWorld<T, D>::statistics() const {
  FrameStats stats;
  stats.frame = frame_;
  stats.time = time();
  stats.steps = frame_steps_;
  stats.dt_min = dt_min_;
  stats.dt_max = dt_max_;
  stats.has_gravity_potential = !gravity_in_space_ && !gravity_.varies_in_time();
  measure(state(), scene_.grid.spacing, kernel_shift(scene_.kernel),
          stats.has_gravity_potential ? gravity_.at(Vec3d::zero(), 0) : Vec3d::zero(),
          affine_d(scene_), stats);
  for (std::size_t i = 0; i < frame_impulses_.size(); ++i)
    stats.colliders.push_back({scene_.colliders[i].name, frame_impulses_[i].linear * -scene_.fps,
                               frame_impulses_[i].angular * -scene_.fps});
  if (flow_.any()) stats.flow = flow_.totals();
  stats.probes = read_probes(scene_, state());
  stats.plastic_fraction = plastic_fraction();
  stats.wall = frame_wall_;
  stats.phases = solver_.timers().since(before_frame_);
  return stats;
}

template <class T, int D>
double MpmWorld<T, D>::plastic_fraction() const {
  const std::size_t particles = particle_count();
  return particles > 0 ? double(last_.plastic) / double(particles) : 0;
}

template <class T, int D>
WorldSize MpmWorld<T, D>::size() const {
  WorldSize size;
  size.particles = particle_count();
  size.blocks = state_.blocks.occupied();
  size.grid_nodes = std::size_t(state_.blocks.size()) * BlockShape<D>::kNodes;
  size.bytes = solver_.bytes(state_);
  size.first_dt = next_dt(1 / scene_.fps - time_in_frame_);
  return size;
}

template <class T, int D>
PointTable MpmWorld<T, D>::snapshot(const std::vector<std::string>& fields) const {
  return make_snapshot(state(), scene_.grid.spacing, kernel_shift(scene_.kernel), fields);
}

template class MpmWorld<float, 2>;
template class MpmWorld<float, 3>;
template class MpmWorld<double, 2>;
template class MpmWorld<double, 3>;

}  // namespace firn
