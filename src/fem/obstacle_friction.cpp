#include "fem/obstacle_friction.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace firn {

template <int D>
void ObstacleFriction<D>::start(std::shared_ptr<const ColliderSet> obstacles) {
  obstacles_ = std::move(obstacles);
  for (const Collider& c : obstacles_->all())
    rubs_ = rubs_ || c.friction > 0 || c.friction_field.has_program;
}

template <int D>
double ObstacleFriction<D>::coefficient(int collider, const Vec3d& x) const {
  const Collider& c = obstacles_->all()[collider];
  if (!c.friction_field.has_program) return c.friction;
  return std::max(c.friction_field.at(x, time_), 0.0);
}

template <int D>
void ObstacleFriction<D>::place(Rub& rub) const {
  const Collider& c = obstacles_->all()[rub.collider];
  const Vec3d at_end = place_at_end(c, rub.point);
  Vec3d normal = Vec3d::zero();
  for (int a = 0; a < D; ++a) normal[a] = rub.normal[a];
  const Vec3d belt = belt_velocity(c, normal) * dt_;
  for (int a = 0; a < D; ++a) rub.anchor[a] = at_end[a] + belt[a];
}

template <int D>
void ObstacleFriction<D>::begin_step(const double* x, double dt, double time, double still) {
  before_ = x;
  dt_ = dt;
  time_ = time;
  law_.still = still;
  for (Rub& rub : rubs_of_step_) place(rub);
}

// Contacts that are new have slid along with everything since the step began.
template <int D>
double ObstacleFriction<D>::update(const std::vector<ObstacleForce<D>>& forces) {
  std::vector<Rub> old = std::move(rubs_of_step_);
  rubs_of_step_.clear();
  double changed = 0, all = 0;
  std::size_t k = 0;
  const auto is_before = [](const auto& a, const auto& b) {
    return a.node != b.node ? a.node < b.node : a.collider < b.collider;
  };
  std::vector<ObstacleForce<D>> sorted = forces;
  std::sort(sorted.begin(), sorted.end(), is_before);
  for (const ObstacleForce<D>& f : sorted) {
    while (k < old.size() && is_before(old[k], f)) changed += old[k++].limit;
    const Vec3d place_before = in_space<D>(before_ + std::size_t(f.node) * D);
    const double limit = coefficient(f.collider, place_before) * std::max(f.force, 0.0);
    Rub rub{f.node, f.collider, {}, {}, f.normal, std::max(f.force, 0.0), limit};
    double last = 0;
    if (k < old.size() && old[k].node == f.node && old[k].collider == f.collider) {
      rub.point = old[k].point;
      last = old[k++].limit;
    } else {
      rub.point = body_point_now(obstacles_->all()[f.collider], place_before);
    }
    place(rub);
    changed += std::abs(limit - last);
    all += limit;
    rubs_of_step_.push_back(rub);
  }
  while (k < old.size()) changed += old[k++].limit;
  return all > 0 ? changed / all : changed > 0 ? 1 : 0;
}

template <int D>
Vec<double, D> ObstacleFriction<D>::slide(const Rub& rub, const double* x) const {
  V way;
  for (int a = 0; a < D; ++a) way[a] = x[std::size_t(rub.node) * D + a] - rub.anchor[a];
  return way - rub.normal * dot(rub.normal, way);
}

template <int D>
double ObstacleFriction<D>::energy(const double* x) const {
  double sum = 0;
  for (const Rub& rub : rubs_of_step_) {
    const V way = slide(rub, x);
    sum += rub.limit * law_.energy(std::sqrt(dot(way, way)));
  }
  return sum;
}

template <int D>
Vec<double, D> ObstacleFriction<D>::pull(const Rub& rub, const double* x) const {
  const V way = slide(rub, x);
  return way * (-rub.limit * law_.slope_over_way(std::sqrt(dot(way, way))));
}

template <int D>
void ObstacleFriction<D>::add_gradient(const double* x, double* g) const {
  for (const Rub& rub : rubs_of_step_) {
    if (!(rub.limit > 0)) continue;
    const V force = pull(rub, x);
    for (int a = 0; a < D; ++a) g[std::size_t(rub.node) * D + a] -= force[a];
  }
}

template <int D>
Mat<double, D> ObstacleFriction<D>::block(const Rub& rub, const double* x) const {
  const V way = slide(rub, x);
  const double r = std::sqrt(dot(way, way));
  const double across = rub.limit * law_.slope_over_way(r), along = rub.limit * law_.second(r);
  Mat<double, D> m = (Mat<double, D>::identity() - outer(rub.normal, rub.normal)) * across;
  if (r > 0) {
    const V t = way * (1 / r);
    m = m + outer(t, t) * (along - across);
  }
  return m;
}

template <int D>
void ObstacleFriction<D>::end_step(const double* x) {
  std::vector<Rub> kept;
  for (Rub& rub : rubs_of_step_) {
    if (!(rub.limit > 0)) continue;
    const V way = slide(rub, x);
    const double r = std::sqrt(dot(way, way));
    V anchor;
    const double back = r > law_.still ? law_.still / r : 1;
    for (int a = 0; a < D; ++a) anchor[a] = x[std::size_t(rub.node) * D + a] - way[a] * back;
    Vec3d there = Vec3d::zero();
    for (int a = 0; a < D; ++a) there[a] = anchor[a];
    rub.point = body_point_at_end(obstacles_->all()[rub.collider], there);
    kept.push_back(rub);
  }
  rubs_of_step_ = std::move(kept);
}

template <int D>
std::vector<double> ObstacleFriction<D>::save() const {
  std::vector<double> state;
  for (const Rub& rub : rubs_of_step_) {
    state.insert(state.end(), {double(rub.node), double(rub.collider), rub.point[0], rub.point[1],
                               rub.point[2], rub.force, rub.limit});
    for (int a = 0; a < D; ++a) state.push_back(rub.normal[a]);
  }
  return state;
}

template <int D>
bool ObstacleFriction<D>::load(const std::vector<double>& state, std::size_t nodes) {
  constexpr std::size_t kNumbers = 7 + D;
  if (state.size() % kNumbers != 0) return false;
  rubs_of_step_.clear();
  for (std::size_t k = 0; k < state.size(); k += kNumbers) {
    const double* s = state.data() + k;
    for (std::size_t j = 0; j < kNumbers; ++j)
      if (!std::isfinite(s[j])) return false;
    if (!(s[0] >= 0 && s[0] < double(nodes)) || !(s[1] >= 0 && s[1] < double(obstacles_->size())))
      return false;
    Rub rub{static_cast<std::uint32_t>(s[0]),
            static_cast<int>(s[1]),
            {{s[2], s[3], s[4]}},
            {},
            {},
            s[5],
            s[6]};
    for (int a = 0; a < D; ++a) rub.normal[a] = s[7 + a];
    rubs_of_step_.push_back(rub);
  }
  return true;
}

template class ObstacleFriction<2>;
template class ObstacleFriction<3>;

}  // namespace firn
