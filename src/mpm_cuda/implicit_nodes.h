// What implicit steps do node by node: objective, gradient, product with the Hessian, the blocks of
// the preconditioner. As ImplicitObjective and NodePreconditioner have them on the CPU.
#pragma once

#include "mpm/implicit_block.h"
#include "mpm_cuda/coarse_level.h"
#include "mpm_cuda/grid.h"
#include "mpm_cuda/implicit_arenas.h"
#include "mpm_cuda/implicit_contacts.h"

namespace firn {

// Momentum of the arenas becomes velocities: at the start, and under gravity alone.
template <class T, int D>
struct FindVelocities {
  View<T, D> view;
  T* mass;
  DeviceNode<T>*before, *free;

  __device__ void operator()(std::size_t i) const {
    const Control& control = *view.control;
    const DeviceNode<T> momentum = arena_sum(view, view.arenas, i);
    const T m = momentum.e[kMassLane];
    DeviceNode<T> start{}, moved{};
    if (m > kLeastMass<T>) {
      const T inverse = T(1) / m, dt = T(control.dt);
      Vec<T, D> kick;
      if (view.gravity_in_space)
        kick = gravity_kick(view, i, dt);
      else
        for (int a = 0; a < D; ++a) kick[a] = dt * T(control.gravity[a]);
      for (int a = 0; a < D; ++a) {
        start.e[a] = momentum.e[a] * inverse;
        moved.e[a] = start.e[a] + kick[a];
      }
    }
    mass[i] = m > kLeastMass<T> ? m : T(0);
    store_node(before + i, start);
    store_node(free + i, moved);
  }
};

template <class T>
struct MassTerm {
  static constexpr int kSums = 1;
  const T* mass;

  __device__ void operator()(std::size_t i, double (&terms)[1]) const { terms[0] = mass[i]; }
};
// Mass, and squares of the velocity at the start and of what gravity adds, times it.
template <class T, int D>
struct StartTerm {
  static constexpr int kSums = 3;
  const T* mass;
  const DeviceNode<T>*before, *free;

  __device__ void operator()(std::size_t i, double (&terms)[3]) const {
    const DeviceNode<T> start = load_node(before + i), moved = load_node(free + i);
    DeviceNode<T> gained{};
    for (int a = 0; a < D; ++a) gained.e[a] = moved.e[a] - start.e[a];
    terms[0] = double(mass[i]);
    terms[1] = mass_product<T, D>(mass[i], start, start);
    terms[2] = mass_product<T, D>(mass[i], gained, gained);
  }
};

// Inertia of all nodes and friction of the unknowns v, J.
template <class T, int D>
struct ObjectiveTerm {
  static constexpr int kSums = 1;
  ContactView<T, D> contacts;
  const T* mass;
  const DeviceNode<T>*all, *free, *v;

  __device__ void operator()(std::size_t i, double (&terms)[1]) const {
    const DeviceNode<T> now = load_node(all + i), start = load_node(free + i);
    double sum = 0;
    for (int a = 0; a < D; ++a) {
      const double change = double(now.e[a]) - double(start.e[a]);
      sum += change * change;
    }
    terms[0] = 0.5 * double(mass[i]) * sum;
    if (!contacts.is_near(i)) return;
    const auto at = contacts.place(i);
    terms[0] += friction_energy<T, D>(at.node, at.sole(), velocity_of<T, D>(load_node(v + i)));
  }
};
// The elastic part where that is a parabola, from (1 + beta M^-1 K) v, which becomes its
// derivative.
template <class T, int D>
struct QuadraticTerm {
  static constexpr int kSums = 1;
  const T* mass;
  const DeviceNode<T>*v, *start_forces;
  DeviceNode<T>* forces;

  __device__ void operator()(std::size_t i, double (&terms)[1]) const {
    const DeviceNode<T> now = load_node(v + i), start = load_node(start_forces + i);
    DeviceNode<T> product = load_node(forces + i);
    for (int a = 0; a < D; ++a) {
      terms[0] +=
          (0.5 * double(mass[i]) * (double(product.e[a]) - double(now.e[a])) + double(start.e[a])) *
          double(now.e[a]);
      product.e[a] = (product.e[a] - now.e[a]) * mass[i] + start.e[a];
    }
    store_node(forces + i, product);
  }
};

// m times the gradient, of all nodes; without friction.
template <class T, int D>
struct FindImpulses {
  const T* mass;
  const DeviceNode<T>*all, *free, *forces;
  DeviceNode<T>* impulses;

  __device__ void operator()(std::size_t i) const {
    DeviceNode<T> sum{};
    if (mass[i] > T(0)) {
      const DeviceNode<T> now = load_node(all + i), start = load_node(free + i),
                          force = load_node(forces + i);
      for (int a = 0; a < D; ++a) sum.e[a] = (now.e[a] - start.e[a]) * mass[i] + force.e[a];
    }
    store_node(impulses + i, sum);
  }
};
template <class T, int D>
struct FindGradient {
  ContactView<T, D> contacts;
  const T* mass;
  const DeviceNode<T>*v, *free, *forces;
  const DeviceNode<T>* folded;  // impulses in place of the forces, where there are mirrors; or null
  bool with_friction;
  DeviceNode<T>* gradient;

  __device__ void operator()(std::size_t i) const {
    DeviceNode<T> g{};
    if (mass[i] > T(0)) {
      const DeviceNode<T> now = load_node(v + i), start = load_node(free + i),
                          force = load_node((folded ? folded : forces) + i);
      const T scale = T(1 / double(mass[i]));
      for (int a = 0; a < D; ++a)
        g.e[a] = (folded ? T(0) : now.e[a] - start.e[a]) + force.e[a] * scale;
      if (with_friction) contacts.add_friction_gradient(i, now, g);
    }
    store_node(gradient + i, g);
  }
};

// M d + share K d of all nodes from the arenas of K d.
template <class T, int D>
struct WholeProduct {
  View<T, D> view;
  const T* mass;
  const DeviceNode<T>* d;
  double share;
  DeviceNode<T>* out;

  __device__ void operator()(std::size_t i) const {
    const DeviceNode<T> force = arena_sum(view, view.arenas, i), along = load_node(d + i);
    DeviceNode<T> sum{};
    for (int a = 0; a < D; ++a) sum.e[a] = along.e[a] * mass[i] + force.e[a] * T(share);
    store_node(out + i, sum);
  }
};
// d + share M^-1 K d from the arenas of K d, and what friction adds where that is asked for.
template <class T, int D>
struct HessianProduct {
  View<T, D> view;
  ContactView<T, D> contacts;
  const T* mass;
  const DeviceNode<T>* d;
  double share;
  bool with_friction = true;
  const DeviceNode<T>* folded = nullptr;  // M d + share K d, where there are mirrors

  __device__ DeviceNode<T> operator()(std::size_t i) const {
    DeviceNode<T> out{};
    if (!(mass[i] > T(0))) return out;
    const DeviceNode<T> force = folded ? load_node(folded + i) : arena_sum(view, view.arenas, i);
    const DeviceNode<T> along = load_node(d + i);
    const T scale = T((folded ? 1 : share) / double(mass[i]));
    for (int a = 0; a < D; ++a) out.e[a] = (folded ? T(0) : along.e[a]) + force.e[a] * scale;
    if (with_friction) contacts.add_friction_product(i, along, out);
    return out;
  }
};
template <class T, int D>
struct StoreProduct {
  HessianProduct<T, D> product;
  DeviceNode<T>* out;

  __device__ void operator()(std::size_t i) const { store_node(out + i, product(i)); }
};

// Blocks of nodes: entries on the diagonal and beside it; null: none. And the coarser grid whose
// last cycle was for the same residual; without nodes: none.
template <class T, int D>
struct PreconditionerView {
  const DeviceNode<T>*diagonal = nullptr, *beside = nullptr;
  CoarseLevel<T, D> coarser;

  __device__ DeviceNode<T> apply(std::size_t i, const DeviceNode<T>& r) const {
    if (!diagonal) return r;
    const DeviceNode<T> on = load_node(diagonal + i), off = load_node(beside + i);
    DeviceNode<T> z{};
    set_velocity(block_product<T, D>([&](int a) { return on.e[a]; },
                                     [&](int k) { return off.e[k]; }, velocity_of<T, D>(r)),
                 z);
    if (coarser.nodes > 0) set_velocity(velocity_of<T, D>(z) + coarser.at_finer(i, coarser.y), z);
    return z;
  }
};
template <class T, int D>
struct InvertBlocks {
  ContactView<T, D> contacts;
  const T* mass;
  const DeviceNode<T>*sum, *sum_beside;
  double share;
  bool whole;
  DeviceNode<T>*diagonal, *beside;

  __device__ void operator()(std::size_t i) const {
    DeviceNode<T> on = load_node(sum + i), off = load_node(sum_beside + i);
    SymMat<T, D> part;
    if (contacts.is_near(i)) {
      const auto at = contacts.place(i);
      if (friction_block<T, D>(at.node, at.sole(), part))
        for (int a = 0, k = 0; a < D; ++a) {
          on.e[a] += T(1 / share) * part(a, a);
          for (int b = a + 1; b < D; ++b) off.e[k++] += T(1 / share) * part(a, b);
        }
    }
    const SymMat<double, D> inverse = inverse_block<D>(
        double(mass[i]), share, whole, [&](int a) { return on.e[a]; },
        [&](int k) { return off.e[k]; });
    DeviceNode<T> inverse_on{}, inverse_off{};
    for (int a = 0, k = 0; a < D; ++a) {
      inverse_on.e[a] = T(inverse(a, a));
      for (int b = a + 1; b < D; ++b) inverse_off.e[k++] = T(inverse(a, b));
    }
    store_node(diagonal + i, inverse_on);
    store_node(beside + i, inverse_off);
  }
};
// Springs that coarser grids see at the nodes, kg: friction, and directions that are closed.
template <class T, int D>
struct FindSprings {
  ContactView<T, D> contacts;
  const T* mass;
  const DeviceNode<T>* sum;  // blocks, over particles
  double share;
  SymMat<T, D>* springs;

  __device__ void operator()(std::size_t i) const {
    SymMat<T, D> found = SymMat<T, D>::isotropic(T(0)), part;
    if (contacts.is_near(i)) {
      const auto at = contacts.place(i);
      if (friction_block<T, D>(at.node, at.sole(), part)) add(found, part, T(1));
      const T stiffness = closed(i, trace(found));
      if (closed_part<T, D>(at.node, part)) add(found, part, stiffness);
    }
    contacts.following.for_each_at(i, [&](int k) {
      if (mirror_closes(contacts.following, k, i, part)) add(found, part, closed(i, T(0)));
    });
    springs[i] = found;
  }
  __device__ T closed(std::size_t i, T friction) const {
    const DeviceNode<T> on = load_node(sum + i);
    T own = T(0);
    for (int a = 0; a < D; ++a) own += on.e[a];
    return closed_spring(T(share) * own + friction, mass[i]);
  }
  __device__ static void add(SymMat<T, D>& to, const SymMat<T, D>& part, T scale) {
    for (int k = 0; k < SymMat<T, D>::kSize; ++k) to.e[k] += scale * part.e[k];
  }
  // The direction that a follower next to its wall closes at a node: at its own where that has a
  // weight, else at the one that it follows.
  __device__ static bool mirror_closes(const FollowingView<T, D>& following, int k, std::size_t i,
                                       SymMat<T, D>& part) {
    const FollowingNode<T, D>& f = following.all[k];
    if (following.use[k] == Follows::no || f.mirror.depth != 1) return false;
    const std::int64_t at = following.weights[f.node] > T(0) ? f.node : f.free[0];
    if (at != std::int64_t(i)) return false;
    for (int a = 0; a < D; ++a)
      for (int b = a; b < D; ++b) part(a, b) = f.mirror.normal[a] * f.mirror.normal[b];
    return true;
  }
};
// What followers without a weight close at one of the nodes of a round that some follow.
template <class T, int D>
struct AddLeaderSprings {
  FindSprings<T, D> springs;
  FollowingRounds rounds;
  int first_leader;

  __device__ void operator()(int number) const {
    const int leader = first_leader + number;
    const std::int64_t node = rounds.leaders[leader];
    SymMat<T, D> sum = springs.springs[node], part;
    for (int g = rounds.first_gift[leader]; g < rounds.first_gift[leader + 1]; ++g) {
      const int k = static_cast<int>(rounds.gifts[g] / 2);
      const auto& following = springs.contacts.following;
      if (rounds.gifts[g] % 2 == 0 && !(following.weights[following.all[k].node] > T(0)) &&
          springs.mirror_closes(following, k, std::size_t(node), part))
        springs.add(sum, part, springs.closed(std::size_t(node), T(0)));
    }
    springs.springs[node] = sum;
  }
};
template <class T, int D>
struct ApplyPreconditioner {
  PreconditionerView<T, D> preconditioner;
  const DeviceNode<T>* r;
  DeviceNode<T>* z;

  __device__ void operator()(std::size_t i) const {
    store_node(z + i, preconditioner.apply(i, load_node(r + i)));
  }
};

// The solution, as the gather wants it.
template <class T, int D>
struct StoreVelocities {
  const T* mass;
  const DeviceNode<T>*v, *from;
  DeviceNode<T>*velocity, *before;  // the latter may be null

  __device__ void operator()(std::size_t i) const {
    DeviceNode<T> node = load_node(v + i);
    node.e[kMassLane] = mass[i];
    store_node(velocity + i, node);
    if (before) store_node(before + i, load_node(from + i));
  }
};
// The fastest node; one that weighs less than the lightest particle counts by its share of that.
template <class T, int D>
struct FindSpeed {
  const T* mass;
  const DeviceNode<T>* v;
  const unsigned long long* lightest;  // kg, bits of a double
  unsigned long long* found;

  __device__ void operator()(std::size_t i) const {
    if (!(mass[i] > T(0))) return;
    const T speed = length_of(velocity_of<T, D>(load_node(v + i)));
    const T least = T(__longlong_as_double(static_cast<long long>(*lightest)));
    keep_max(found, double(speed * min_of(T(1), mass[i] / least)));
  }
};

}  // namespace firn
