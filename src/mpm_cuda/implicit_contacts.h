// Nodes near obstacles within an implicit step (mpm/implicit_node.h) in device memory: every node
// of a block that is near any has a place, and room for as many contacts as the block has
// obstacles.
#pragma once

#include "mpm/implicit_far.h"
#include "mpm/implicit_node.h"
#include "mpm_cuda/contact.h"
#include "mpm_cuda/implicit_following.h"

namespace firn {

// What kernels find out about the nodes near obstacles.
struct ContactFindings {
  unsigned long long scale = 0;  // m/s, bits of a double: of the velocities under gravity alone
  std::int32_t rubs = 0, met = 0, closed = 0;
};

template <class T, int D>
struct ContactView {
  static constexpr int kNodes = BlockShape<D>::kNodes;

  // Of blocks: their number among those near obstacles, or -1. Null where there are none.
  const std::int32_t* number = nullptr;
  // Of those near obstacles: where their contacts begin, for one node, and how many each may have.
  const std::int32_t *first = nullptr, *most = nullptr;
  ContactNode<T, D>* nodes = nullptr;
  std::int32_t* counts = nullptr;  // contacts of nodes; 0: not near any
  Contact<T, D>* contacts = nullptr;
  std::int32_t* colliders = nullptr;  // of contacts
  ContactFindings* found = nullptr;
  T dt = T(0);
  FollowingView<T, D> following;  // none of which its mirror stops

  // A node and its contacts.
  struct Place {
    ContactNode<T, D>& node;
    std::int32_t& count;
    Contact<T, D>* contacts;
    std::int32_t* colliders;

    __device__ const Contact<T, D>& sole() const { return contacts[0]; }
  };
  __device__ bool has_place(std::size_t i) const { return number && number[i / kNodes] >= 0; }
  __device__ Place place(std::size_t i) const {
    const int block = number[i / kNodes], in_block = static_cast<int>(i % kNodes);
    const std::size_t at = std::size_t(block) * kNodes + in_block;
    const std::size_t from = std::size_t(first[block]) * kNodes + in_block * most[block];
    return {nodes[at], counts[at], contacts + from, colliders + from};
  }
  __device__ bool is_near(std::size_t i) const { return has_place(i) && place(i).count > 0; }
  __device__ ContactStep<T> step() const {
    return {dt, T(__longlong_as_double(static_cast<long long>(found->scale)))};
  }

  // What of a direction is open.
  __device__ void filter(std::size_t i, DeviceNode<T>& d) const {
    if (is_near(i)) set_velocity(open_part<T, D>(place(i).node, velocity_of<T, D>(d)), d);
    following.keep_free(i, d);
  }
  __device__ void add_friction_gradient(std::size_t i, const DeviceNode<T>& v,
                                        DeviceNode<T>& g) const {
    if (!is_near(i)) return;
    const Place at = place(i);
    Vec<T, D> sum = velocity_of<T, D>(g);
    firn::add_friction_gradient<T, D>(step(), at.node, at.sole(), velocity_of<T, D>(v), sum);
    set_velocity(sum, g);
  }
  __device__ void add_friction_product(std::size_t i, const DeviceNode<T>& d,
                                       DeviceNode<T>& out) const {
    if (!is_near(i)) return;
    const Place at = place(i);
    Vec<T, D> sum = velocity_of<T, D>(out);
    firn::add_friction_product<T, D>(at.node, at.sole(), velocity_of<T, D>(d), sum);
    set_velocity(sum, out);
  }
};

// Which obstacles a node may meet in the step, be it on a long way, and the friction of the last
// one.
template <class T, int D>
struct BuildContacts {
  View<T, D> view;
  ContactView<T, D> to;
  const T* mass;
  const DeviceNode<T>* velocity;  // under gravity alone

  __device__ void operator()(std::size_t i) const {
    if (!to.has_place(i)) return;
    constexpr int kNodes = BlockShape<D>::kNodes;
    const auto at = to.place(i);
    at.node = ContactNode<T, D>{};
    at.count = 0;
    if (!(mass[i] > T(0))) return;
    const int slot = static_cast<int>(i / kNodes), parity = view.control->parity;
    const int n = view.near_nodes.count[slot];
    const int* near = view.near_nodes.list + std::size_t(slot) * view.collider_count;
    const Vec3d x =
        node_position<D>(view.coord[parity][slot], static_cast<int>(i % kNodes), view.spacing);
    find_wrong_surface(view, near, n, x, i);
    at.node.mass = mass[i];
    for (int k = 0; k < n && !at.node.held; ++k)
      if (!to.following.follows(i, near[k])) take(view.colliders[near[k]], near[k], i, x, at);
    if (at.count == 0) return;
    if (!at.node.held && at.sole().friction > T(0) && view.grip[parity])
      at.node.friction = view.grip[parity][i] * to.dt;
    keep_max(&to.found->scale, double(length_of(velocity_of<T, D>(load_node(velocity + i)))));
  }
  __device__ void take(const Collider& body, int number, std::size_t i, const Vec3d& x,
                       const typename ContactView<T, D>::Place& at) const {
    if (!stops_species(body, 0)) return;
    const bool far = view.longest_stride > 1;
    DistanceAndNormal d = node_distance(body, x, view.spacing);
    if (view.mirror_passes > 0 && is_mirror(body) && d.distance > 0 && !far) return;
    if (!(d.distance <= kContactReach * view.spacing) &&
        !(far && meets_on_way(body, x, way(i), view.spacing, d)))
      return;
    Contact<T, D> c = contact_at<T, D>(body, x, d);
    const ContactUse use = use_contact(c);
    if (use == ContactUse::none) return;
    if (use == ContactUse::holds) {
      at.node.held = true;
      at.node.held_at = c.v_body;
      at.count = 0;
    }
    at.colliders[at.count] = number;
    at.contacts[at.count++] = c;
    if (c.friction > T(0) && !at.node.held) to.found->rubs = 1;
  }
  __device__ Vec3d way(std::size_t i) const {
    const DeviceNode<T> v = load_node(velocity + i);
    Vec3d way{{0, 0, 0}};
    for (int a = 0; a < D; ++a) way[a] = double(to.dt) * double(v.e[a]);
    return way;
  }
};

// Unknowns that mean nothing behind mirrors become zero.
template <class T, int D>
struct KeepFree {
  FollowingView<T, D> following;
  DeviceNode<T>* v;

  __device__ void operator()(std::size_t i) const {
    DeviceNode<T> node = load_node(v + i);
    following.keep_free(i, node);
    store_node(v + i, node);
  }
};
template <class T, int D>
struct ProjectNodes {
  ContactView<T, D> contacts;
  DeviceNode<T>*v, *direction;  // the latter may be null

  __device__ void operator()(std::size_t i) const {
    if (!contacts.is_near(i)) return;
    const auto at = contacts.place(i);
    DeviceNode<T> node = load_node(v + i), along{};
    if (direction) along = load_node(direction + i);
    Vec<T, D> now = velocity_of<T, D>(node), d = velocity_of<T, D>(along);
    if (project_node<T, D>(contacts.step(), at.node, at.contacts, at.count, now,
                           direction ? &d : nullptr))
      contacts.found->met = 1;
    set_velocity(now, node);
    store_node(v + i, node);
    if (!direction) return;
    set_velocity(d, along);
    store_node(direction + i, along);
  }
};
template <class T, int D>
struct RegisterActive {
  ContactView<T, D> contacts;
  const DeviceNode<T>*v, *gradient;

  __device__ void operator()(std::size_t i) const {
    if (!contacts.is_near(i)) return;
    const auto at = contacts.place(i);
    register_active<T, D>(contacts.step(), at.node, at.contacts, at.count,
                          velocity_of<T, D>(load_node(v + i)),
                          velocity_of<T, D>(load_node(gradient + i)));
  }
};
template <class T, int D>
struct CloseMet {
  ContactView<T, D> contacts;
  const DeviceNode<T>*v, *direction;

  __device__ void operator()(std::size_t i) const {
    if (!contacts.is_near(i)) return;
    const auto at = contacts.place(i);
    if (close_met<T, D>(contacts.step(), at.node, at.contacts, at.count,
                        velocity_of<T, D>(load_node(v + i)),
                        velocity_of<T, D>(load_node(direction + i))))
      contacts.found->closed = 1;
  }
};
template <class T, int D>
struct FilterNodes {
  ContactView<T, D> contacts;
  DeviceNode<T>* d;

  __device__ void operator()(std::size_t i) const {
    if (!contacts.has_place(i)) return;
    DeviceNode<T> node = load_node(d + i);
    contacts.filter(i, node);
    store_node(d + i, node);
  }
};

// Friction from the impulses that the nodes of a solution need, m g; by how much it changed, and
// how much there is.
template <class T, int D>
struct UpdateFriction {
  static constexpr int kSums = 2;
  ContactView<T, D> contacts;
  const DeviceNode<T>*v, *gradient;

  __device__ void operator()(std::size_t i, double (&terms)[2]) const {
    if (!contacts.is_near(i)) return;
    const auto at = contacts.place(i);
    if (at.node.held) return;
    const Vec<T, D> impulse = velocity_of<T, D>(load_node(gradient + i)) * at.node.mass;
    int sole = 0;
    const T limit = friction_limit<T, D>(contacts.step(), at.contacts, at.count,
                                         velocity_of<T, D>(load_node(v + i)), impulse, sole);
    const Contact<T, D> most = at.contacts[sole];
    const std::int32_t collider = at.colliders[sole];
    at.contacts[sole] = at.contacts[0];
    at.colliders[sole] = at.colliders[0];
    at.contacts[0] = most;
    at.colliders[0] = collider;
    terms[0] = abs_of(double(limit - at.node.friction));
    terms[1] = double(max_of(limit, at.node.friction));
    at.node.friction = limit;
  }
};

// What obstacles gave, and the friction that the next step begins with: of a step that is taken.
template <class T, int D>
struct KeepContacts {
  View<T, D> view;
  ContactView<T, D> contacts;
  const DeviceNode<T>*v, *gradient;
  bool keeps_friction;

  __device__ void operator()(std::size_t i) const {
    if (!contacts.is_near(i)) return;
    constexpr int kNodes = BlockShape<D>::kNodes;
    const auto at = contacts.place(i);
    const int parity = view.control->parity;
    if (keeps_friction) view.grip[parity][i] = at.node.friction / contacts.dt;
    if (!at.node.held && !(at.node.friction > T(0)) &&
        !touches_any<T, D>(contacts.step(), at.contacts, at.count,
                           velocity_of<T, D>(load_node(v + i))))
      return;
    const Vec3d x = node_position<D>(view.coord[parity][i / kNodes], static_cast<int>(i % kNodes),
                                     view.spacing);
    give_alone(view, at.colliders[0],
               impulse_of(at.node.mass, velocity_of<T, D>(load_node(gradient + i))), x);
  }
};

}  // namespace firn
