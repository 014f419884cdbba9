// World over the MPM solver, for one precision and dimension.
#pragma once

#include "cuda/device_solver.h"
#include "mpm/solver.h"
#include "sim/particle_flow.h"
#include "sim/world.h"

namespace firn {

template <class T, int D>
class MpmWorld final : public World {
 public:
  MpmWorld(const SceneSettings& scene, MpmState<T, D> state);

  // First stresses and wave speeds of a fresh state.
  Errors initialize(const std::vector<bool>& estimate_volume);
  // State and history from an image; errors say what does not fit.
  Errors load(const StateImage& image);
  // Steps are taken there from now on.
  Errors move_to(Device device);

  Result<FrameOutcome> advance_frame(const std::atomic<bool>& stop) override;
  Result<double> advance_step() override;
  FrameStats statistics() const override;
  WorldSize size() const override;
  PointTable snapshot(const std::vector<std::string>& fields) const override;
  StateImage save() const override;
  std::int64_t frame() const override { return frame_; }
  double time() const override { return frame_ / scene_.fps + time_in_frame_; }
  std::int64_t total_steps() const override { return total_steps_; }
  std::int64_t steps_in_frame() const override { return frame_steps_; }
  double plastic_fraction() const override;
  std::vector<std::pair<std::string, double>> phases() const override {
    return solver_.timers().phases();
  }
  void reset_timers() override { solver_.timers().reset(); }
  double bytes_moved_per_step() const override { return solver_.bytes_moved(state_); }
  std::size_t device_bytes() const override { return device_ ? device_->bytes() : 0; }
  void set_body_force(BodyForce force) override;
  void set_hand(const Hand& hand) override { hand_ = hand; }

 private:
  StepRule step_rule() const;
  double viscous_rate(std::size_t set, double cells) const;  // 1/s
  double next_dt(double remaining) const;
  Result<double> begin_step(double remaining);
  Errors take_step(double dt, bool ends_frame);
  Errors run_on_device(std::int64_t max_steps, bool& frame_done);
  // Where the host must have its say in every step: dt, bodies and forces for the next.
  Errors prepare_device_step(DeviceTask& task);
  void take_outcome(const DeviceOutcome& outcome);
  std::string jump_line(int collider) const;
  std::string field_line(double time, const Vec3d& place) const;
  std::string collider_name(int collider) const;
  std::string divergence_line(const StepReport& report, std::uint64_t bad_id,
                              const StepReport& before) const;
  std::string standstill_line() const;
  std::string likely_cause(const StepReport& before) const;
  std::string start_line(const StepReport& report) const;
  std::uint64_t bad_id(const StepReport& report) const;
  std::size_t particle_count() const;
  // No particle may cross more than this in a step; the margin of the blocks allows it.
  static constexpr double kMaxCellsPerStep = 1.0;
  // A shorter step would never end a frame, share of a frame.
  static constexpr double kShortestStep = 1e-7;
  // A hand shall not make them that fast.
  static constexpr double kMostCellsByHand = 0.3;
  // Nor may a moving body near particles.
  static constexpr double kMaxBodyCells = 0.5;

  // The state of the newest step, brought from the device where it is there.
  const MpmState<T, D>& state() const;
  void apply_body_force(double dt);
  void apply_hand(double dt);

  // Gravity at the middle of a step; the field of the world is brought to the same time.
  Vec3d gravity_for_step(double dt);

  SceneSettings scene_;
  VaryingField gravity_;
  bool gravity_in_space_;  // it varies from place to place
  GravityField gravity_field_;
  MpmSolver<T, D> solver_;
  // With a device the state here may be older than the one there, until someone asks for it.
  mutable MpmState<T, D> state_;
  mutable bool stale_ = false;
  mutable Errors device_errors_;
  std::unique_ptr<DeviceSolver<T, D>> device_;
  ParticleFlow<T, D> flow_;
  StepReport last_;  // of the newest step: the next dt follows from it
  std::int64_t frame_ = 0, total_steps_ = 0, frame_steps_ = 0;
  double time_in_frame_ = 0;
  double dt_min_ = 0, dt_max_ = 0, frame_wall_ = 0;
  Timers before_frame_;  // phases up to the start of the frame
  double last_dt_ = 0;
  std::vector<ContactImpulse> frame_impulses_;  // per collider of the scene, in this frame
  Hand hand_;
  BodyForce body_force_;
  std::vector<Vec3d> initial_positions_;  // by id; only with a body force
};

}  // namespace firn
