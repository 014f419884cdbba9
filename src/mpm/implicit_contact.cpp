#include "mpm/implicit_contact.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace firn {
namespace {

template <int D, class T>
void set_velocity(Node<T>& node, const Vec<T, D>& v) {
  for (int a = 0; a < D; ++a) node.set(a, v[a]);
}

template <class T, int D>
T length(const Vec<T, D>& v) {
  return sqrt_of(dot(v, v));
}

template <class T, int D>
Vec3d world_way(const Node<T>& v, T dt) {
  Vec3d way{{0, 0, 0}};
  for (int a = 0; a < D; ++a) way[a] = double(dt) * double(v[a]);
  return way;
}

// Whether something that goes a way from x, a cell or farther from the body, runs into it; d, the
// body as seen from x, becomes that of the plane that touches it there.
bool meets_on_way(const Collider& body, const Vec3d& x, const Vec3d& way, double spacing,
                  DistanceAndNormal& d) {
  constexpr int kMostLooks = 100;
  const double length = sqrt_of(dot(way, way)), near = 0.1 * spacing;
  if (!(length > 0) || d.distance > length * steepness(body) + near) return false;
  double gone = 0;
  DistanceAndNormal here = d;
  for (int look = 0; look < kMostLooks && gone <= length; ++look) {
    const Vec3d at = x + way * (gone / length);
    if (look > 0) here = distance_to(body, at);
    if (here.distance <= near) {
      d = {here.distance + dot(x - at, here.normal), here.normal};
      return d.distance > 0;
    }
    gone += std::max(here.distance / steepness(body), near);
  }
  return false;
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
                                 const Buffer<T>& mass, const Vector& v) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  constexpr double kReach = 1.25;  // cells within which the nearest surface is the one to be met
  nodes_.clear();
  contacts_.clear();
  places_.clear();
  rubs_ = false;
  dt_ = ctx.dt;
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
        if (!(d.distance <= kReach * ctx.spacing) &&
            !meets_on_way(body, x, world_way<T, D>(v[at], ctx.dt), ctx.spacing, d))
          continue;
        Contact<T, D> c = contact_at<T, D>(body, x, d);
        const bool inside = c.phi <= T(0);
        if (is_holding(c.kind) && inside) {
          n.held = true;
          n.held_at = c.v_body;
          contacts_.resize(n.first);
          places_.resize(n.first);
        } else if (c.kind == ContactKind::pin || (c.kind == ContactKind::slip && !inside)) {
          continue;
        } else if (c.kind == ContactKind::sticky) {
          c.kind = ContactKind::separate;
          c.friction = T(kSticky);
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
  scale_ = T(0);
  for (const NearNode& n : nodes_) scale_ = max_of(scale_, length(velocity_of<D>(v[n.node])));
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

// m/s within which a node is at the bound of a contact.
template <class T, int D>
T NodeContactSet<T, D>::touching(const Vec<T, D>& v, const Vec<T, D>& v_body) const {
  return T(4) * kContactTolerance<T> * (length(v) + length(v_body) + scale_);
}
template <class T, int D>
bool NodeContactSet<T, D>::touches(const Contact<T, D>& c, const Vec<T, D>& v) const {
  const T vn = dot(v - c.v_body, c.normal);
  return vn <= normal_bounds(c, dt_).low + touching(v, c.v_body);
}

template <class T, int D>
bool NodeContactSet<T, D>::project_node(const NearNode& n, Vec<T, D>& v,
                                        Vec<T, D>* direction) const {
  if (n.held) {
    v = n.held_at;
    if (direction) *direction = Vec<T, D>::zero();
    return false;
  }
  const Contact<T, D>* contacts = contacts_of(n);
  bool met = false;
  if (n.count == 1) {
    const Contact<T, D>& c = contacts[0];
    const NormalBounds<T> bounds = normal_bounds(c, dt_);
    const T vn = dot(v - c.v_body, c.normal);
    const T allowed = clamp(vn, bounds.low, bounds.high);
    if (allowed != vn) {
      met = n.closed == 0;
      v += c.normal * (allowed - vn);
      if (direction) *direction = *direction - c.normal * dot(*direction, c.normal);
    }
  } else if (worst_violation(contacts, n.count, v, dt_) > T(0)) {
    T scale = length(v);
    for (int k = 0; k < n.count; ++k) scale = max_of(scale, length(contacts[k].v_body));
    const Vec<T, D> allowed =
        detail::nearest_allowed(contacts, n.count, v, dt_, scale * kContactTolerance<T>);
    met = n.closed == 0;
    v = allowed;
    if (direction)
      for (int k = 0; k < n.count; ++k)
        if (touches(contacts[k], v))
          *direction =
              *direction - contacts[k].normal * min_of(dot(*direction, contacts[k].normal), T(0));
  }
  // Sliding that would turn around comes to rest first.
  if (n.friction > T(0) && dot(n.sliding, n.sliding) > T(0)) {
    const Contact<T, D>& c = sole(n);
    const Vec<T, D> sliding = sliding_velocity(c, v);
    if (!(dot(sliding, n.sliding) > T(0))) {
      v = v - sliding;
      if (direction) *direction = c.normal * dot(*direction, c.normal);
    }
  }
  return met;
}

template <class T, int D>
bool NodeContactSet<T, D>::project(Vector& v, Vector* direction) const {
  std::atomic<bool> met = false;
  for_each([&](const NearNode& n) {
    Vec<T, D> now = velocity_of<D>(v[n.node]), along{};
    if (direction) along = velocity_of<D>((*direction)[n.node]);
    if (project_node(n, now, direction ? &along : nullptr))
      met.store(true, std::memory_order_relaxed);
    set_velocity<D>(v[n.node], now);
    if (direction) set_velocity<D>((*direction)[n.node], along);
  });
  return met.load();
}

template <class T, int D>
bool NodeContactSet<T, D>::close(NearNode& n, Vec<T, D> axis) {
  for (int k = 0; k < n.closed; ++k) axis = axis - n.basis[k] * dot(axis, n.basis[k]);
  const T size = length(axis);
  if (n.closed == D || !(size > T(1e-3))) return false;
  n.basis[n.closed++] = axis * (T(1) / size);
  return true;
}

template <class T, int D>
bool NodeContactSet<T, D>::close_met(const Vector& v, const Vector& d) {
  std::atomic<bool> any = false;
  for_each([&](const NearNode& of) {
    NearNode& n = const_cast<NearNode&>(of);
    if (n.held || n.closed == D) return;
    const Vec<T, D> now = velocity_of<D>(v[n.node]), along = velocity_of<D>(d[n.node]);
    for (int k = 0; k < n.count; ++k) {
      const Contact<T, D>& c = contacts_of(n)[k];
      if (touches(c, now) && dot(along, c.normal) < T(0) && close(n, c.normal))
        any.store(true, std::memory_order_relaxed);
    }
  });
  return any.load();
}

template <class T, int D>
void NodeContactSet<T, D>::register_active(const Vector& v, const Vector& gradient) {
  for_each([&](const NearNode& of) {
    NearNode& n = const_cast<NearNode&>(of);
    n.closed = 0;
    if (n.held) return;
    const Vec<T, D> now = velocity_of<D>(v[n.node]), g = velocity_of<D>(gradient[n.node]);
    for (int k = 0; k < n.count; ++k) {
      const Contact<T, D>& c = contacts_of(n)[k];
      const bool both = c.kind == ContactKind::slip;
      if (both || (touches(c, now) && dot(g, c.normal) > T(0))) close(n, c.normal);
    }
    n.sliding = n.friction > T(0) ? sliding_velocity(sole(n), now) : Vec<T, D>::zero();
    // Rounding of the body's motion is not sliding.
    if (length(n.sliding) <= touching(now, sole(n).v_body)) n.sliding = Vec<T, D>::zero();
    if (!(n.friction > T(0)) || dot(n.sliding, n.sliding) > T(0)) return;
    // At rest g has lost what friction takes: where that is not all of it, the node begins to
    // slide.
    const Vec<T, D>& normal = sole(n).normal;
    const Vec<T, D> left = g - normal * dot(g, normal);
    if (length(left) > T(4) * kContactTolerance<T> * length(g)) {
      n.sliding = Vec<T, D>::zero() - left;
      return;
    }
    for (int a = 0; a < D; ++a) {
      Vec<T, D> axis = Vec<T, D>::zero();
      axis[a] = T(1);
      close(n, axis - normal * normal[a]);
    }
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
    Vec<T, D> along = velocity_of<D>(d[n.node]);
    for (int k = 0; k < n.closed; ++k) along = along - n.basis[k] * dot(along, n.basis[k]);
    if (n.closed == D) along = Vec<T, D>::zero();
    set_velocity<D>(d[n.node], along);
  });
}

template <class T, int D>
double NodeContactSet<T, D>::friction_energy(const Vector& v) const {
  double sum = 0;
  for (const NearNode& n : nodes_)
    if (n.friction > T(0))
      sum +=
          double(n.friction) * double(length(sliding_velocity(sole(n), velocity_of<D>(v[n.node]))));
  return sum;
}

template <class T, int D>
void NodeContactSet<T, D>::add_friction_gradient(const Vector& v, Vector& gradient) const {
  for_each([&](const NearNode& n) {
    if (!(n.friction > T(0))) return;
    const Contact<T, D>& c = sole(n);
    const Vec<T, D> now = velocity_of<D>(v[n.node]), sliding = sliding_velocity(c, now);
    Vec<T, D> g = velocity_of<D>(gradient[n.node]);
    const T limit = n.friction / n.mass, speed = length(sliding);
    if (speed > touching(now, c.v_body)) {
      g += sliding * (limit / speed);
    } else {
      // At rest: the smallest of all slopes.
      const Vec<T, D> pull = g - c.normal * dot(g, c.normal);
      const T size = length(pull);
      g = size > limit ? g - pull * (limit / size) : c.normal * dot(g, c.normal);
    }
    set_velocity<D>(gradient[n.node], g);
  });
}

template <class T, int D>
void NodeContactSet<T, D>::add_friction_product(const Vector& d, Vector& out) const {
  for_each([&](const NearNode& n) {
    const T speed2 = dot(n.sliding, n.sliding);
    if (!(n.friction > T(0)) || !(speed2 > T(0))) return;
    const Contact<T, D>& c = sole(n);
    const Vec<T, D> given = velocity_of<D>(d[n.node]);
    Vec<T, D> across = given - c.normal * dot(given, c.normal);
    across = across - n.sliding * (dot(across, n.sliding) / speed2);
    set_velocity<D>(out[n.node], velocity_of<D>(out[n.node]) +
                                     across * (n.friction / (n.mass * sqrt_of(speed2))));
  });
}

template <class T, int D>
double NodeContactSet<T, D>::update_friction(const Vector& v, const Vector& gradient) {
  double changed = 0, whole = 0;
  for (NearNode& n : nodes_) {
    if (n.held) continue;
    const Vec<T, D> now = velocity_of<D>(v[n.node]);
    const Vec<T, D> impulse = velocity_of<D>(gradient[n.node]) * n.mass;
    T most = T(0), limit = T(0);
    int sole = 0;
    for (int k = 0; k < n.count; ++k) {
      const Contact<T, D>& c = contacts_of(n)[k];
      T pressing = dot(impulse, c.normal);
      if (c.kind == ContactKind::slip) pressing = abs_of(pressing);
      if (!(pressing > T(0)) || !(c.kind == ContactKind::slip || touches(c, now))) continue;
      limit += c.friction * pressing;
      if (!(pressing > most)) continue;
      most = pressing;
      sole = k;
    }
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
        !std::any_of(contacts_of(n), contacts_of(n) + n.count, [&](const Contact<T, D>& c) {
          return c.kind == ContactKind::slip || touches(c, velocity_of<D>(v[n.node]));
        }))
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
