#include "fem/landing_guess.h"

#include <algorithm>
#include <cmath>

#include "fem/contact_setup.h"
#include "solvers/conjugate_gradient.h"

namespace firn {
namespace {

template <int D>
Vec<double, D> at(const Buffer<double>& x, std::size_t node) {
  Vec<double, D> p;
  for (int a = 0; a < D; ++a) p[a] = x[node * D + std::size_t(a)];
  return p;
}
template <int D>
void put(const Vec<double, D>& p, std::size_t node, Buffer<double>& x) {
  for (int a = 0; a < D; ++a) x[node * D + std::size_t(a)] = p[a];
}

}  // namespace

template <int D>
LandingGuess<D>::LandingGuess(const FemModel<D>& model)
    : on_surface_(surface_nodes(model)), edge_(model.edge) {}

// Nodes that are to land or that are held; whether any of them comes from far off.
template <int D>
bool LandingGuess<D>::list(FemObjective<D>& problem, const Vector& x, const Vector& free) {
  constexpr double kFar = 1;  // edges
  landings_.clear();
  Vector now = x, then = free;
  problem.project(now);
  problem.project(then);
  bool far = false;
  const auto add = [&](std::size_t i, const V& out, const V& landed) {
    const double depth = std::sqrt(dot(out, out));
    if (!(depth > 0)) return;
    Landing landing;
    landing.node = static_cast<std::uint32_t>(i);
    landing.normal = out * (1 / depth);
    landing.least = dot(landing.normal, landed - at<D>(x, i));
    landings_.push_back(landing);
    far = far || std::abs(landing.least) > kFar * edge_;
  };
  for (std::size_t i = 0; i < on_surface_.size(); ++i) {
    const V pushed = at<D>(now, i) - at<D>(x, i);
    if (problem.constraints.is_held(static_cast<std::uint32_t>(i))) {
      Landing held;
      held.node = static_cast<std::uint32_t>(i);
      held.held = true;
      held.way = pushed;
      landings_.push_back(held);
      far = far || dot(pushed, pushed) > kFar * kFar * edge_ * edge_;
    } else if (on_surface_[i]) {
      if (dot(pushed, pushed) > 0)
        add(i, pushed, at<D>(now, i));
      else
        add(i, at<D>(then, i) - at<D>(free, i), at<D>(then, i));
    }
  }
  return far;
}

// What active landings leave free of a displacement.
template <int D>
void LandingGuess<D>::filter(Vector& d) const {
  for (const Landing& l : landings_) {
    if (!l.active) continue;
    V own = at<D>(d, l.node);
    own = l.held ? V::zero() : own - l.normal * dot(l.normal, own);
    put<D>(own, l.node, d);
  }
}

// What is pulled lets go, what would go through is stopped; whether anything changed. left: the
// gradient that remains, by mass.
template <int D>
bool LandingGuess<D>::choose_active(const Vector& d, const Vector& left) {
  constexpr double kThrough = 1e-3;  // edges
  bool changed = false;
  for (Landing& l : landings_) {
    if (l.held) continue;
    const bool active = l.active ? dot(l.normal, at<D>(left, l.node)) > 0
                                 : dot(l.normal, at<D>(d, l.node)) < l.least - kThrough * edge_;
    changed = changed || active != l.active;
    l.active = active;
  }
  return changed;
}

// The lowest point of the quadratic model with the active landings where they are to be.
template <int D>
void LandingGuess<D>::solve(const ArraySpace<double>& space, FemObjective<D>& problem,
                            const Vector& gradient, double& tolerance, Vector& d, Vector& left) {
  constexpr double kTolerance = 0.1, kLoosest = 0.5;
  constexpr int kMostIterations = 300;
  for (const Landing& l : landings_) {
    if (!l.active) continue;
    const V own = at<D>(d, l.node);
    put<D>(l.held ? l.way : own + l.normal * (l.least - dot(l.normal, own)), l.node, d);
  }
  problem.hessian(d, left);
  space.combine(-1, gradient, -1, left);
  filter(left);
  // Later rounds need no more than the first one left.
  const double size = std::sqrt(space.dot(left, left));
  if (tolerance == 0) tolerance = kTolerance * size;
  Vector more = space.make();
  CgSettings settings;
  settings.tolerance = size > 0 ? std::min(tolerance / size, kLoosest) : kLoosest;
  settings.most_iterations = kMostIterations;
  settings.from_zero = true;
  settings.at_indefinite = AtIndefinite::stop;
  const auto apply = [&](const Vector& way, Vector& out) {
    problem.hessian(way, out);
    filter(out);
  };
  const auto precondition = [&](const Vector& r, Vector& z) {
    problem.precondition(r, z);
    filter(z);
  };
  conjugate_gradient(space, apply, precondition, left, more, settings);
  space.combine(1, more, 1, d);
  problem.hessian(d, left);
  space.combine(1, gradient, 1, left);
}

template <int D>
bool LandingGuess<D>::find(const ArraySpace<double>& space, FemObjective<D>& problem,
                           const Vector& x, const Vector& free, Vector& guess) {
  constexpr int kMostRounds = 4;
  if (!problem.constraints.any() || !list(problem, x, free)) return false;
  if (!std::isfinite(problem.objective(x))) return false;
  Vector gradient = space.make(), d = space.make(), left = space.make();
  problem.gradient(x, gradient);
  problem.linearize(x, Curvature::definite);
  double tolerance = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    solve(space, problem, gradient, tolerance, d, left);
    if (!choose_active(d, left)) break;
  }
  guess = x;
  space.combine(1, d, 1, guess);
  problem.project(guess);
  return true;
}

template class LandingGuess<2>;
template class LandingGuess<3>;

}  // namespace firn
