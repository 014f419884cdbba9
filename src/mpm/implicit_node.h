// One node near obstacles within an implicit step (implicit_contact.h). Host and device: the loops
// over nodes are each side's own.
#pragma once

#include "base/mat.h"
#include "collision/corner.h"

namespace firn {

constexpr double kContactReach = 1.25;   // cells that a node may travel towards a body, and more
constexpr double kStickyFriction = 1e6;  // that holds whatever presses

// What all nodes of a step have in common.
template <class T>
struct ContactStep {
  T dt = T(0);
  T scale = T(0);  // m/s, of the speeds that a solve may meet: what of them is rounding is rest
};

template <class T, int D>
struct ContactNode {
  bool held = false;
  Vec<T, D> held_at{};
  T mass = T(0);
  T friction = T(0);  // f, N s
  // Where the solve is now (register_active).
  Vec<T, D> sliding{};   // sliding velocity
  Vec<T, D> basis[D]{};  // of the directions that are closed
  int closed = 0;
};

template <class T, int D>
FIRN_HD static T length_of(const Vec<T, D>& v) {
  return sqrt_of(dot(v, v));
}

// What a node makes of an obstacle within its reach; what is met but not yet inside of a sticky one
// holds by friction.
enum class ContactUse { none, bounds, holds };
template <class T, int D>
FIRN_INLINE ContactUse use_contact(Contact<T, D>& c) {
  const bool inside = c.phi <= T(0);
  if (is_holding(c.kind) && inside) return ContactUse::holds;
  if (c.kind == ContactKind::pin || (c.kind == ContactKind::slip && !inside))
    return ContactUse::none;
  if (c.kind == ContactKind::sticky) {
    c.kind = ContactKind::separate;
    c.friction = T(kStickyFriction);
  }
  return ContactUse::bounds;
}

template <class T, int D>
FIRN_HD inline Vec<T, D> sliding_velocity(const Contact<T, D>& c, const Vec<T, D>& v) {
  const Vec<T, D> relative = v - c.v_body;
  return relative - c.normal * dot(relative, c.normal);
}
// m/s within which a node is at the bound of a contact.
template <class T, int D>
FIRN_HD T touching_speed(const ContactStep<T>& step, const Vec<T, D>& v, const Vec<T, D>& v_body) {
  return T(4) * kContactTolerance<T> * (length_of(v) + length_of(v_body) + step.scale);
}
template <class T, int D>
FIRN_HD bool touches(const ContactStep<T>& step, const Contact<T, D>& c, const Vec<T, D>& v) {
  const T vn = dot(v - c.v_body, c.normal);
  return vn <= normal_bounds(c, step.dt).low + touching_speed(step, v, c.v_body);
}
// Contacts at which a node may be while it slides or is held by friction.
template <class T, int D>
FIRN_INLINE bool touches_any(const ContactStep<T>& step, const Contact<T, D>* contacts, int count,
                             const Vec<T, D>& v) {
  for (int k = 0; k < count; ++k)
    if (contacts[k].kind == ContactKind::slip || touches(step, contacts[k], v)) return true;
  return false;
}

// The nearest velocity that the node may have; true where it met what is not closed. `direction`,
// unless null, becomes the derivative of that velocity along it. The first contact is the one whose
// surface the node slides on: the one that presses most.
template <class T, int D>
FIRN_HD bool project_node(const ContactStep<T>& step, const ContactNode<T, D>& n,
                          const Contact<T, D>* contacts, int count, Vec<T, D>& v,
                          Vec<T, D>* direction) {
  if (n.held) {
    v = n.held_at;
    if (direction) *direction = Vec<T, D>::zero();
    return false;
  }
  bool met = false;
  if (count == 1) {
    const Contact<T, D>& c = contacts[0];
    const NormalBounds<T> bounds = normal_bounds(c, step.dt);
    const T vn = dot(v - c.v_body, c.normal);
    const T allowed = clamp(vn, bounds.low, bounds.high);
    if (allowed != vn) {
      met = n.closed == 0;
      v += c.normal * (allowed - vn);
      if (direction) *direction = *direction - c.normal * dot(*direction, c.normal);
    }
  } else if (worst_violation(contacts, count, v, step.dt) > T(0)) {
    T scale = length_of(v);
    for (int k = 0; k < count; ++k) scale = max_of(scale, length_of(contacts[k].v_body));
    const Vec<T, D> allowed =
        detail::nearest_allowed(contacts, count, v, step.dt, scale * kContactTolerance<T>);
    met = n.closed == 0;
    v = allowed;
    if (direction)
      for (int k = 0; k < count; ++k)
        if (touches(step, contacts[k], v))
          *direction =
              *direction - contacts[k].normal * min_of(dot(*direction, contacts[k].normal), T(0));
  }
  // Sliding that would turn around comes to rest first.
  if (n.friction > T(0) && dot(n.sliding, n.sliding) > T(0)) {
    const Contact<T, D>& c = contacts[0];
    const Vec<T, D> sliding = sliding_velocity(c, v);
    if (!(dot(sliding, n.sliding) > T(0))) {
      v = v - sliding;
      if (direction) *direction = c.normal * dot(*direction, c.normal);
    }
  }
  return met;
}

// One direction more that is closed; false where it was.
template <class T, int D>
FIRN_HD bool close_direction(ContactNode<T, D>& n, Vec<T, D> axis) {
  for (int k = 0; k < n.closed; ++k) axis = axis - n.basis[k] * dot(axis, n.basis[k]);
  const T size = length_of(axis);
  if (n.closed == D || !(size > T(1e-3))) return false;
  n.basis[n.closed++] = axis * (T(1) / size);
  return true;
}

// Closes what a node at v touches and `along` runs into; true if there was any.
template <class T, int D>
FIRN_INLINE bool close_met(const ContactStep<T>& step, ContactNode<T, D>& n,
                           const Contact<T, D>* contacts, int count, const Vec<T, D>& v,
                           const Vec<T, D>& along) {
  if (n.held || n.closed == D) return false;
  bool any = false;
  for (int k = 0; k < count; ++k)
    if (touches(step, contacts[k], v) && dot(along, contacts[k].normal) < T(0) &&
        close_direction(n, contacts[k].normal))
      any = true;
  return any;
}

// What of a direction is open.
template <class T, int D>
FIRN_INLINE Vec<T, D> open_part(const ContactNode<T, D>& n, Vec<T, D> along) {
  if (n.held) return Vec<T, D>::zero();
  for (int k = 0; k < n.closed; ++k) along = along - n.basis[k] * dot(along, n.basis[k]);
  return n.closed == D ? Vec<T, D>::zero() : along;
}

// Closes what keeps a node at v from going along -g, of several contacts: in a corner that is not
// what g presses on, contact by contact. The nearest way to -g that is free of all the contacts
// lies along none of those that the node touches, one or two of them, or is none at all.
template <class T, int D>
FIRN_HD void close_corner(const ContactStep<T>& step, ContactNode<T, D>& n,
                          const Contact<T, D>* contacts, int count, const Vec<T, D>& v,
                          const Vec<T, D>& g) {
  for (int k = 0; k < count; ++k)
    if (contacts[k].kind == ContactKind::slip) close_direction(n, contacts[k].normal);
  const int always = n.closed;
  const auto bounds = [&](int k) {
    return contacts[k].kind != ContactKind::slip && touches(step, contacts[k], v);
  };
  const auto close_only = [&](int i, int j) {
    n.closed = always;
    if (i >= 0) close_direction(n, contacts[i].normal);
    if (j >= 0) close_direction(n, contacts[j].normal);
  };
  const T least = -kContactTolerance<T> * length_of(g);
  T longest2 = T(-1);
  int first = -1, second = -1;
  const auto consider = [&](int i, int j) {
    close_only(i, j);
    const Vec<T, D> way = open_part<T, D>(n, Vec<T, D>::zero() - g);
    for (int k = 0; k < count; ++k)
      if (bounds(k) && dot(way, contacts[k].normal) < least) return;
    if (!(dot(way, way) > longest2)) return;
    longest2 = dot(way, way);
    first = i;
    second = j;
  };
  consider(-1, -1);
  for (int i = 0; i < count; ++i) {
    if (!bounds(i)) continue;
    consider(i, -1);
    for (int j = i + 1; j < count; ++j)
      if (bounds(j)) consider(i, j);
  }
  close_only(first, second);
  for (int k = 0; k < count && longest2 < T(0); ++k)
    if (bounds(k)) close_direction(n, contacts[k].normal);
}

template <class T, int D>
FIRN_INLINE void register_active(const ContactStep<T>& step, ContactNode<T, D>& n,
                                 const Contact<T, D>* contacts, int count, const Vec<T, D>& now,
                                 const Vec<T, D>& g) {
  n.closed = 0;
  if (n.held) return;
  if (count == 1) {
    const Contact<T, D>& c = contacts[0];
    if (c.kind == ContactKind::slip || (touches(step, c, now) && dot(g, c.normal) > T(0)))
      close_direction(n, c.normal);
  } else {
    close_corner(step, n, contacts, count, now, g);
  }
  const Contact<T, D>& sole = contacts[0];
  n.sliding = n.friction > T(0) ? sliding_velocity(sole, now) : Vec<T, D>::zero();
  // Rounding of the body's motion is not sliding.
  if (length_of(n.sliding) <= touching_speed(step, now, sole.v_body)) n.sliding = Vec<T, D>::zero();
  if (!(n.friction > T(0)) || dot(n.sliding, n.sliding) > T(0)) return;
  // At rest g has lost what friction takes: where that is not all of it, the node begins to slide,
  // straight: friction takes more on any other way than the slope at rest says.
  const Vec<T, D>& normal = sole.normal;
  const Vec<T, D> left = g - normal * dot(g, normal);
  const T pull = length_of(left);
  const bool begins = pull > T(4) * kContactTolerance<T> * length_of(g);
  if (begins) n.sliding = Vec<T, D>::zero() - left;
  const Vec<T, D> open = begins ? left * (T(1) / pull) : Vec<T, D>::zero();
  for (int a = 0; a < D; ++a) {
    Vec<T, D> axis = Vec<T, D>::zero();
    axis[a] = T(1);
    close_direction(n, axis - normal * normal[a] - open * open[a]);
  }
}

// Friction's part of the objective, J.
template <class T, int D>
FIRN_INLINE double friction_energy(const ContactNode<T, D>& n, const Contact<T, D>& sole,
                                   const Vec<T, D>& v) {
  if (!(n.friction > T(0))) return 0;
  return double(n.friction) * double(length_of(sliding_velocity(sole, v)));
}
// Adds its gradient to that of the rest.
template <class T, int D>
FIRN_INLINE void add_friction_gradient(const ContactStep<T>& step, const ContactNode<T, D>& n,
                                       const Contact<T, D>& sole, const Vec<T, D>& now,
                                       Vec<T, D>& g) {
  if (!(n.friction > T(0))) return;
  const Vec<T, D> sliding = sliding_velocity(sole, now);
  const T limit = n.friction / n.mass, speed = length_of(sliding);
  if (speed > touching_speed(step, now, sole.v_body)) {
    g += sliding * (limit / speed);
  } else {
    // At rest: the smallest of all slopes.
    const Vec<T, D> pull = g - sole.normal * dot(g, sole.normal);
    const T size = length_of(pull);
    g = size > limit ? g - pull * (limit / size) : sole.normal * dot(g, sole.normal);
  }
}
// Adds the product of its Hessian with `given`.
template <class T, int D>
FIRN_INLINE void add_friction_product(const ContactNode<T, D>& n, const Contact<T, D>& sole,
                                      const Vec<T, D>& given, Vec<T, D>& out) {
  const T speed2 = dot(n.sliding, n.sliding);
  if (!(n.friction > T(0)) || !(speed2 > T(0))) return;
  Vec<T, D> across = given - sole.normal * dot(given, sole.normal);
  across = across - n.sliding * (dot(across, n.sliding) / speed2);
  out = out + across * (n.friction / (n.mass * sqrt_of(speed2)));
}
// That Hessian times the mass; false where it has none.
template <class T, int D>
FIRN_INLINE bool friction_block(const ContactNode<T, D>& n, const Contact<T, D>& sole,
                                SymMat<T, D>& part) {
  const T speed2 = dot(n.sliding, n.sliding);
  if (!(n.friction > T(0)) || !(speed2 > T(0))) return false;
  const Vec<T, D>& normal = sole.normal;
  const T size = n.friction / sqrt_of(speed2);
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j)
      part(i, j) = size * ((i == j ? T(1) : T(0)) - normal[i] * normal[j] -
                           n.sliding[i] * n.sliding[j] / speed2);
  return true;
}

// The projection on the directions that are closed to a node; false where none is.
template <class T, int D>
FIRN_INLINE bool closed_part(const ContactNode<T, D>& n, SymMat<T, D>& part) {
  if (!n.held && n.closed == 0) return false;
  part = SymMat<T, D>::isotropic(n.held ? T(1) : T(0));
  for (int k = 0; k < n.closed && !n.held; ++k)
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) part(i, j) += n.basis[k][i] * n.basis[k][j];
  return true;
}

// f at a solution, where obstacles give the node `impulse`; and the contact that presses most.
template <class T, int D>
FIRN_INLINE T friction_limit(const ContactStep<T>& step, const Contact<T, D>* contacts, int count,
                             const Vec<T, D>& now, const Vec<T, D>& impulse, int& sole) {
  T most = T(0), limit = T(0);
  sole = 0;
  for (int k = 0; k < count; ++k) {
    const Contact<T, D>& c = contacts[k];
    T pressing = dot(impulse, c.normal);
    if (c.kind == ContactKind::slip) pressing = abs_of(pressing);
    if (!(pressing > T(0)) || !(c.kind == ContactKind::slip || touches(step, c, now))) continue;
    limit += c.friction * pressing;
    if (!(pressing > most)) continue;
    most = pressing;
    sole = k;
  }
  return limit;
}

}  // namespace firn
