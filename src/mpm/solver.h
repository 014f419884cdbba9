// The explicit MPM step on one grid.
#pragma once

#include <memory>

#include "exec/timers.h"
#include "mpm/grid_update.h"
#include "mpm/implicit_step.h"
#include "mpm/mirror_map.h"
#include "mpm/porous_pass.h"
#include "mpm/stages.h"
#include "mpm/state.h"

namespace firn {

template <class T, int D>
class MpmSolver {
 public:
  MpmSolver(const MpmSettings& settings, std::shared_ptr<const ColliderSet> obstacles,
            std::shared_ptr<Timers> timers = std::make_shared<Timers>());
  // With obstacles of its own.
  MpmSolver(const MpmSettings& settings, ColliderSet obstacles);
  MpmSolver(const MpmSolver&) = delete;  // its parts know each other

  // Sizes node fields and the contact map after the topology changed (also after a restart).
  void prepare(MpmState<T, D>& state);
  // Initial stress, wave speeds and (of the objects for which it is asked) volumes from the grid.
  StepReport initialize(MpmState<T, D>& state, const std::vector<bool>& estimate_volume);
  // `field` is gravity where it varies in space, in place of the uniform one. An implicit step that
  // misses its tolerance or goes too far is not taken unless it must be accepted.
  StepReport step(MpmState<T, D>& state, double dt, const Vec3d& gravity,
                  const GravityField* field = nullptr, bool must_accept = true);

  // The same for the particles behind first[s] of each set, before they are sorted in.
  StepReport initialize_new(std::vector<MaterialSet<T, D>>& sets,
                            const std::vector<std::size_t>& first);

  // Obstacles took their places for the next step, by which they advance so many cells near
  // particles at most.
  void obstacles_advance(const MpmState<T, D>& state, double cells);

  // Asked now and then within an implicit step; true drops the step.
  void set_cancelled(std::function<bool()> cancelled) { cancelled_ = std::move(cancelled); }

  const MpmSettings& settings() const { return settings_; }
  const std::vector<Collider>& colliders() const { return obstacles_->all(); }
  // What each owner of colliders gave to the particles in the newest step.
  const std::vector<ContactImpulse>& impulses() const { return impulses_; }
  Timers& timers() { return *timers_; }
  // Bytes that a step reads and writes in its stages (sorting, which is rare, left out).
  double bytes_moved(const MpmState<T, D>& state) const;
  std::size_t bytes(const MpmState<T, D>& state) const;

 private:
  StepContext<T, D> make_context(double dt, const Vec3d& gravity) const;
  void estimate_volumes(const StepContext<T, D>& ctx, const std::vector<bool>& of_objects,
                        MpmState<T, D>& state, int s);
  // The rest of a step, once the nodes have their velocities.
  StepReport finish_step(const StepContext<T, D>& ctx, MpmState<T, D>& state, double dt,
                         const VariedFinding& varied);
  StepReport implicit_step(const StepContext<T, D>& ctx, MpmState<T, D>& state, double dt,
                           const VariedFinding& varied, bool must_accept);
  static StepReport bad_field_at(std::int64_t node, const BlockTopology<D>& blocks, double spacing);
  // What gravity adds to the velocities of the nodes; gives the first where it is not finite, or
  // -1. The same for the surfaces of obstacles.
  std::int64_t find_kicks(const StepContext<T, D>& ctx, const MpmState<T, D>& state);
  void scatter_to_grid(const StepContext<T, D>& ctx, MpmState<T, D>& state);
  // The number of the first node where gravity is not finite (slot x kNodes + node), or -1.
  std::int64_t update_grid(const StepContext<T, D>& ctx, MpmState<T, D>& state);
  // Velocities of the nodes of a block after all that acts there. These give the first node where
  // gravity or a surface is not finite, or -1.
  int update_block(const StepContext<T, D>& ctx, MpmState<T, D>& state, int slot);
  int update_mixed_block(const StepContext<T, D>& ctx, MpmState<T, D>& state, int slot);
  // Species that met no obstacle and those that did, at the same nodes.
  void exchange_near_obstacles(const StepContext<T, D>& ctx, MpmState<T, D>& state);
  // Those of one species after stress, gravity and contact with the obstacles given.
  int advance_nodes(const StepContext<T, D>& ctx, MpmState<T, D>& state, int species, int slot,
                    const NodeObstacles<D>& near);
  // Contact of the nodes of blocks at smooth walls (collision/mirror.h).
  void meet_mirrors(const StepContext<T, D>& ctx, const BlockTopology<D>& blocks,
                    SpeciesNodes<T, D>& on);
  StepReport gather_from_grid(const StepContext<T, D>& ctx, MpmState<T, D>& state);
  void collide_particles(const StepContext<T, D>& ctx, MpmState<T, D>& state);
  bool keep_sorted(MpmState<T, D>& state, double moved);
  // Parameters that are expressions, every few steps.
  VariedFinding keep_varied(MpmState<T, D>& state);
  void build_contacts(const MpmState<T, D>& state);
  void sum_impulses();
  void add_landed_impulses();

  MpmSettings settings_;
  std::shared_ptr<const ColliderSet> obstacles_;
  Stages<T, D> stages_;
  PorousPass<T, D> porous_;
  ContactMap<D> contacts_;
  MirrorMap<D> mirrors_;
  Buffer<Node<T>> folded_;  // masses of nodes of blocks at smooth walls while these meet them
  double body_drift_ = 0;   // cells, of bodies since the map was built
  std::vector<std::vector<ContactImpulse>> given_;   // per block and collider of its list
  std::vector<std::vector<ContactImpulse>> landed_;  // the same by the guard of particles
  std::vector<ContactImpulse> impulses_;             // per owner
  std::shared_ptr<Timers> timers_;
  std::function<bool()> cancelled_;
  ImplicitStep<T, D> implicit_;
};

}  // namespace firn
