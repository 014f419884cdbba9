#include "fem/obstacle_penalty.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace firn {
namespace {

constexpr std::int64_t kNodesATime = 1024;

}  // namespace

template <int D>
void ObstaclePenalty<D>::start(std::shared_ptr<const ColliderSet> obstacles,
                               const std::vector<bool>& as_constraint,
                               std::vector<double> stiffness, double edge) {
  obstacles_ = std::move(obstacles);
  stiffness_ = std::move(stiffness);
  probe_ = 1e-5 * edge;
  for (std::size_t k = 0; k < obstacles_->size(); ++k)
    if (!as_constraint[k] && obstacles_->all()[k].contact != ContactKind::pin)
      bodies_.push_back(static_cast<int>(k));
}

template <int D>
Vec<double, D> ObstaclePenalty<D>::slope_at(int collider, const V& x) const {
  const Collider& c = obstacles_->all()[collider];
  V slope;
  for (int a = 0; a < D; ++a) {
    V there = x, here = x;
    there[a] += probe_;
    here[a] -= probe_;
    slope[a] = (distance_at_end(c, in_space<D>(there.e)).distance -
                distance_at_end(c, in_space<D>(here.e)).distance) /
               (2 * probe_);
  }
  return slope;
}

template <int D>
void ObstaclePenalty<D>::meet(const double* x) {
  hits_.clear();
  if (bodies_.empty()) return;
  const auto nodes = static_cast<std::int64_t>(stiffness_.size());
  std::vector<std::vector<Hit>> found((nodes + kNodesATime - 1) / kNodesATime);
  parallel_for(
      "penalty", static_cast<std::int64_t>(found.size()), 1,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t c = begin; c < end; ++c)
          for (std::int64_t i = c * kNodesATime; i < std::min((c + 1) * kNodesATime, nodes); ++i)
            for (const int body : bodies_) {
              V place;
              for (int a = 0; a < D; ++a) place[a] = x[i * D + a];
              const double phi =
                  distance_at_end(obstacles_->all()[body], in_space<D>(place.e)).distance;
              if (phi < 0)
                found[c].push_back(
                    {static_cast<std::uint32_t>(i), body, phi, slope_at(body, place), place});
            }
      });
  for (const auto& part : found) hits_.insert(hits_.end(), part.begin(), part.end());
}

template <int D>
double ObstaclePenalty<D>::energy() const {
  double sum = 0;
  for (const Hit& hit : hits_) sum -= k_of(hit) * hit.phi * hit.phi * hit.phi;
  return sum;
}

template <int D>
void ObstaclePenalty<D>::add_gradient(double* g) const {
  for (const Hit& hit : hits_)
    for (int a = 0; a < D; ++a)
      g[std::size_t(hit.node) * D + a] -= 3 * k_of(hit) * hit.phi * hit.phi * hit.slope[a];
}

template <int D>
Mat<double, D> ObstaclePenalty<D>::block(const Hit& hit) const {
  Mat<double, D> m = outer(hit.slope, hit.slope) * (-6 * k_of(hit) * hit.phi);
  for (int a = 0; a < D; ++a) {
    V there = hit.place, here = hit.place;
    there[a] += 10 * probe_;
    here[a] -= 10 * probe_;
    const V turn = (slope_at(hit.collider, there) - slope_at(hit.collider, here)) *
                   (-3 * k_of(hit) * hit.phi * hit.phi / (20 * probe_));
    for (int b = 0; b < D; ++b) {
      m(a, b) += 0.5 * turn[b];
      m(b, a) += 0.5 * turn[b];
    }
  }
  return m;
}

template <int D>
std::vector<ObstacleForce<D>> ObstaclePenalty<D>::forces() const {
  std::vector<ObstacleForce<D>> list;
  for (const Hit& hit : hits_) {
    const double length = std::sqrt(dot(hit.slope, hit.slope));
    if (length > 0)
      list.push_back({hit.node, hit.collider, hit.slope * (1 / length),
                      3 * k_of(hit) * hit.phi * hit.phi * length});
  }
  return list;
}

template <int D>
double ObstaclePenalty<D>::deepest() const {
  double most = 0;
  for (const Hit& hit : hits_) most = std::max(most, -hit.phi);
  return most;
}

template class ObstaclePenalty<2>;
template class ObstaclePenalty<3>;

}  // namespace firn
