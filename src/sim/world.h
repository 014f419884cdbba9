// World: a scene in motion. Built from settings, it owns the particles, chooses time steps, lands
// on frame times, and knows its statistics. No files, no printing.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "particles/frame.h"
#include "scene/initial_particles.h"
#include "scene/settings.h"
#include "sim/probe_reading.h"
#include "solver/device.h"
#include "solver/interactive_force.h"
#include "solver/state_image.h"
#include "solver/step_report.h"

namespace firn {

class SolverMaker;

// A line for the user of a run.
struct Note {
  std::string line;
  bool warning = true;  // false: all is as it was asked for
};

enum class Precision { single, double_ };

// That a scene is computed in unless somebody chooses: meshed solids in double.
Precision usual_precision(const SceneSettings& scene);

// What particles did to a collider, averaged over a frame. Torque is about its centre.
struct ColliderLoad {
  std::string name;
  Vec3d force{{0, 0, 0}};   // N (2D: per metre)
  Vec3d torque{{0, 0, 0}};  // N m
};

// Particles that came and went since the run began.
struct FlowTotals {
  std::uint64_t emitted = 0, removed = 0;
  double emitted_mass = 0, removed_mass = 0;  // kg
};

// What the particles of one species have together.
struct SpeciesStats {
  std::string name;
  std::size_t particles = 0;
  double mass = 0;
  Vec3d momentum{{0, 0, 0}};
  double kinetic = 0;         // J (2D: per metre)
  std::optional<double> phi;  // mean by mass; none where there is no mass, or nobody knows phi
};

// What the solver of implicit steps did in a frame.
struct SolveTotals {
  std::int64_t newton_iterations = 0, krylov_iterations = 0, line_search_steps = 0;
  std::int64_t halved_steps = 0;  // tries that were repeated with half the step
  std::int64_t missed_steps = 0;  // taken though they missed the tolerance
  double residual = 0;            // m/s, the largest of its steps

  void add(const SolveReport& solve) {
    newton_iterations += solve.newton_iterations;
    krylov_iterations += solve.krylov_iterations;
    line_search_steps += solve.search_steps;
  }
};

// What granular SPH did in a frame.
struct GrainTotals {
  std::int64_t iterations = 0, shift_iterations = 0;
  std::int64_t missed_steps = 0;  // taken though they missed the tolerance
  // The largest of its steps: of the mean over particles, of one particle, and 1/s.
  double mean_density_error = 0, max_density_error = 0, strain_rate_error = 0;

  void add(const GrainReport& step) {
    iterations += step.iterations;
    shift_iterations += step.shift_iterations;
    missed_steps += step.missed;
    mean_density_error = std::max(mean_density_error, step.mean_density_error);
    max_density_error = std::max(max_density_error, step.max_density_error);
    strain_rate_error = std::max(strain_rate_error, step.strain_rate_error);
  }
};

struct FrameStats {
  std::int64_t frame = 0;
  double time = 0;         // s
  std::int64_t steps = 0;  // in this frame
  double dt_min = 0, dt_max = 0;
  std::size_t particles = 0;
  double mass = 0;
  Vec3d momentum{{0, 0, 0}};
  Vec3d angular_momentum{{0, 0, 0}};                       // about the origin; 2D: z only
  double kinetic = 0, elastic = 0, gravity_potential = 0;  // J (2D: per metre)
  bool has_gravity_potential = true;                       // gravity is constant in space and time
  double max_speed = 0;
  std::size_t grid_nodes = 0;
  double plastic_fraction = 0;        // share of particles that yielded in the last step
  std::vector<SpeciesStats> species;  // where there are several, else empty
  std::vector<ProbeReading> probes;
  double wall = 0;  // s
  std::vector<ColliderLoad> colliders;
  std::optional<SolveTotals> solves;       // of implicit steps
  std::optional<GrainTotals> grains;       // of granular SPH
  std::optional<std::size_t> fine_grains;  // where the scene has them
  std::optional<FlowTotals> flow;          // where there are emitters or sinks
  // Particles that took each transition since the run began, by name.
  std::vector<std::pair<std::string, std::uint64_t>> transitions;
  std::vector<std::pair<std::string, double>> phases;
};

enum class FrameOutcome { done, interrupted };

// What a run would take, before anything runs.
struct WorldSize {
  std::size_t particles = 0;
  std::size_t blocks = 0;
  std::size_t grid_nodes = 0;
  std::size_t fine_grains = 0;
  std::size_t bytes = 0;
  double first_dt = 0;
};

class World {
 public:
  // With the solver of the scene, or with another where its maker is given.
  static Result<std::unique_ptr<World>> create(const SceneSettings& settings, Precision precision,
                                               Device device = Device::cpu,
                                               const SolverMaker* maker = nullptr);
  // The scene's materials and surroundings with particles of the caller's making.
  static Result<std::unique_ptr<World>> create_from_particles(const SceneSettings& settings,
                                                              std::vector<ObjectParticles> objects,
                                                              Precision precision,
                                                              Device device = Device::cpu,
                                                              const SolverMaker* maker = nullptr);
  // Continues from an image made by save().
  static Result<std::unique_ptr<World>> restore(const SceneSettings& settings, Precision precision,
                                                const StateImage& image,
                                                Device device = Device::cpu,
                                                const SolverMaker* maker = nullptr);
  virtual ~World() = default;

  // Runs to the next frame time, or stops between two steps when `stop` becomes true: after one
  // step where it was true before. When `drop` becomes true, a step that takes long is dropped; it
  // is taken later, as if it had never begun. A simulation that went unstable is an error that
  // names the particle, the step and the likely cause.
  virtual Result<FrameOutcome> advance_frame(const std::atomic<bool>& stop,
                                             const std::atomic<bool>* drop = nullptr) = 0;
  // One step of at most the stable dt; for tests and benchmarks. Returns the dt taken.
  virtual Result<double> advance_step() = 0;

  virtual FrameStats statistics() const = 0;
  virtual WorldSize size() const = 0;
  // Particles in the order of their ids, with the fields named (scene/output_fields.h), the meshes
  // of the solver between them, and where moving bodies are.
  virtual Frame snapshot(const std::vector<std::string>& fields) const = 0;
  // Fine grains in the order of their ids, with velocity, id, material and color as far as they are
  // named; none where the scene has no such section.
  virtual Frame grains(const std::vector<std::string>&) const { return {}; }
  virtual StateImage save() const = 0;
  // The state as the same scene with some settings changed goes on from it. Where the number of
  // colliders changed, their loads in this frame start at zero. An object of another density keeps
  // its particles, whose mass changes; grains made in another way are made anew, of the particles
  // as they lie.
  virtual StateImage save_for(const SceneSettings& changed) const = 0;

  virtual std::int64_t frame() const = 0;
  virtual double time() const = 0;
  virtual std::int64_t total_steps() const = 0;
  virtual std::int64_t steps_in_frame() const = 0;

  // Share of the particles that yielded in the newest step.
  virtual double plastic_fraction() const = 0;
  // Seconds per phase since the timers were last reset; a frame does not reset them.
  virtual std::vector<std::pair<std::string, double>> phases() const = 0;
  virtual void reset_timers() = 0;
  // Bytes that one step reads and writes, counted from the columns and nodes its stages touch.
  virtual double bytes_moved_per_step() const = 0;
  virtual std::size_t device_bytes() const = 0;  // of memory on the device, 0 without one

  // An extra acceleration, a function of the particle's initial position and time, applied to the
  // particles: manufactured solutions in validation need it.
  using BodyForce = std::function<Vec3d(const Vec3d& initial_position, double time)>;
  virtual void set_body_force(BodyForce force) = 0;

  // What a user should know of the steps since this was last asked, one line each.
  virtual std::vector<Note> take_notes() = 0;

  // Acts on the particles in every step from now on.
  virtual void set_force(const InteractiveForce& force) = 0;
};

}  // namespace firn
