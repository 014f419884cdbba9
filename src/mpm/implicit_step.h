// Velocities of the nodes at the end of an implicit step.
#pragma once

#include <functional>
#include <vector>

#include "mpm/implicit_objective.h"
#include "mpm/implicit_settings.h"
#include "solver/step_report.h"

namespace firn {

template <class T, int D>
class ImplicitStep {
 public:
  ImplicitStep(const MpmSettings& settings, const std::function<bool()>& cancelled)
      : settings_(settings),
        cancelled_(cancelled),
        operators_(settings.kernel, settings.transfer) {}

  // What gravity adds to the velocities of the nodes, to be filled before `run`.
  Buffer<Node<T>>& kicks() { return free_; }
  // Mass and momentum of the particles become velocities after the step, with all that acts within
  // it, in state.nodes[0]. given[slot][k]: impulses of the obstacles near a block.
  SolveReport run(const StepContext<T, D>& ctx, MpmState<T, D>& state,
                  const std::vector<Collider>& colliders, const ContactMap<D>& map,
                  const MirrorMap<D>& mirrors, std::vector<std::vector<ContactImpulse>>& given);

  // What the next step is to know of this one, once it is taken.
  void keep(const StepContext<T, D>& ctx, MpmState<T, D>& state) const {
    auto& grip = state.nodes[0].grip;
    if (contacts_.rubs() && !grip.keys.empty())
      contacts_.keep_friction(ctx.dt, grip.impulses.data());
  }
  // Mass and momentum of the particles to state.nodes[0]; before `run`.
  void scatter(const StepContext<T, D>& ctx, MpmState<T, D>& state) {
    operators_.use(state.nodes[0].arenas);
    operators_.momentum_to_nodes(ctx, state, state.nodes[0].velocity);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  using Vector = typename NodeSpace<T, D>::Vector;

  // Momenta become velocities at the start where they are, and kicks those under gravity alone.
  void find_velocities(Vector& nodes);
  double largest_motion(const MpmState<T, D>& state, const Vector& v) const;
  double typical_speed(const Vector& before) const;
  // Which nodes follow others behind smooth walls; without such walls none.
  void follow_mirrors(const StepContext<T, D>& ctx, const MpmState<T, D>& state,
                      const MirrorMap<D>& mirrors, double slack);

  const MpmSettings& settings_;
  const std::function<bool()>& cancelled_;
  Operators<T, D> operators_;
  NodeContactSet<T, D> contacts_;
  FollowingNodes<T, D> following_;
  NodeField<T, D> pushes_{"pushes"};  // of the stress at the start, where there are mirrors
  Buffer<T> mass_;
  Vector free_;  // velocities under gravity alone; before that, what it adds
  std::size_t bytes_ = 0;
};

}  // namespace firn
