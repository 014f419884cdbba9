#include "fem/obstacle_constraints.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "exec/parallel.h"

namespace firn {
namespace {

constexpr std::int64_t kNodesAtOnce = 1024;

// Orthonormal directions that span the normals; those that add nothing are left out. Returns how
// many there are. `step` becomes the shortest way with normal[k].step = -phi[k].
template <int D>
int span(const Vec<double, D>* normal, const double* phi, int count, Vec<double, D>* axis,
         Vec<double, D>& step) {
  constexpr double kParallel = 1e-6;
  int found = 0;
  step = Vec<double, D>::zero();
  for (int k = 0; k < count && found < D; ++k) {
    Vec<double, D> rest = normal[k];
    for (int j = 0; j < found; ++j) rest -= axis[j] * dot(normal[k], axis[j]);
    const double length = std::sqrt(dot(rest, rest));
    if (!(length > kParallel)) continue;
    axis[found] = rest * (1 / length);
    if (phi) step += axis[found] * ((-phi[k] - dot(normal[k], step)) / length);
    ++found;
  }
  return found;
}

template <int D>
void remove(const Vec<double, D>* axis, int count, double* d) {
  for (int j = 0; j < count; ++j) {
    double along = 0;
    for (int a = 0; a < D; ++a) along += axis[j][a] * d[a];
    for (int a = 0; a < D; ++a) d[a] -= along * axis[j][a];
  }
}

template <int D>
Vec<double, D> flat(const Vec3d& x) {
  Vec<double, D> r;
  for (int a = 0; a < D; ++a) r[a] = x[a];
  return r;
}
template <int D>
Vec<double, D> at(const double* x, std::uint32_t node) {
  Vec<double, D> r;
  for (int a = 0; a < D; ++a) r[a] = x[std::size_t(node) * D + a];
  return r;
}

}  // namespace

template <int D>
void ObstacleConstraints<D>::start(std::shared_ptr<const ColliderSet> obstacles,
                                   std::vector<bool> as_constraint, std::size_t nodes,
                                   double edge) {
  obstacles_ = std::move(obstacles);
  edge_ = edge;
  touching_ = 1e-7 * edge;
  for (std::size_t k = 0; k < obstacles_->size(); ++k)
    if (as_constraint[k] && obstacles_->all()[k].contact != ContactKind::pin)
      bodies_.push_back(static_cast<int>(k));
  slack_.resize(nodes);
  reference_.resize(nodes * D);
  hold_of_.resize(nodes);
  contact_of_.resize(nodes);
  hold_of_.fill(-1);
  contact_of_.fill(-1);
}

template <int D>
void ObstacleConstraints<D>::hold_what_is_inside(const double* x) {
  const auto& all = obstacles_->all();
  for (std::uint32_t node = 0; node < hold_of_.size(); ++node)
    for (std::size_t k = 0; k < all.size() && hold_of_[node] < 0; ++k) {
      if (!is_holding(all[k].contact)) continue;
      const Vec3d place = in_space<D>(x + std::size_t(node) * D);
      if (distance_to(all[k], place).distance > touching_) continue;
      hold_of_[node] = static_cast<std::int32_t>(holds_.size());
      holds_.push_back({node, static_cast<int>(k), body_point_now(all[k], place), {}});
    }
}

template <int D>
void ObstacleConstraints<D>::begin_step(const double* x) {
  contacts_.clear();
  contact_of_.fill(-1);
  slack_.fill(0);
  std::copy(x, x + reference_.size(), reference_.data());
  for (Hold& h : holds_) {
    h.target = flat<D>(place_at_end(obstacles_->all()[h.collider], h.point));
    Contact held;
    held.node = h.node;
    held.held = hold_of_[h.node];
    contact_of_[h.node] = static_cast<std::int32_t>(contacts_.size());
    contacts_.push_back(held);
  }
}

template <int D>
bool ObstacleConstraints<D>::project(double* x, double* d) {
  std::atomic<bool> any = false;
  parallel_for("project", static_cast<std::int64_t>(slack_.size()), kNodesAtOnce,
               [&](std::int64_t begin, std::int64_t end) {
                 bool met = false;
                 for (std::int64_t i = begin; i < end; ++i)
                   met |= project_node(static_cast<std::uint32_t>(i), x + i * D,
                                       d ? d + i * D : nullptr);
                 if (met) any = true;
               });
  return any;
}

// Which surfaces bind a node at x: those of its active contacts, what it is inside of, and what it
// was bound by a moment ago. False where nothing has to move.
template <int D>
bool ObstacleConstraints<D>::bind(const double* x, const Contact* contact, Binding& to,
                                  bool& fresh) const {
  const double exact = 1e-12 * edge_;
  bool moves = false;
  const auto add = [&](int collider, const DistanceAndNormal& d) {
    if (to.count == kMost) return;
    to.collider[to.count] = collider;
    to.phi[to.count] = d.distance;
    to.normal[to.count++] = flat<D>(d.normal);
    moves = moves || std::abs(d.distance) > exact;
  };
  Binding before = to;
  to.count = 0;
  const auto& all = obstacles_->all();
  const Vec3d place = in_space<D>(x);
  for (const int body : bodies_) {
    bool bound = false;
    for (int k = 0; k < before.count; ++k) bound = bound || before.collider[k] == body;
    if (contact)
      for (int k = 0; k < contact->count; ++k)
        bound = bound || (contact->touch[k].active && contact->touch[k].collider == body);
    const DistanceAndNormal d = distance_at_end(all[body], place);
    if (!bound && d.distance < -exact) fresh = bound = true;
    if (bound) add(body, d);
  }
  return moves;
}

template <int D>
bool ObstacleConstraints<D>::project_node(std::uint32_t node, double* x, double* d) {
  const Contact* contact = contact_of_[node] >= 0 ? &contacts_[contact_of_[node]] : nullptr;
  if (contact && contact->held >= 0) {
    for (int a = 0; a < D; ++a) {
      x[a] = holds_[contact->held].target[a];
      if (d) d[a] = 0;
    }
    return false;
  }
  double way2 = 0;
  for (int a = 0; a < D; ++a) {
    const double way = x[a] - reference_[std::size_t(node) * D + a];
    way2 += way * way;
  }
  if (!contact && way2 < slack_[node] * slack_[node]) return false;
  constexpr int kMostSteps = 30;
  Binding binding;
  bool fresh = false;
  double bend = 0;
  int bent = -1;
  for (int step = 0; step < kMostSteps; ++step) {
    const bool moves = bind(x, contact, binding, fresh);
    if (step == 0 && binding.count == 1) bent = binding.collider[0], bend = binding.phi[0];
    if (!moves) break;
    V axis[D], way;
    span<D>(binding.normal, binding.phi, binding.count, axis, way);
    for (int a = 0; a < D; ++a) x[a] += way[a];
  }
  if (binding.count == 0) {
    double least = 1e300;
    for (const int body : bodies_) least = std::min(least, distance(body, x));
    slack_[node] = std::max(least, 0.0) / kSteepnessOfExact;
    for (int a = 0; a < D; ++a) reference_[std::size_t(node) * D + a] = x[a];
    return false;
  }
  if (!d) return fresh;
  V axis[D], way;
  const int closed = span<D>(binding.normal, nullptr, binding.count, axis, way);
  remove<D>(axis, closed, d);
  if (binding.count == 1) bend_along(bent, bend, x, d);
  return fresh;
}

// A point that comes from `away` off a curved surface moves along it by more or less, 1 / (1 + away
// curvature).
template <int D>
void ObstacleConstraints<D>::bend_along(int collider, double away, const double* x,
                                        double* d) const {
  const V way = at<D>(d, 0);
  const double length2 = dot(way, way);
  if (std::abs(away) <= 1e-9 * edge_ || !(length2 > 0)) return;
  const V probe = way * (1e-4 * edge_ / std::sqrt(length2));
  const V turn =
      normal_at(collider, at<D>(x, 0) + probe) - normal_at(collider, at<D>(x, 0) - probe);
  const double curvature = 0.5 * dot(turn, probe) / dot(probe, probe);
  const double factor = 1 / std::max(1 + away * curvature, 0.1);
  for (int a = 0; a < D; ++a) d[a] *= factor;
}

template <int D>
Vec<double, D> ObstacleConstraints<D>::normal_at(int collider, const V& x) const {
  return flat<D>(distance_at_end(obstacles_->all()[collider], in_space<D>(x.e)).normal);
}

// On a sharp edge rounding decides which normal a distance has there. What counts is the side that
// the node would go in by; and if it does not go in, the surface is no hindrance. With any other
// normal it would be held at an edge that it is to slip off, and with it every search for all.
template <int D>
void ObstacleConstraints<D>::look_along(const V& x, const V& way, Touch& touch) const {
  constexpr double kAhead = 1e-5, kSame = 0.99;  // edges; cosine
  const double length = std::sqrt(dot(way, way));
  if (!(length > 0) || !std::isfinite(length)) return;
  const V probe = x + way * (kAhead * edge_ / length);
  const DistanceAndNormal there =
      distance_at_end(obstacles_->all()[touch.collider], in_space<D>(probe.e));
  touch.blocks = there.distance < 0;
  const V normal = flat<D>(there.normal);
  if (touch.blocks && dot(normal, touch.normal) < kSame) touch.normal = normal;
}

template <int D>
void ObstacleConstraints<D>::find_touches(std::uint32_t node, const double* x, const V& g,
                                          Contact& contact) const {
  contact.node = node;
  for (const int body : bodies_) {
    const DistanceAndNormal d = distance_at_end(obstacles_->all()[body], in_space<D>(x));
    if (std::abs(d.distance) > touching_ || contact.count == kMost) continue;
    Touch& touch = contact.touch[contact.count++];
    touch.collider = body;
    touch.normal = flat<D>(d.normal);
    if (obstacles_->all()[body].contact == ContactKind::separate)
      look_along(at<D>(x, 0), -g, touch);
  }
}

// Those of the touched surfaces that g presses against: what is left of g has no part into any of
// them, and none pulls, but those that do not let go.
template <int D>
void ObstacleConstraints<D>::choose_pressed(const V& g, Contact& contact,
                                            const std::vector<Collider>& all) {
  for (int k = 0; k < contact.count; ++k) contact.touch[k].active = contact.touch[k].blocks;
  for (;;) {
    V normal[kMost];
    double pull[kMost];
    int place[kMost], count = 0;
    for (int k = 0; k < contact.count; ++k)
      if (contact.touch[k].active) {
        normal[count] = contact.touch[k].normal;
        place[count++] = k;
      }
    // Least squares by Gram's matrix; surfaces that are alike share by the rounding in it.
    double gram[kMost][kMost], right[kMost];
    for (int i = 0; i < count; ++i) {
      right[i] = dot(normal[i], g);
      for (int j = 0; j < count; ++j) gram[i][j] = dot(normal[i], normal[j]) + (i == j ? 1e-9 : 0);
    }
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j) {
        const double factor = gram[j][i] / gram[i][i];
        for (int k = i; k < count; ++k) gram[j][k] -= factor * gram[i][k];
        right[j] -= factor * right[i];
      }
    for (int i = count - 1; i >= 0; --i) {
      pull[i] = right[i];
      for (int k = i + 1; k < count; ++k) pull[i] -= gram[i][k] * pull[k];
      pull[i] /= gram[i][i];
    }
    int worst = -1;
    for (int i = 0; i < count; ++i) {
      contact.touch[place[i]].force = pull[i];
      const bool lets_go = all[contact.touch[place[i]].collider].contact == ContactKind::separate;
      if (lets_go && pull[i] <= 0 && (worst < 0 || pull[i] < pull[worst])) worst = i;
    }
    if (worst < 0) break;
    contact.touch[place[worst]].active = false;
    contact.touch[place[worst]].force = 0;
  }
}

template <int D>
void ObstacleConstraints<D>::close(Contact& contact) {
  V normal[kMost], step;
  int count = 0;
  for (int k = 0; k < contact.count; ++k)
    if (contact.touch[k].active) normal[count++] = contact.touch[k].normal;
  contact.pressed = count;
  contact.free_from = span<D>(normal, nullptr, count, contact.closed, step);
}

template <int D>
void ObstacleConstraints<D>::register_active(const double* x, const double* g) {
  std::vector<Contact> list;
  const auto nodes = static_cast<std::int64_t>(slack_.size());
  std::vector<std::vector<Contact>> found((nodes + kNodesAtOnce - 1) / kNodesAtOnce);
  parallel_for("contacts", static_cast<std::int64_t>(found.size()), 1,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t c = begin; c < end; ++c)
                   for (std::int64_t i = c * kNodesAtOnce;
                        i < std::min((c + 1) * kNodesAtOnce, nodes); ++i) {
                     const auto node = static_cast<std::uint32_t>(i);
                     if (hold_of_[node] >= 0) continue;
                     double way2 = 0;
                     for (int a = 0; a < D; ++a) {
                       const double way = x[i * D + a] - reference_[i * D + a];
                       way2 += way * way;
                     }
                     const double slack = slack_[node] - touching_;
                     if (slack > 0 && way2 < slack * slack) continue;
                     Contact contact;
                     const V pull = at<D>(g, node);
                     find_touches(node, x + i * D, pull, contact);
                     if (contact.count == 0) continue;
                     choose_pressed(pull, contact, obstacles_->all());
                     close(contact);
                     found[c].push_back(contact);
                   }
               });
  contacts_.resize(holds_.size());
  contact_of_.fill(-1);
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    contact_of_[contacts_[k].node] = static_cast<std::int32_t>(k);
  for (const auto& part : found)
    for (const Contact& contact : part) {
      contact_of_[contact.node] = static_cast<std::int32_t>(contacts_.size());
      contacts_.push_back(contact);
    }
}

template <int D>
void ObstacleConstraints<D>::filter(double* d) const {
  for (const Contact& c : contacts_) {
    double* there = d + std::size_t(c.node) * D;
    if (c.held >= 0)
      std::fill(there, there + D, 0.0);
    else
      remove<D>(c.closed, c.free_from, there);
  }
}

template <int D>
bool ObstacleConstraints<D>::close_met(const double* x, const double* d) {
  bool any = false;
  for (Contact& c : contacts_) {
    if (c.held >= 0) continue;
    const V way = at<D>(d, c.node);
    const double length = std::sqrt(dot(way, way));
    bool met = false;
    for (int k = 0; k < c.count; ++k) {
      Touch& touch = c.touch[k];
      if (touch.active) continue;
      if (!touch.blocks) look_along(at<D>(x, c.node), way, touch);
      if (!touch.blocks || dot(touch.normal, way) >= -1e-9 * length) continue;
      touch.active = met = true;
    }
    if (met) close(c);
    any = any || met;
  }
  return any;
}

// Second derivatives of the distance times the force, by differences of normals.
template <int D>
Mat<double, D> ObstacleConstraints<D>::curvature(const Contact& contact, const double* x) const {
  const double probe = 1e-4 * edge_;
  Mat<double, D> sum = Mat<double, D>::zero();
  for (int k = 0; k < contact.count; ++k) {
    const Touch& touch = contact.touch[k];
    if (!touch.active || touch.force == 0) continue;
    if (obstacles_->all()[touch.collider].shape.kind == ShapeKind::plane) continue;
    for (int a = 0; a < D; ++a) {
      V there, here;
      for (int b = 0; b < D; ++b) there[b] = here[b] = x[b];
      there[a] += probe;
      here[a] -= probe;
      const V turn = (normal_at(touch.collider, there) - normal_at(touch.collider, here)) *
                     (touch.force / (2 * probe));
      for (int b = 0; b < D; ++b) {
        sum(a, b) += 0.5 * turn[b];
        sum(b, a) += 0.5 * turn[b];
      }
    }
  }
  return sum;
}

template <int D>
std::vector<ObstacleForce<D>> ObstacleConstraints<D>::forces(const double* x, const double* g,
                                                             const double* mass, double reach2) {
  register_active(x, g);
  std::vector<ObstacleForce<D>> list;
  for (const Contact& c : contacts_)
    for (int k = 0; k < c.count && c.held < 0; ++k)
      if (c.touch[k].active)
        list.push_back({c.node, c.touch[k].collider, c.touch[k].normal,
                        c.touch[k].force * mass[c.node] / reach2});
  return list;
}

template <int D>
void ObstacleConstraints<D>::end_step(const double* x) {
  for (const Contact& c : contacts_)
    for (int k = 0; k < c.count && hold_of_[c.node] < 0; ++k) {
      const Collider& body = obstacles_->all()[c.touch[k].collider];
      const Vec3d place = in_space<D>(x + std::size_t(c.node) * D);
      const bool sticks = body.contact == ContactKind::sticky ||
                          (body.varies && body.stickiness.at(place, body.time) > 0.5);
      if (!sticks) continue;
      hold_of_[c.node] = static_cast<std::int32_t>(holds_.size());
      holds_.push_back({c.node, c.touch[k].collider, body_point_at_end(body, place), {}});
    }
}

template <int D>
std::vector<double> ObstacleConstraints<D>::save() const {
  std::vector<double> state;
  for (const Hold& h : holds_)
    state.insert(state.end(),
                 {double(h.node), double(h.collider), h.point[0], h.point[1], h.point[2]});
  return state;
}

template <int D>
bool ObstacleConstraints<D>::load(const std::vector<double>& state) {
  constexpr std::size_t kNumbers = 5;
  if (state.size() % kNumbers != 0) return false;
  holds_.clear();
  hold_of_.fill(-1);
  for (std::size_t k = 0; k < state.size(); k += kNumbers) {
    for (std::size_t j = 0; j < kNumbers; ++j)
      if (!std::isfinite(state[k + j])) return false;
    if (!(state[k] >= 0 && state[k] < double(hold_of_.size()))) return false;
    if (!(state[k + 1] >= 0 && state[k + 1] < double(obstacles_->size()))) return false;
    const auto node = static_cast<std::uint32_t>(state[k]);
    if (hold_of_[node] >= 0) return false;
    hold_of_[node] = static_cast<std::int32_t>(holds_.size());
    holds_.push_back(
        {node, static_cast<int>(state[k + 1]), {{state[k + 2], state[k + 3], state[k + 4]}}, {}});
  }
  return true;
}

template class ObstacleConstraints<2>;
template class ObstacleConstraints<3>;

}  // namespace firn
