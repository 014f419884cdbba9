// A scene that is simulated step by step and edited meanwhile. Belongs to one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "particles/frame.h"
#include "scene/settings.h"
#include "session/edit.h"
#include "sim/world.h"

namespace firn {

// What a session shows of its simulation.
struct SessionFrame {
  std::uint64_t serial = 0;  // grows from one to the next
  Frame points;              // with meshes and bodies
  int per_particle = 0;      // > 0: the points are fine grains, so many made of a particle
  FrameStats stats;
  std::int64_t total_steps = 0;
  bool ends_frame = false;      // it stands exactly at the time of a frame
  double dt = 0;                // s, of the newest step
  double steps_per_second = 0;  // since the frame before; 0: no step was made
  double pace = 0;  // simulated seconds a second of the clock; 0: it does not play, or not yet
  std::vector<std::pair<std::string, double>> phases;  // s a step, since the frame before
  std::shared_ptr<const SceneSettings> scene;          // as it runs
};

struct EditReport {
  EditVerdict verdict;
  Errors errors;      // of the edited scene; the running one stays as it is
  std::string words;  // one line on when it takes effect, or on what is wrong
};

class Runner {
 public:
  // With the solvers of scenes, or with another where its maker is given.
  explicit Runner(const SolverMaker* maker = nullptr) : maker_(maker) {}

  // Makes the world of a scene. After errors there is no world, and what was open before is gone.
  Errors open(const SceneSettings& scene, const std::string& label);
  // The world anew, from the scene as edited.
  Errors reset();
  // Takes over what holds at once and keeps the rest for the reset.
  EditReport edit(const SceneSettings& edited);

  bool has_world() const { return world_ != nullptr; }
  // One step of the frame loop of `firn run`; true when it ended a frame. `drop` as in
  // World::advance_frame.
  Result<bool> step(const std::atomic<bool>* drop = nullptr);
  // The rest of the frame; false when `stop` ended it early.
  Result<bool> run_frame(const std::atomic<bool>& stop, const std::atomic<bool>* drop = nullptr);
  // Takes the simulation to another device as it stands. After errors it is where it was.
  Errors set_device(Device device);
  Device device() const { return device_; }
  void set_force(const InteractiveForce& hand);
  // What the world has to say of its steps since this was last asked.
  std::vector<Note> take_notes() { return world_ ? world_->take_notes() : std::vector<Note>(); }

  std::int64_t frame() const { return world_ ? world_->frame() : 0; }
  double time() const { return world_ ? world_->time() : 0; }
  const SceneSettings& edited_scene() const { return edited_; }

  // The state now; `fields` as in World::snapshot. `grains`: fine ones in place of particles, where
  // the scene has them.
  std::shared_ptr<const SessionFrame> picture(const std::vector<std::string>& fields,
                                              bool grains = false, double pace = 0);

 private:
  Errors adopt(Result<std::unique_ptr<World>> world, const SceneSettings& scene);
  Errors restore_with(const SceneSettings& scene);
  Result<bool> advance(const std::atomic<bool>& stop, const std::atomic<bool>* drop);
  void take_points(const std::vector<std::string>& fields, bool grains, SessionFrame& frame) const;

  const SolverMaker* maker_;
  std::string label_;
  SceneSettings edited_;
  std::shared_ptr<const SceneSettings> running_;
  std::unique_ptr<World> world_;
  Device device_ = Device::cpu;
  InteractiveForce hand_;
  bool ends_frame_ = true;
  double last_dt_ = 0;
  std::uint64_t serial_ = 0;
  // Since the newest picture.
  std::int64_t steps_ = 0;
  double seconds_ = 0;
  std::vector<std::pair<std::string, double>> phases_before_;
};

}  // namespace firn
