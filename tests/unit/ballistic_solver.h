// The smallest solver: particles that fly with drag and bounce off obstacles. What a solver must
// write and what it gets from the world is in docs/solvers.md.
#pragma once

#include <algorithm>
#include <cmath>

#include "particles/sort.h"
#include "scene/particle_sets.h"
#include "sim/solver_maker.h"
#include "solver/source_tools.h"

namespace firn {

template <class T, int D>
class BallisticSolver : public Solver<T, D> {
 public:
  static constexpr double kDrag = 0.5;  // 1/s

  BallisticSolver(const Surroundings& around, double max_dt, Particles<T, D> particles)
      : around_(around), max_dt_(max_dt), all_(std::move(particles)) {}

  Result<StepReport> start(const std::vector<bool>&) override { return report(0); }
  Errors resume(const StateImage&) override { return {}; }
  StepRule step_rule(const std::vector<double>&) const override {
    return {0, max_dt_, 0.5 * all_.spacing, 0};  // half a cell a step
  }
  Result<StretchResult> run(const Stretch& stretch) override {
    const double dt = stretch.given_dt;
    StretchResult result(stretch.clock());
    result.impulses.resize(owners());
    if (stretch.force.kind != ForceKind::none)
      apply_force(all_, stretch.force, dt, stretch.force_cells * all_.spacing / dt);
    for (auto& set : all_.sets)
      for (int b = 0; b < all_.blocks.occupied(); ++b)
        for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p)
          fly(set.particles, b, p, stretch.time() + dt / 2, dt, result.impulses);
    result.report = report(dt);
    all_.drift += result.report.drift;
    result.sorted = all_.drift > 0.5 * BlockShape<D>::kMargin;
    if (result.sorted) sort_after_drift(all_);
    result.advance(dt);
    result.sources_due = true;
    return result;
  }
  const Particles<T, D>& particles() const override { return all_; }
  Errors kick(const std::vector<Vec3d>& kicks) override {
    apply_kicks(all_, kicks);
    return {};
  }
  Result<std::vector<double>> volume_around(const std::vector<Vec3d>& points,
                                            double radius) override {
    std::vector<double> taken;
    for (const Vec3d& x : points) taken.push_back(firn::volume_around(all_, x, radius));
    return taken;
  }
  Errors exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                  StepReport& found) override {
    const ParticleChanges<T, D> changes = begin_exchange(all_, around_.sinks, traffic, removed);
    if (Errors errors = finish_exchange(all_, changes); !errors.empty()) return errors;
    found.max_signal = std::max(found.max_signal, report(0).max_signal);
    return {};
  }
  std::size_t bytes() const override {
    std::size_t total = all_.blocks.bytes();
    for (const auto& set : all_.sets) total += set.particles.bytes();
    return total;
  }

 private:
  std::size_t owners() const {
    int most = -1;
    for (const Collider& c : around_.obstacles->all()) most = std::max(most, c.owner);
    return static_cast<std::size_t>(most + 1);
  }
  // Exact in time for drag and gravity that do not change in the step; then a bounce.
  void fly(ParticleSet<T, D>& set, int b, std::uint32_t p, double middle, double dt,
           std::vector<ContactImpulse>& impulses) {
    Vec3d x = world_position(all_, set, b, p), v = Vec3d::zero(), g = Vec3d::zero();
    for (int a = 0; a < D; ++a) {
      v[a] = set.velocity[a][p];
      g[a] = around_.gravity[a].at(x, middle);
    }
    const double rest = std::exp(-kDrag * dt), way = (1 - rest) / kDrag;
    const Vec3d step = v * way + g * ((dt - way) / kDrag);
    v = v * rest + g * way;
    Vec3d moved = step;
    for (const Collider& c : around_.obstacles->all()) {
      const DistanceAndNormal d = distance_to(c, x + step);
      const double into = dot(v - velocity_at(c, x, d.normal), d.normal);
      if (d.distance >= 0 || into >= 0) continue;
      v -= d.normal * (2 * into);
      moved -= d.normal * d.distance;
      impulses[c.owner].linear -= d.normal * (2 * into * double(set.mass[0][p]));
    }
    for (int a = 0; a < D; ++a) {
      set.velocity[a][p] = T(v[a]);
      set.position[a][p] += T(moved[a] / all_.spacing);
    }
  }
  StepReport report(double dt) const {
    StepReport found;
    for (const auto& set : all_.sets)
      for (std::size_t p = 0; p < set.particles.size(); ++p) {
        double speed2 = 0;
        for (int a = 0; a < D; ++a) speed2 += square(double(set.particles.velocity[a][p]));
        found.max_speed = std::max(found.max_speed, std::sqrt(speed2));
      }
    found.max_signal = found.max_motion = found.max_speed;
    found.drift = 1.1 * found.max_speed * dt / all_.spacing;  // it may have been a little faster
    return found;
  }

  Surroundings around_;
  double max_dt_;
  Particles<T, D> all_;
};

class BallisticMaker final : public SolverMakerOf<BallisticMaker> {
 public:
  ParticlePlan plan(const SceneSettings& scene) const override {
    ParticlePlan plan;
    plan.layouts.resize(planned_sets(scene).size());
    return plan;
  }
  template <class T, int D>
  static Made<T, D> make_one(const SceneSettings& scene, const Surroundings& around,
                             Particles<T, D> particles, Device device) {
    if (device != Device::cpu) return Errors{"ballistic particles fly on the CPU alone"};
    std::unique_ptr<Solver<T, D>> made = std::make_unique<BallisticSolver<T, D>>(
        around, scene.integrator.explicit_max_dt, std::move(particles));
    return made;
  }
};

}  // namespace firn
