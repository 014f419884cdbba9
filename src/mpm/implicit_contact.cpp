#include "mpm/implicit_contact.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "mpm/implicit_far.h"

namespace firn {
namespace {

template <int D, class T>
void set_velocity(Node<T>& node, const Vec<T, D>& v) {
  for (int a = 0; a < D; ++a) node.set(a, v[a]);
}

template <class T, int D>
Vec3d world_way(const Node<T>& v, T dt) {
  Vec3d way{{0, 0, 0}};
  for (int a = 0; a < D; ++a) way[a] = double(dt) * double(v[a]);
  return way;
}

}  // namespace

template <class T, int D>
template <class F>
void NodeContactSet<T, D>::for_each(const F& f) const {
  parallel_for("contacts", static_cast<std::int64_t>(nodes_.size()), 256,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) f(nodes_[i]);
               });
}

template <class T, int D>
void NodeContactSet<T, D>::build(const StepContext<T, D>& ctx, const BlockTopology<D>& blocks,
                                 const std::vector<Collider>& colliders, const ContactMap<D>& map,
                                 const Buffer<T>& mass, const Vector& v, bool far,
                                 const FollowingNodes<T, D>* mirrors) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  nodes_.clear();
  contacts_.clear();
  places_.clear();
  rubs_ = false;
  step_.dt = ctx.dt;
  for (int slot = 0; slot < blocks.size(); ++slot) {
    const NodeObstacles<D>& near = map.of_nodes(slot);
    if (near.colliders.empty()) continue;
    for (int i = 0; i < kNodes; ++i) {
      const std::size_t at = std::size_t(slot) * kNodes + i;
      if (!(mass[at] > T(0))) continue;
      NearNode n;
      n.node = at;
      n.mass = mass[at];
      n.first = static_cast<int>(contacts_.size());
      const Vec3d x = node_position<D>(blocks.coord(slot), i, ctx.spacing);
      for (std::size_t k = 0; k < near.colliders.size() && !n.held; ++k) {
        const Collider& body = colliders[near.colliders[k]];
        if (!stops_species(body, ctx.species)) continue;
        DistanceAndNormal d = near.distance_to_node(body, static_cast<int>(k), i, x);
        if (mirrors && is_mirror(body) &&
            (mirrors->follows(at, static_cast<int>(k)) || (d.distance > 0 && !far)))
          continue;
        if (!(d.distance <= kContactReach * ctx.spacing) &&
            !(far && meets_on_way(body, x, world_way<T, D>(v[at], ctx.dt), ctx.spacing, d)))
          continue;
        Contact<T, D> c = contact_at<T, D>(body, x, d);
        const ContactUse use = use_contact(c);
        if (use == ContactUse::none) continue;
        if (use == ContactUse::holds) {
          n.held = true;
          n.held_at = c.v_body;
          contacts_.resize(n.first);
          places_.resize(n.first);
        }
        contacts_.push_back(c);
        places_.push_back({static_cast<int>(k), near.colliders[k]});
        rubs_ = rubs_ || (c.friction > T(0) && !n.held);
      }
      n.count = static_cast<int>(contacts_.size()) - n.first;
      if (n.count > 0) nodes_.push_back(n);
    }
  }
}

template <class T, int D>
void NodeContactSet<T, D>::set_scale(const Vector& v) {
  step_.scale = T(0);
  for (const NearNode& n : nodes_)
    step_.scale = max_of(step_.scale, length_of(velocity_of<D>(v[n.node])));
}

template <class T, int D>
void NodeContactSet<T, D>::start_friction(const T* force, T dt) {
  for (NearNode& n : nodes_)
    if (!n.held && contacts_[n.first].friction > T(0)) n.friction = force[n.node] * dt;
}
template <class T, int D>
void NodeContactSet<T, D>::keep_friction(T dt, T* force) const {
  for (const NearNode& n : nodes_) force[n.node] = n.friction / dt;
}

template <class T, int D>
bool NodeContactSet<T, D>::project(Vector& v, Vector* direction) const {
  std::atomic<bool> met = false;
  for_each([&](const NearNode& n) {
    Vec<T, D> now = velocity_of<D>(v[n.node]), along{};
    if (direction) along = velocity_of<D>((*direction)[n.node]);
    if (project_node(step_, n, contacts_of(n), n.count, now, direction ? &along : nullptr))
      met.store(true, std::memory_order_relaxed);
    set_velocity<D>(v[n.node], now);
    if (direction) set_velocity<D>((*direction)[n.node], along);
  });
  return met.load();
}

template <class T, int D>
bool NodeContactSet<T, D>::close_met(const Vector& v, const Vector& d) {
  std::atomic<bool> any = false;
  for_each([&](const NearNode& of) {
    NearNode& n = const_cast<NearNode&>(of);
    if (firn::close_met<T, D>(step_, n, contacts_of(n), n.count, velocity_of<D>(v[n.node]),
                              velocity_of<D>(d[n.node])))
      any.store(true, std::memory_order_relaxed);
  });
  return any.load();
}

template <class T, int D>
void NodeContactSet<T, D>::register_active(const Vector& v, const Vector& gradient) {
  for_each([&](const NearNode& of) {
    NearNode& n = const_cast<NearNode&>(of);
    firn::register_active<T, D>(step_, n, contacts_of(n), n.count, velocity_of<D>(v[n.node]),
                                velocity_of<D>(gradient[n.node]));
  });
}

template <class T, int D>
void NodeContactSet<T, D>::filter(Vector& d) const {
  for_each([&](const NearNode& n) {
    if (n.held) {
      d[n.node] = Node<T>(0);
      return;
    }
    if (n.closed == 0) return;
    set_velocity<D>(d[n.node], open_part<T, D>(n, velocity_of<D>(d[n.node])));
  });
}

template <class T, int D>
double NodeContactSet<T, D>::friction_energy(const Vector& v) const {
  double sum = 0;
  for (const NearNode& n : nodes_)
    sum += firn::friction_energy<T, D>(n, sole(n), velocity_of<D>(v[n.node]));
  return sum;
}

template <class T, int D>
void NodeContactSet<T, D>::add_friction_gradient(const Vector& v, Vector& gradient) const {
  for_each([&](const NearNode& n) {
    if (!(n.friction > T(0))) return;
    Vec<T, D> g = velocity_of<D>(gradient[n.node]);
    firn::add_friction_gradient<T, D>(step_, n, sole(n), velocity_of<D>(v[n.node]), g);
    set_velocity<D>(gradient[n.node], g);
  });
}

template <class T, int D>
void NodeContactSet<T, D>::add_friction_product(const Vector& d, Vector& out) const {
  for_each([&](const NearNode& n) {
    Vec<T, D> sum = velocity_of<D>(out[n.node]);
    firn::add_friction_product<T, D>(n, sole(n), velocity_of<D>(d[n.node]), sum);
    set_velocity<D>(out[n.node], sum);
  });
}

template <class T, int D>
double NodeContactSet<T, D>::update_friction(const Vector& v, const Vector& gradient) {
  double changed = 0, whole = 0;
  for (NearNode& n : nodes_) {
    if (n.held) continue;
    const Vec<T, D> now = velocity_of<D>(v[n.node]);
    const Vec<T, D> impulse = velocity_of<D>(gradient[n.node]) * n.mass;
    int sole = 0;
    const T limit = friction_limit<T, D>(step_, contacts_of(n), n.count, now, impulse, sole);
    std::swap(contacts_[n.first], contacts_[n.first + sole]);
    std::swap(places_[n.first], places_[n.first + sole]);
    changed += std::abs(double(limit - n.friction));
    whole += double(max_of(limit, n.friction));
    n.friction = limit;
  }
  return whole > 0 ? changed / whole : 0;
}

template <class T, int D>
void NodeContactSet<T, D>::give_impulses(const Vector& v, const Vector& gradient,
                                         const std::vector<Collider>& colliders, double spacing,
                                         const BlockTopology<D>& blocks,
                                         std::vector<std::vector<ContactImpulse>>& given) const {
  constexpr std::size_t kNodes = BlockShape<D>::kNodes;
  for (const NearNode& n : nodes_) {
    if (!n.held && !(n.friction > T(0)) &&
        !touches_any<T, D>(step_, contacts_of(n), n.count, velocity_of<D>(v[n.node])))
      continue;
    const int slot = static_cast<int>(n.node / kNodes);
    const Vec3d x =
        node_position<D>(blocks.coord(slot), static_cast<int>(n.node % kNodes), spacing);
    Vec3d impulse{{0, 0, 0}};
    for (int a = 0; a < D; ++a) impulse[a] = double(n.mass) * double(gradient[n.node][a]);
    const Place& place = places_[n.first];
    const Vec3d arm = x - reference_point(colliders[place.collider]);
    given[slot][place.in_block].add({impulse, cross(arm, impulse)});
  }
}

template class NodeContactSet<float, 2>;
template class NodeContactSet<float, 3>;
template class NodeContactSet<double, 2>;
template class NodeContactSet<double, 3>;

}  // namespace firn
