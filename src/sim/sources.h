// Sources and sinks: particles that come from emitters and go while a world runs.
#pragma once

#include "base/result.h"
#include "sim/emitter.h"
#include "sim/fine_grains.h"
#include "sim/solver_maker.h"
#include "sim/world.h"

namespace firn {

template <class T, int D>
class Sources {
 public:
  explicit Sources(const SceneSettings& scene);

  bool any() const { return !emitters_.empty() || !sinks_.empty(); }
  // To be called once the first particles are there.
  void set_next_id(std::uint64_t id) { next_id_ = id; }

  // After a step that ended at `time`; `sorted`: the particles were sorted in it, or a frame ends,
  // and sinks are looked at. What new particles do to the next dt goes into `report`; `grains`,
  // which may be null, will meet them.
  Errors update(const SceneSettings& scene, const ParticlePlan& plan, Solver<T, D>& solver,
                double time, bool sorted, StepReport& report, FineGrains<T, D>* grains);

  // What a solver must know: the sinks, which sets get particles, and when to look at emitters.
  std::vector<Shape> sink_shapes() const;
  std::vector<Shape> open_sinks(double time) const;
  std::vector<bool> emits() const;
  std::vector<EmitterWait> waits() const;  // of the emitters that are not over
  // The least of all particles that a set has or had, kg/m^3; infinite where there were none. What
  // bounds dt must not depend on who is there now.
  const std::vector<double>& least_densities() const { return least_density_; }
  void set_least_densities(std::vector<double> of_sets) { least_density_ = std::move(of_sets); }
  // Particles came to sets by other ways.
  void lower_densities(const std::vector<double>& of_sets);

  // For statistics and checkpoints.
  FlowTotals totals() const { return totals_; }
  std::vector<double> save() const;
  // False where it cannot be of a run at `time`: emitters are looked at every `longest` s at least.
  bool load(const std::vector<double>& saved, double time, double longest);

 private:
  EmitterWait wait_of(std::size_t emitter) const;
  struct Sink {
    Shape shape;
    double start, stop;
  };
  struct Arrival {
    std::size_t emitter;
    std::vector<Vec3d> positions;
  };

  Result<std::vector<Arrival>> arrivals(double time, bool all, Solver<T, D>& solver);
  // Drops the places of an emitter where there is no room.
  Errors drop_full(const Emitter& emitter, Solver<T, D>& solver,
                   std::vector<Vec3d>& positions) const;
  void add_fresh(const ParticlePlan& plan, const std::vector<Arrival>& coming,
                 ParticleTraffic<T, D>& traffic);

  std::vector<Emitter> emitters_;
  std::vector<Sink> sinks_;
  std::vector<double> emitted_until_;  // s, per emitter
  std::vector<double> least_density_;  // by set; arrivals lower it
  std::uint64_t next_id_ = 0;
  FlowTotals totals_;
};

}  // namespace firn
