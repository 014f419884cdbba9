// Particles that come from emitters and go into sinks while a world runs.
#pragma once

#include <functional>

#include "base/result.h"
#include "cuda/device_solver.h"
#include "mpm/renew.h"
#include "mpm/solver.h"
#include "sim/emitter.h"
#include "sim/world.h"

namespace firn {

constexpr const char* kTooFar =
    "/emitters: a particle lies too far from the origin for the grid; move the emitter or raise "
    "/grid/spacing";

template <class T, int D>
class ParticleFlow {
 public:
  explicit ParticleFlow(const SceneSettings& scene);

  bool any() const { return !emitters_.empty() || !sinks_.empty(); }
  // To be called once the first particles are there.
  void set_next_id(std::uint64_t id) { next_id_ = id; }

  // After a step that ended at `time`; `sorted`: the particles were sorted in it, or a frame ends,
  // and sinks are looked at. What new particles do to the next dt goes into `report`.
  Errors update(const SceneSettings& scene, MpmSolver<T, D>& solver, MpmState<T, D>& state,
                double time, bool sorted, StepReport& report);

  // The same for particles that a device holds.
  Errors update_on_device(const SceneSettings& scene, MpmSolver<T, D>& solver,
                          DeviceSolver<T, D>& device, double time, bool sorted, StepReport& report);
  // What a device must know: the sinks, which sets get particles, and when to look at emitters.
  std::vector<Shape> sink_shapes() const;
  std::vector<bool> emits(std::size_t sets) const;
  std::vector<EmitterWait> waits() const;
  // The least of all particles that a set has or had, kg/m^3; infinite where there were none. What
  // bounds dt must not depend on who is there now.
  double least_density(std::size_t set) const { return least_density_[set]; }
  void set_least_densities(std::vector<double> of_sets) { least_density_ = std::move(of_sets); }

  // For statistics and checkpoints.
  FlowTotals totals() const { return totals_; }
  std::vector<double> save() const;
  // False where it cannot be of a run at `time`: emitters are looked at every `longest` s at least.
  bool load(const std::vector<double>& saved, double time, double longest);

 private:
  struct Sink {
    Shape shape;
    double start, stop;
  };
  struct Arrival {
    std::size_t emitter;
    std::vector<Vec3d> positions;
  };

  // Drops the places of an emitter where there is no room.
  using DropFull = std::function<Errors(const Emitter&, std::vector<Vec3d>&)>;
  Result<std::vector<Arrival>> arrivals(double time, bool all, const DropFull& drop_full);
  // New particles behind those of their sets; `world` gets their positions.
  void append_arrivals(const SceneSettings& scene, const std::vector<Arrival>& coming,
                       std::vector<MaterialSet<T, D>>& sets,
                       std::vector<std::vector<Vec3d>>& world);
  bool has_room(const MpmState<T, D>& state, const MpmSettings& settings, const Emitter& emitter,
                const Vec3d& x) const;
  bool mark_removed(const MpmState<T, D>& state, const MpmSettings& settings, double time,
                    std::vector<std::vector<char>>& removed);

  std::vector<Emitter> emitters_;
  std::vector<Sink> sinks_;
  std::vector<double> emitted_until_;  // s, per emitter
  std::vector<double> least_density_;  // by set; arrivals lower it
  std::uint64_t next_id_ = 0;
  FlowTotals totals_;
};

}  // namespace firn
