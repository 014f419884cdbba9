// The MPM step on a CUDA device: the same state, models and obstacles as MpmSolver, kept in device
// memory from one download to the next. Builds without CUDA have the same face and say so.
#pragma once

#include <memory>

#include "base/result.h"
#include "cuda/device.h"
#include "mpm/grid_update.h"
#include "mpm/hand.h"
#include "mpm/state.h"
#include "mpm/step_rule.h"

namespace firn {

// What a device must know of a world before it takes particles.
struct DeviceSetup {
  MpmSettings settings;
  const std::vector<Collider>* colliders = nullptr;  // in their places for a step
  bool bodies_move = false;
  VaryingValue gravity[3];
  std::vector<Shape> sinks;
  std::vector<bool> emits;  // by set: whether particles may come
};

// After this time an emitter is to be looked at.
struct EmitterWait {
  double since = 0, length = 0;  // s
};

// A stretch of steps that runs on the device without asking the host.
struct DeviceTask {
  StepRule rule;
  double frame_start = 0;    // s
  double frame_length = 0;   // s
  double time_in_frame = 0;  // s, where the stretch begins
  std::int64_t max_steps = 0;
  double max_signal = 0;  // m/s, of the last step: the first dt follows from it
  double max_cells = 1;   // no particle may cross more in a step

  // A single step with a dt that the host chose, and bodies where they are for it; they advance by
  // so many cells at most.
  double given_dt = 0;  // s; 0: by the rule
  const std::vector<Collider>* bodies = nullptr;
  double body_advance = 0;

  Hand hand;
  double hand_cells = 0;  // a step, that no hand makes particles faster than

  bool watch_flow = false;         // the stretch ends where emitters or sinks are to be looked at
  std::vector<EmitterWait> waits;  // of the emitters that are open
};

struct DeviceOutcome {
  std::int64_t steps = 0;
  double time_in_frame = 0;  // s
  double dt_min = 0, dt_max = 0, last_dt = 0;
  bool frame_done = false;
  bool sorted = false;                   // in the last step
  bool flow_due = false;                 // emitters or sinks are to be looked at
  double bad_time = 0;                   // s, of report.bad_field
  StepReport report;                     // of the last step
  std::uint64_t bad_id = 0;              // of the particle that report.bad_set speaks of
  std::vector<ContactImpulse> impulses;  // per owner of colliders, summed over the steps
};

// Particles that come and go between two steps.
template <class T, int D>
struct DeviceRenewal {
  const std::vector<MaterialSet<T, D>>* fresh = nullptr;  // new ones, at places in their blocks
  std::vector<std::vector<BlockCoord<D>>> blocks;         // of each of them
  std::vector<bool> open_sinks;
};
struct DeviceRemoval {
  std::uint64_t count = 0;
  double mass = 0;  // kg
};

template <class T, int D>
class DeviceSolver {
 public:
  virtual ~DeviceSolver() = default;
  virtual Errors upload(const MpmState<T, D>& state) = 0;
  virtual Errors download(MpmState<T, D>& state) = 0;
  virtual Result<DeviceOutcome> run(const DeviceTask& task) = 0;
  // Adds kicks[id] to the velocities of particles, m/s.
  virtual Errors kick(const std::vector<Vec3d>& kicks) = 0;
  // Corners between which the blocks with particles lie; the wrong way round where there are none.
  virtual std::pair<BlockCoord<D>, BlockCoord<D>> occupied_corners() const = 0;
  // Volume of the particles around each point, in a ball; `homes` are the points' blocks.
  virtual Result<std::vector<double>> taken_volume(const std::vector<Vec3d>& points,
                                                   const std::vector<BlockCoord<D>>& homes,
                                                   double radius) = 0;
  virtual Result<DeviceRemoval> renew(const DeviceRenewal<T, D>& renewal) = 0;
  virtual std::size_t particles() const = 0;
  virtual std::size_t bytes() const = 0;  // of device memory
};

// Fails where there is no device, or where it cannot do yet what the settings ask for.
template <class T, int D>
Result<std::unique_ptr<DeviceSolver<T, D>>> make_device_solver(const DeviceSetup& setup);

}  // namespace firn
