// What a world asks of a solver. A solver holds the particles and moves them; frames, gravity,
// obstacles, sources, probes, statistics and files are the world's (docs/solvers.md).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "collision/collider_set.h"
#include "exec/timers.h"
#include "expr/varying.h"
#include "particles/frame.h"
#include "particles/particles.h"
#include "particles/transitions.h"
#include "solver/particle_rows.h"
#include "solver/state_image.h"
#include "solver/stretch.h"

namespace firn {

// What of a world a solver sees.
struct Surroundings {
  std::shared_ptr<const ColliderSet> obstacles;  // in their places for a step
  VaryingValue gravity[3];
  bool gravity_in_space = false;  // it varies from place to place
  std::vector<Shape> sinks;
  std::vector<bool> emits;  // by set: whether particles may come
  Transitions transitions;  // looked at by the solver, at the start and every few steps
  std::shared_ptr<Timers> timers;
};

// Particles that come and go between two steps.
template <class T, int D>
struct ParticleTraffic {
  Particles<T, D> fresh;                  // new ones, not sorted
  std::vector<std::vector<Vec3d>> world;  // their positions, by set, m
  std::vector<bool> open_sinks;
  double time = 0;  // s

  bool comes() const { return fresh.count() > 0; }
};
// Running totals of those that went.
struct RemovedParticles {
  std::uint64_t count = 0;
  double mass = 0;  // kg
};

constexpr const char* kTooFar =
    "/emitters: a particle lies too far from the origin for the grid; move the emitter or raise "
    "/grid/spacing";

template <class T, int D>
class Solver {
 public:
  virtual ~Solver() = default;

  // What particles need before their first step; `estimate_volume` by object of the scene.
  virtual Result<StepReport> start(const std::vector<bool>& estimate_volume) = 0;
  // The same for particles of a checkpoint, which lack nothing; obstacles are in their places.
  virtual Errors resume(const StateImage& image) = 0;
  // What a checkpoint keeps beside the particles.
  virtual void save(StateImage&) const {}

  // How dt follows from reports; `least_density` of all particles that a set has or had, kg/m^3.
  virtual StepRule step_rule(const std::vector<double>& least_density) const = 0;
  // Whether it takes many steps by itself, where neither obstacles move nor kicks come.
  virtual bool runs_alone() const { return false; }
  virtual Result<StretchResult> run(const Stretch& stretch) = 0;

  // The state of the newest step, brought over from a device where it is there.
  virtual const Particles<T, D>& particles() const = 0;
  virtual std::size_t count() const { return particles().count(); }
  // Corners between which the blocks with particles lie; the wrong way round where there are none.
  virtual std::pair<BlockCoord<D>, BlockCoord<D>> occupied_corners() const {
    return firn::occupied_corners(particles().blocks);
  }
  // Cells between particles that frames show; those whose particles are gone are left out.
  virtual std::vector<SolverMesh> meshes() const { return {}; }

  // J, of solvers whose particles do not carry it.
  virtual std::optional<double> elastic_energy() const { return {}; }

  // Adds kicks[id] to the velocities of particles, m/s.
  virtual Errors kick(const std::vector<Vec3d>& kicks) = 0;
  // Volume of the particles around each point, in a ball.
  virtual Result<std::vector<double>> volume_around(const std::vector<Vec3d>& points,
                                                    double radius) = 0;
  // Whether it writes the particles of a species, as they are on its device, into rows there.
  virtual bool writes_rows() const { return false; }
  virtual Errors write_rows(int /*species*/, const ParticleRows<D>&) { return {}; }
  // Lets particles in and takes those out that are in open sinks; what new ones do to the next dt
  // goes into `report`.
  virtual Errors exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                          StepReport& report) = 0;

  // Particles that took each transition so far, by number of the scene's list; solvers that know
  // none leave it empty.
  virtual std::vector<std::uint64_t> transition_counts() const { return {}; }

  virtual std::size_t bytes() const = 0;                  // of memory on the host
  virtual std::size_t device_bytes() const { return 0; }  // and on the device
  // That one step reads and writes, counted from the columns and nodes its stages touch.
  virtual double bytes_moved_per_step() const { return 0; }
};

}  // namespace firn
