// Particles that come from emitters and go into sinks while a world runs.
#pragma once

#include "base/result.h"
#include "mpm/renew.h"
#include "mpm/solver.h"
#include "sim/emitter.h"
#include "sim/world.h"

namespace firn {

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

  // For statistics and checkpoints.
  FlowTotals totals() const { return totals_; }
  std::vector<double> save() const;
  bool load(const std::vector<double>& saved);

 private:
  struct Sink {
    Shape shape;
    double start, stop;
  };
  struct Arrival {
    std::size_t emitter;
    std::vector<Vec3d> positions;
  };

  std::vector<Arrival> arrivals(const MpmState<T, D>& state, const MpmSettings& settings,
                                double time, bool all);
  bool has_room(const MpmState<T, D>& state, const MpmSettings& settings, const Emitter& emitter,
                const Vec3d& x) const;
  bool mark_removed(const MpmState<T, D>& state, const MpmSettings& settings, double time,
                    std::vector<std::vector<char>>& removed);

  std::vector<Emitter> emitters_;
  std::vector<Sink> sinks_;
  std::vector<double> emitted_until_;  // s, per emitter
  std::uint64_t next_id_ = 0;
  FlowTotals totals_;
};

}  // namespace firn
