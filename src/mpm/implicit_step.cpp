#include "mpm/implicit_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mpm/implicit_passes.h"

namespace firn {

template <class T, int D>
void ImplicitStep<T, D>::find_velocities(Vector& nodes) {
  mass_.resize(nodes.size());
  parallel_for("velocities", static_cast<std::int64_t>(nodes.size()), 4096,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   Node<T> node = nodes[i];
                   const T mass = node[kMassLane];
                   const bool empty = !(mass > kLeastMass<T>);
                   mass_[i] = empty ? T(0) : mass;
                   node = empty ? Node<T>(0) : node * Node<T>(T(1) / mass);
                   node.set(kMassLane, T(0));
                   nodes[i] = node;
                   free_[i] = empty ? node : node + free_[i];
                 }
               });
}

template <class T, int D>
double ImplicitStep<T, D>::typical_speed(const Vector& before) const {
  const NodeSpace<T, D> space(mass_);
  const double total_mass = space.sum([&](std::size_t i) { return double(mass_[i]); });
  const auto mean = [&](const auto& of) {
    return std::sqrt(space.sum([&](std::size_t i) {
      double sum = 0;
      for (int a = 0; a < D; ++a) sum += double(of(i)[a]) * double(of(i)[a]);
      return double(space.mass()[i]) * sum;
    }) / total_mass);
  };
  const double speed = mean([&](std::size_t i) { return before[i]; });
  const double gained = mean([&](std::size_t i) { return free_[i] - before[i]; });
  return std::max({speed, gained, 1e-12});
}

// The weight of a node at a particle is at most its mass over the particle's: a node with almost
// none may be as fast as it likes.
template <class T, int D>
double ImplicitStep<T, D>::largest_motion(const MpmState<T, D>& state, const Vector& v) const {
  T lightest = std::numeric_limits<T>::max();
  for (const auto& set : state.sets) {
    const T* mass = set.particles.mass[0];
    if (set.particles.size() > 0)
      lightest = std::min(lightest, *std::min_element(mass, mass + set.particles.size()));
  }
  return NodeSpace<T, D>(mass_).largest([&](std::size_t i) {
    const Vec<T, D> velocity = velocity_of<D>(v[i]);
    return std::sqrt(dot(velocity, velocity)) * std::min(T(1), mass_[i] / lightest);
  });
}

template <class T, int D>
void ImplicitStep<T, D>::follow_mirrors(const StepContext<T, D>& ctx, const MpmState<T, D>& state,
                                        const MirrorMap<D>& mirrors, double slack) {
  if (mirrors.empty()) return following_.build(mirrors, mass_, free_, T(slack));
  operators_.stress_to_nodes(ctx, state, pushes_);
  Vector trial = free_;
  NodeSpace<T, D>(mass_).for_nodes([&](std::size_t i) {
    if (mass_[i] > T(0)) trial[i] = trial[i] + pushes_.data()[i] * Node<T>(T(1) / mass_[i]);
  });
  following_.build(mirrors, mass_, trial, T(slack));
}

template <class T, int D>
SolveReport ImplicitStep<T, D>::run(const StepContext<T, D>& ctx, MpmState<T, D>& state,
                                    const std::vector<Collider>& colliders,
                                    const ContactMap<D>& map, const MirrorMap<D>& mirrors,
                                    std::vector<std::vector<ContactImpulse>>& given) {
  SpeciesNodes<T, D>& on = state.nodes[0];
  Vector& before = on.velocity.nodes();  // nobody else needs them until the step is over
  find_velocities(before);
  const auto any = [](T m) { return m > T(0); };
  if (std::none_of(mass_.data(), mass_.data() + mass_.size(), any)) return {};
  const double moves = typical_speed(before);
  follow_mirrors(ctx, state, mirrors, settings_.implicit.tolerance * moves);
  const NodeSpace<T, D> space(following_.empty() ? mass_ : following_.weights());
  contacts_.build(ctx, state.blocks, colliders, map, space.mass(), free_,
                  settings_.longest_stride() > 1, mirrors.empty() ? nullptr : &following_);
  contacts_.set_scale(free_);
  const bool rubs = contacts_.rubs() && !on.grip.keys.empty();
  if (rubs) contacts_.start_friction(on.grip.impulses.data(), ctx.dt);
  const bool relative = settings_.kernel != KernelKind::linear;
  ImplicitObjective<T, D> objective(space, ctx, state, operators_, relative, free_, contacts_,
                                    settings_.implicit.preconditioner, &following_);
  if (settings_.implicit.kind == IntegratorKind::semi_implicit)
    objective.make_quadratic(settings_.implicit.beta);
  const SolveGoal goal =
      SolveGoal::of<T>(settings_.implicit.tolerance, moves,
                       objective.stiffness() / objective.total_mass(), double(ctx.dt), ctx.spacing);

  Vector v = before, kept, g = space.make();
  following_.keep_free(v);
  if (!following_.empty()) following_.keep_free(kept = free_);
  const Vector& guess = following_.empty() ? free_ : kept;
  ImplicitPasses<T, NodeSpace<T, D>, ImplicitObjective<T, D>> passes(
      space, objective, settings_.implicit, rubs, goal, cancelled_);
  SolveReport report = passes.run(v, guess, g, [&](const Vector& at, const Vector& gradient) {
    return contacts_.update_friction(at, gradient);
  });
  if (report.cancelled) return report;
  contacts_.give_impulses(v, g, colliders, settings_.spacing, state.blocks, given);
  if (!following_.empty()) {
    Vector impulses = objective.whole_impulses();
    following_.give_impulses(impulses, colliders, map, state.blocks, settings_.spacing, given);
    following_.spread(v);
  }
  report.speed = largest_motion(state, v);
  bytes_ = objective.bytes() + mass_.bytes() + 8 * v.bytes();
  space.for_nodes([&](std::size_t i) {
    if (ctx.split) on.change.data()[i] = v[i] - before[i];
    Node<T> node = v[i];
    node.set(kMassLane, mass_[i]);
    before[i] = node;
  });
  return report;
}

template class ImplicitStep<float, 2>;
template class ImplicitStep<float, 3>;
template class ImplicitStep<double, 2>;
template class ImplicitStep<double, 3>;

}  // namespace firn
