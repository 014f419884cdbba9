#include "session/runner.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "cuda/device.h"
#include "scene/collider_place.h"
#include "session/simulation_lock.h"

namespace firn {
namespace {

Errors out_of_memory() {
  return {"not enough memory; fewer particles need less: raise /grid/spacing"};
}

// In a window another field may be chosen at any time; meshed solids have deformations and stress
// at hand only where a scene shows them.
SceneSettings with_fields_at_hand(SceneSettings scene) {
  if (scene.solver == SolverKind::fem)
    scene.output.fields.insert(scene.output.fields.end(), {"F", "stress"});
  return scene;
}

}  // namespace

Errors Runner::adopt(Result<std::unique_ptr<World>> world, const SceneSettings& scene) {
  if (!world) return world.errors();
  world_ = std::move(*world);
  world_->set_force(hand_);
  running_ = std::make_shared<const SceneSettings>(scene);
  steps_ = 0;
  seconds_ = 0;
  phases_before_.clear();
  return {};
}

Errors Runner::open(const SceneSettings& scene, const std::string& label) {
  label_ = label;
  edited_ = scene;
  return reset();
}

Errors Runner::reset() {
  world_.reset();
  const std::lock_guard lock(simulation_lock());
  ends_frame_ = true;
  last_dt_ = 0;
  try {
    const SceneSettings scene = with_fields_at_hand(edited_);
    return adopt(World::create(scene, usual_precision(scene), device_, maker_), edited_);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

Errors Runner::restore_with(const SceneSettings& scene) {
  try {
    const StateImage image = world_->save_for(scene);
    return adopt(
        World::restore(with_fields_at_hand(scene), usual_precision(scene), image, device_, maker_),
        scene);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

EditReport Runner::edit(const SceneSettings& edited) {
  const std::lock_guard lock(simulation_lock());  // files of shapes are measured by the pool
  EditReport report;
  Result<SceneSettings> checked = checked_scene(edited, label_);
  if (!checked) {
    report.errors = checked.errors();
    const std::size_t count = report.errors.size();
    report.words = "not in effect: the scene has " +
                   (count == 1 ? std::string("an error") : std::to_string(count) + " errors");
    return report;
  }
  edited_ = std::move(*checked);
  if (!world_) {
    report.verdict.effect = EditEffect::at_reset;
    report.words = "takes effect at reset";
    return report;
  }
  report.verdict = classify_edit(*running_, edited_);
  report.words = report.verdict.words();
  if (!report.verdict.concerns_world) return report;
  const Result<SceneSettings> now = with_changes_at_once(*running_, edited_);
  const Errors problems = now ? restore_with(*now) : now.errors();
  if (!problems.empty()) {
    report.verdict.effect = EditEffect::at_reset;
    report.words = "takes effect at reset: " + problems.front();
  }
  return report;
}

Result<bool> Runner::step(const std::atomic<bool>* drop) {
  // A frame loop that is asked to stop makes one step.
  static const std::atomic<bool> stop_at_once{true};
  return advance(stop_at_once, drop);
}

Result<bool> Runner::run_frame(const std::atomic<bool>& stop, const std::atomic<bool>* drop) {
  return advance(stop, drop);
}

Errors Runner::set_device(Device device) {
  if (device == device_) return {};
  const std::lock_guard lock(simulation_lock());
  if (device != Device::cpu)
    if (const Result<std::string> name = device_name(); !name) return name.errors();
  const Device before = std::exchange(device_, device);
  if (!world_) return {};
  Errors errors = restore_with(SceneSettings(*running_));
  if (!errors.empty()) device_ = before;
  return errors;
}

Result<bool> Runner::advance(const std::atomic<bool>& stop, const std::atomic<bool>* drop) {
  const auto start = std::chrono::steady_clock::now();
  const std::lock_guard lock(simulation_lock());
  const double before = world_->time();
  const std::int64_t steps_before = world_->total_steps();
  Result<FrameOutcome> outcome = world_->advance_frame(stop, drop);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::int64_t made = world_->total_steps() - steps_before;
  steps_ += made;
  if (!outcome) return outcome.errors();
  last_dt_ = (world_->time() - before) / static_cast<double>(std::max<std::int64_t>(1, made));
  ends_frame_ = *outcome == FrameOutcome::done;
  return ends_frame_;
}

void Runner::set_force(const InteractiveForce& hand) {
  hand_ = hand;
  if (world_) world_->set_force(hand);
}

void Runner::take_points(const std::vector<std::string>& fields, bool grains,
                         SessionFrame& frame) const {
  if (!grains || !running_->grains) {
    frame.points = world_->snapshot(fields);
    return;
  }
  frame.points = world_->grains(fields);
  frame.points.bodies = collider_poses(*running_, world_->time());
  frame.per_particle = static_cast<int>(running_->grains->per_particle);
}

std::shared_ptr<const SessionFrame> Runner::picture(const std::vector<std::string>& fields,
                                                    bool grains, double pace) {
  if (!world_) return nullptr;
  const std::lock_guard lock(simulation_lock());
  auto frame = std::make_shared<SessionFrame>();
  frame->serial = ++serial_;
  take_points(fields, grains, *frame);
  frame->pace = pace;
  frame->stats = world_->statistics();
  frame->total_steps = world_->total_steps();
  frame->ends_frame = ends_frame_;
  frame->dt = last_dt_;
  frame->scene = running_;
  if (steps_ > 0) {
    const auto phases = world_->phases();
    frame->steps_per_second = seconds_ > 0 ? static_cast<double>(steps_) / seconds_ : 0;
    for (const auto& [name, total] : phases) {
      double earlier = 0;
      for (const auto& [old_name, value] : phases_before_)
        if (old_name == name) earlier = value;
      frame->phases.emplace_back(name, (total - earlier) / static_cast<double>(steps_));
    }
    phases_before_ = phases;
    steps_ = 0;
    seconds_ = 0;
  }
  return frame;
}

}  // namespace firn
