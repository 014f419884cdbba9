// Nodes and obstacles that may not overlap (OPT 2.4.1): nodes are projected onto the surfaces they
// violate or are held by, as solvers/problem.h asks. Where several bodies meet, a node goes to the
// nearest point of what they leave free.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exec/buffer.h"
#include "fem/body_at_end.h"

namespace firn {

template <int D>
class ObstacleConstraints {
 public:
  // `as_constraint`: by collider of the set. Nodes inside pins and sticky bodies are held from the
  // start, at their places x.
  void start(std::shared_ptr<const ColliderSet> obstacles, std::vector<bool> as_constraint,
             std::size_t nodes, double edge);
  void hold_what_is_inside(const double* x);
  // Obstacles have their places for a step that begins at x.
  void begin_step(const double* x);

  bool project(double* x, double* d);
  // g: gradient by mass, so that g.n > 0 presses against a surface.
  void register_active(const double* x, const double* g);
  void filter(double* d) const;
  bool close_met(const double* x, const double* d);

  // f(node, matrix): what the curvature of surfaces takes from the second derivatives, by mass, at
  // the contacts registered last.
  template <class F>
  void for_curvatures(const double* x, F&& f) const {
    for (const Contact& c : contacts_)
      if (c.held < 0 && c.pressed > 0) f(c.node, curvature(c, x + std::size_t(c.node) * D));
  }
  // Forces that solution x needs, g as above, mass m and reach2 of the scheme.
  std::vector<ObstacleForce<D>> forces(const double* x, const double* g, const double* mass,
                                       double reach2);
  // Of nodes that bodies hold: what they get from them, N.
  template <class F>
  void for_held(const double* g, const double* mass, double reach2, F&& f) const {
    for (const Hold& h : holds_) {
      Vec<double, D> force;
      for (int a = 0; a < D; ++a) force[a] = mass[h.node] / reach2 * g[std::size_t(h.node) * D + a];
      f(h.node, h.collider, force);
    }
  }
  // Sticky surfaces keep what touches them at x.
  void end_step(const double* x);
  bool any() const { return !bodies_.empty() || !holds_.empty(); }
  bool is_held(std::uint32_t node) const { return hold_of_[node] >= 0; }

  std::vector<double> save() const;
  bool load(const std::vector<double>& state);
  std::size_t bytes() const { return slack_.bytes() + reference_.bytes() + hold_of_.bytes(); }

 private:
  static constexpr int kMost = D;  // surfaces that bind a node
  using V = Vec<double, D>;

  struct Hold {
    std::uint32_t node;
    int collider;
    Vec3d point;  // of the body
    V target;     // at the end of the step, m
  };
  struct Touch {
    int collider = 0;
    V normal;
    double force = 0;  // by mass
    bool active = false;
    bool blocks = true;  // false: at a sharp edge, which the pull leads past
  };
  struct Contact {
    std::uint32_t node = 0;
    int held = -1;  // by that hold
    int count = 0, pressed = 0;
    Touch touch[kMost];
    int free_from = 0;  // directions in `closed`
    V closed[D];        // orthonormal
  };
  // Surfaces that bind a node where it is.
  struct Binding {
    int count = 0;
    int collider[kMost];
    double phi[kMost];
    V normal[kMost];
  };

  bool project_node(std::uint32_t node, double* x, double* d);
  bool bind(const double* x, const Contact* contact, Binding& to, bool& fresh) const;
  void find_touches(std::uint32_t node, const double* x, const V& g, Contact& contact) const;
  // What a surface that x touches is to a node that wants to go along `way`.
  void look_along(const V& x, const V& way, Touch& touch) const;
  static void choose_pressed(const V& g, Contact& contact, const std::vector<Collider>& all);
  static void close(Contact& contact);
  Mat<double, D> curvature(const Contact& contact, const double* x) const;
  void bend_along(int collider, double away, const double* x, double* d) const;
  V normal_at(int collider, const V& x) const;
  double distance(int collider, const double* x) const {
    return distance_at_end(obstacles_->all()[collider], in_space<D>(x)).distance;
  }

  std::shared_ptr<const ColliderSet> obstacles_;
  std::vector<int> bodies_;  // that act as constraints, by number in the set
  double edge_ = 1, touching_ = 0;
  // By node: no surface is nearer than `slack` to `reference`.
  Buffer<double> slack_, reference_;
  Buffer<std::int32_t> hold_of_, contact_of_;
  std::vector<Hold> holds_;
  std::vector<Contact> contacts_;
};

}  // namespace firn
