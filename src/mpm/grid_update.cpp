#include "mpm/grid_update.h"

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

// `corner`: of the block's cells in the world, in cells.
template <int D>
void measure_clearance(const std::vector<Collider>& all, const Vec3d& corner, double h,
                       double stride, ParticleContacts<D>& contacts) {
  using Contacts = ParticleContacts<D>;
  constexpr int kSide = Contacts::kSide, kCells = power(kSide, D);
  contacts.still.of_cell.assign(kCells, 255);
  contacts.moving.of_cell.assign(kCells, 255);
  for (int cell = 0; cell < kCells; ++cell) {
    const Vec3d center = clearance_center<D>(corner, cell, h);
    for (const int c : contacts.colliders) {
      auto& clearance = stands_still(all[c]) ? contacts.still : contacts.moving;
      std::uint8_t& units = clearance.of_cell[cell];
      units = std::min(units, clearance_of<D>(all[c], center, h));
      clearance.least = std::min<int>(clearance.least, units);
    }
  }
  const double far = (stride + 1 + Contacts::kHalfDiagonal) * Contacts::kUnits;
  if (contacts.still.least > far &&
      contacts.moving.least > far + ContactMap<D>::kBodySlack * Contacts::kUnits)
    contacts = {};
}

template <int D>
void measure_distances(const std::vector<Collider>& all, const BlockCoord<D>& block, double h,
                       NodeObstacles<D>& near) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  near.distances.resize(near.colliders.size() * kNodes);
  for (std::size_t k = 0; k < near.colliders.size(); ++k) {
    const Collider& c = all[near.colliders[k]];
    if (!stands_still(c)) continue;
    for (int node = 0; node < kNodes; ++node)
      near.distances[k * kNodes + node] = node_distance(c, node_position<D>(block, node, h), h);
  }
}

}  // namespace

template <int D>
void ContactMap<D>::build(const BlockTopology<D>& blocks, const ColliderSet& colliders, double h,
                          double kernel_shift, double stride) {
  constexpr int kEdge = BlockShape<D>::kEdge;
  nodes_.assign(blocks.size(), {});
  particles_.assign(blocks.size(), {});
  const std::vector<Collider>& all = colliders.all();
  const ContactReach<D> reach(h, kernel_shift, contact_slack<D>(all, colliders.any_moves()),
                              stride);
  parallel_for("contact map", blocks.size(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      Vec3d cell_corner{{0, 0, 0}};
      for (int a = 0; a < D; ++a)
        cell_corner[a] = double(blocks.coord(slot)[a]) * kEdge + kernel_shift;
      for (std::size_t c = 0; c < all.size(); ++c) {
        if (reach.meets_nodes(all[c], blocks.coord(slot)))
          nodes_[slot].colliders.push_back(static_cast<int>(c));
        if (slot < blocks.occupied() && reach.meets_particles(all[c], blocks.coord(slot)))
          particles_[slot].colliders.push_back(static_cast<int>(c));
      }
      measure_distances<D>(all, blocks.coord(slot), h, nodes_[slot]);
      if (!particles_[slot].colliders.empty())
        measure_clearance<D>(all, cell_corner, h, stride, particles_[slot]);
    }
  });
}

template <class T, int D>
int gravity_kicks(const StepContext<T, D>& ctx, const BlockCoord<D>& coord, const Node<T>* nodes,
                  Node<T>* kicks) {
  const GravityField& field = *ctx.gravity_field;
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    kicks[i] = Node<T>(0);
    if (!(nodes[i][kMassLane] > kLeastMass<T>)) continue;
    const Vec3d x = node_position<D>(coord, i, ctx.spacing);
    for (int a = 0; a < D; ++a) {
      const double g = field.component[a].at(x, field.time);
      if (!std::isfinite(g)) return i;
      kicks[i].set(a, ctx.dt * T(g));
    }
  }
  return -1;
}

template <class T, int D>
int wrong_surface(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                  const Node<T>* nodes) {
  for (std::size_t k = 0; k < near.colliders.size(); ++k) {
    const Collider& c = colliders[near.colliders[k]];
    if (!c.varies || !stops_species(c, ctx.species)) continue;
    for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
      if (!(nodes[i][kMassLane] > kLeastMass<T>)) continue;
      const Vec3d x = node_position<D>(coord, i, ctx.spacing);
      const double distance = near.distance_to_node(c, static_cast<int>(k), i, x).distance;
      if (surface_is_wrong(c, x, distance, ctx.spacing)) return i;
    }
  }
  return -1;
}

namespace {

// Whether no obstacle of the block can be met, all of them being settled or at rest and farther
// than can_meet asks for: so for most nodes, at the price of a comparison for each obstacle.
template <class T, int D>
bool meets_none(const StepContext<T, D>& ctx, const std::vector<Collider>& colliders,
                const NodeObstacles<D>& near, int node, std::uint64_t settled, const Vec<T, D>& v) {
  const T reach = T(2.001) * ctx.dt * sqrt_of(dot(v, v));
  for (int k = 0; k < static_cast<int>(near.colliders.size()); ++k) {
    if (k < 64 && (settled >> k & 1)) continue;
    const Collider& c = colliders[near.colliders[k]];
    if (!stands_still(c) || dot(c.surface_velocity, c.surface_velocity) > 0 ||
        !(T(near.distance_at_rest(k, node).distance) > reach))
      return false;
  }
  return true;
}

}  // namespace

template <class T, int D>
Vec<T, D> meet_others(const StepContext<T, D>& ctx, const std::vector<Collider>& colliders,
                      const NodeObstacles<D>& near, int node, std::uint64_t settled, const Vec3d& x,
                      const Vec<T, D>& v, T mass, T* grip, ContactImpulse* given) {
  const std::vector<int>& list = near.colliders;
  T grip_per_mass = grip && *grip > T(0) ? *grip / mass : T(0);
  const auto distance_of = [&](int k) {
    if ((k < 64 && (settled >> k & 1)) || !stops_species(colliders[list[k]], ctx.species))
      return DistanceAndNormal{1e30, {{0, 1, 0}}};
    return near.distance_to_node(colliders[list[k]], k, node, x);
  };
  const auto give = [&](int k, const Vec<T, D>& change) {
    Vec3d impulse{{0, 0, 0}};
    for (int a = 0; a < D; ++a) impulse[a] = double(mass) * double(change[a]);
    const Vec3d arm = x - reference_point(colliders[list[k]]);
    given[k].add({impulse, cross(arm, impulse)});
  };
  Vec<T, D> after = v;
  const bool meets = !meets_none(ctx, colliders, near, node, settled, v);
  if (meets && list.size() == 1) {  // mostly: no need for lists
    const Contact<T, D> c = contact_at<T, D>(colliders[list[0]], x, distance_of(0));
    if (can_meet(c, v, ctx.dt)) {
      after = resolve_contact(c, v, ctx.dt, grip_per_mass);
      give(0, after - v);
    }
  } else if (meets) {
    after = apply_colliders<T, D>(colliders.data(), list.data(), static_cast<int>(list.size()), x,
                                  v, ctx.dt, grip_per_mass, distance_of, give);
  }
  if (grip && (grip_per_mass > T(0) || *grip > T(0)))  // most nodes are free
    *grip = lasting_grip(grip_per_mass * mass, ctx.dt, ctx.grip_time);
  return after;
}

template <class T, int D>
void update_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                  Node<T>* nodes, const Node<T>* impulses, const Node<T>* kicks, Node<T>* change,
                  T* grip, ContactImpulse* given) {
  Node<T> kick(0);
  for (int a = 0; a < D; ++a) kick.set(a, ctx.dt * ctx.gravity[a]);
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    const T mass = nodes[i][kMassLane];
    if (!(mass > kLeastMass<T>)) {
      nodes[i] = Node<T>(0);
      if (change) change[i] = Node<T>(0);
      if (grip) grip[i] = T(0);
      continue;
    }
    const Node<T> inverse(T(1) / mass);
    const Node<T> before = nodes[i] * inverse;
    Node<T> v =
        (impulses ? (nodes[i] + impulses[i]) * inverse : before) + (kicks ? kicks[i] : kick);
    if (!near.colliders.empty()) {
      Vec<T, D> velocity;
      for (int a = 0; a < D; ++a) velocity[a] = v[a];
      velocity =
          meet_others<T, D>(ctx, colliders, near, i, 0, node_position<D>(coord, i, ctx.spacing),
                            velocity, mass, grip ? grip + i : nullptr, given);
      for (int a = 0; a < D; ++a) v.set(a, velocity[a]);
    }
    if (change) change[i] = v - before;
    v.set(kMassLane, mass);
    nodes[i] = v;
  }
}

template <class T, int D>
void meet_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                Node<T>* nodes, Node<T>* change, T* grip, ContactImpulse* given) {
  if (near.colliders.empty()) return;
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    const T mass = nodes[i][kMassLane];
    if (!(mass > T(0))) continue;
    Vec<T, D> before;
    for (int a = 0; a < D; ++a) before[a] = nodes[i][a];
    const Vec<T, D> after =
        meet_others<T, D>(ctx, colliders, near, i, 0, node_position<D>(coord, i, ctx.spacing),
                          before, mass, grip ? grip + i : nullptr, given);
    for (int a = 0; a < D; ++a) {
      nodes[i].set(a, after[a]);
      if (change) change[i].set(a, change[i][a] + (after[a] - before[a]));
    }
  }
}

template class ContactMap<2>;
template class ContactMap<3>;
#define FIRN_INSTANTIATE(T, D)                                                                     \
  template Vec<T, D> meet_others<T, D>(const StepContext<T, D>&, const std::vector<Collider>&,     \
                                       const NodeObstacles<D>&, int, std::uint64_t, const Vec3d&,  \
                                       const Vec<T, D>&, T, T*, ContactImpulse*);                  \
  template void update_nodes<T, D>(const StepContext<T, D>&, const BlockCoord<D>&,                 \
                                   const std::vector<Collider>&, const NodeObstacles<D>&,          \
                                   Node<T>*, const Node<T>*, const Node<T>*, Node<T>*, T*,         \
                                   ContactImpulse*);                                               \
  template void meet_nodes<T, D>(const StepContext<T, D>&, const BlockCoord<D>&,                   \
                                 const std::vector<Collider>&, const NodeObstacles<D>&, Node<T>*,  \
                                 Node<T>*, T*, ContactImpulse*);                                   \
  template int gravity_kicks<T, D>(const StepContext<T, D>&, const BlockCoord<D>&, const Node<T>*, \
                                   Node<T>*);                                                      \
  template int wrong_surface<T, D>(const StepContext<T, D>&, const BlockCoord<D>&,                 \
                                   const std::vector<Collider>&, const NodeObstacles<D>&,          \
                                   const Node<T>*);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
