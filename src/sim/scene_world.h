// The world over any solver, for one precision and dimension: frames, gravity, obstacles, sources
// and sinks, probes, statistics, checkpoints.
#pragma once

#include <utility>

#include "sim/fine_grains.h"
#include "sim/obstacles.h"
#include "sim/solver_maker.h"
#include "sim/sources.h"
#include "sim/world.h"
#include "solver/step_effort.h"

namespace firn {

template <class T, int D>
class SceneWorld final : public World {
 public:
  SceneWorld(const SceneSettings& scene, const SolverMaker& maker);

  // One of the two, once: from the first particles, or from an image of save().
  Errors start(std::vector<ObjectParticles> objects, Device device);
  Errors load(const StateImage& image, Device device);

  Result<FrameOutcome> advance_frame(const std::atomic<bool>& stop,
                                     const std::atomic<bool>* drop) override;
  Result<double> advance_step() override;
  FrameStats statistics() const override;
  WorldSize size() const override;
  Frame snapshot(const std::vector<std::string>& fields) const override;
  Frame grains(const std::vector<std::string>& fields) const override;
  StateImage save() const override;
  StateImage save_for(const SceneSettings& changed) const override;
  std::int64_t frame() const override { return frame_; }
  double time() const override { return frame_ / scene_.fps + time_in_frame_; }
  std::int64_t total_steps() const override { return total_steps_; }
  std::int64_t steps_in_frame() const override { return frame_steps_; }
  double plastic_fraction() const override;
  std::vector<std::pair<std::string, double>> phases() const override { return timers_->phases(); }
  void reset_timers() override { timers_->reset(); }
  double bytes_moved_per_step() const override { return solver_->bytes_moved_per_step(); }
  std::size_t device_bytes() const override {
    return solver_->device_bytes() + (grains_ ? grains_->device_bytes() : 0);
  }
  void set_body_force(BodyForce force) override;
  void set_force(const InteractiveForce& force) override { force_ = force; }
  void add_note(Note note) { notes_.push_back(std::move(note)); }
  std::vector<Note> take_notes() override { return std::exchange(notes_, {}); }

 private:
  Surroundings surroundings() const;
  double remaining() const { return 1 / scene_.fps - time_in_frame_; }
  StepRule step_rule() const { return solver_->step_rule(sources_.least_densities()); }

  // Whether steps are shortened where that saves effort.
  bool weighs_effort(const StepRule& rule) const;
  // Cells that a step may carry a particle before it counts as unstable.
  double most_cells(const StepRule& rule) const;
  // A stretch of at most so many steps; not beyond the frame.
  Errors run(std::int64_t max_steps, bool& frame_done);
  // Where the world must have its say in every step: dt, obstacles and forces for the next.
  Errors prepare_step(Stretch& stretch);
  // Takes the stretch; steps that the solver refuses are halved, so many times at most.
  Result<StretchResult> run_halved(Stretch& stretch);
  // Velocities are changed before a step; one that is dropped would leave them so.
  bool pushes_particles() const { return body_force_ || force_.kind != ForceKind::none; }
  void note_missed(const SolveReport& solve);
  static constexpr int kMostHalvings = 10;
  Errors look_at_sources(bool sorted);
  // Grains follow the steps that were taken last.
  Errors lead_grains(const StretchResult& result);
  void take(const StretchResult& result);
  Bounds particle_bounds() const;

  std::string jump_line(int collider) const;
  std::string field_line(double time, const Vec3d& place) const;
  std::string collider_name(int collider) const;
  const std::string& material_name(int set) const;
  std::string divergence_line(const StepReport& report, std::uint64_t bad_id,
                              const StepReport& before) const;
  std::string standstill_line() const;
  std::string likely_cause(const StepReport& before) const;
  std::string start_line(const StepReport& report) const;
  // A parameter that left its range: an error where it is not finite, else a note, once.
  Errors look_at_parameters(const VariedFinding& finding);

  // Parts of an image (checkpoint_image.cpp).
  Errors load_particles(const StateImage& image, Particles<T, D>& all) const;
  bool load_clock(const StateImage& image);
  bool load_impulses(const StateImage& image);
  Errors load_grains(const StateImage& image, const Particles<T, D>& all);

  // A shorter step would never end a frame, share of a frame.
  static constexpr double kShortestStep = 1e-7;
  // The interactive force shall not make particles that fast.
  static constexpr double kMostCellsByForce = 0.3;
  // Nor may a moving body near particles.
  static constexpr double kMaxBodyCells = 0.5;

  SceneSettings scene_;
  const SolverMaker& maker_;
  ParticlePlan plan_;
  VaryingField gravity_;
  bool gravity_in_space_;  // it varies from place to place
  Obstacles obstacles_;
  Sources<T, D> sources_;
  std::shared_ptr<Timers> timers_ = std::make_shared<Timers>();
  std::unique_ptr<Solver<T, D>> solver_;
  std::unique_ptr<FineGrains<T, D>> grains_;  // where the scene has them
  std::vector<Note> notes_;
  bool noted_parameter_ = false;
  StepReport last_;  // of the newest step: the next dt follows from it
  std::int64_t frame_ = 0, total_steps_ = 0, frame_steps_ = 0;
  double time_in_frame_ = 0;
  double dt_min_ = 0, dt_max_ = 0, frame_wall_ = 0;
  Timers before_frame_;  // phases up to the start of the frame
  double last_dt_ = 0;
  std::vector<ContactImpulse> frame_impulses_;  // per collider of the scene, in this frame
  SolveTotals frame_solves_;
  GrainTotals frame_grains_;
  StepEffort effort_;
  bool noted_missed_ = false;
  std::function<bool()> cancelled_;
  InteractiveForce force_;
  BodyForce body_force_;
  std::vector<Vec3d> initial_positions_;  // by id; only with a body force
};

}  // namespace firn
