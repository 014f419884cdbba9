#include "scene/even_volumes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "collision/mirror.h"
#include "exec/parallel.h"

namespace firn {
namespace {

// Steps of the iteration, and the change of volumes that ends it. It is stopped early on purpose:
// the first steps even out what spans cells, which moves matter; the last ones would only tear
// neighbours apart to please single nodes.
constexpr int kMostSteps = 24;
constexpr double kSmallChange = 1e-3;
// Shares of a node. Hardly any of the nodes outside of the shape is reached by particles of the
// right place, and what fills the inner ones as evenly as a lattice along the grid does is left
// as it is.
constexpr double kOuterNode = 0.1, kInnerNode = 0.4, kEvenEnough = 0.02;

// Particles by the first node of their stencils, and the nodes of each such group.
template <int D>
class Stencils {
 public:
  using Key = Vec<std::int32_t, D>;

  Stencils(KernelKind kernel, double h, const Vec3d* positions, std::size_t n)
      : kernel_(kernel),
        h_(h),
        width_(kernel == KernelKind::linear      ? 2
               : kernel == KernelKind::quadratic ? 3
                                                 : 4) {
    weights_.resize(n * D * width_);
    std::vector<Key> first(n);
    for (std::size_t p = 0; p < n; ++p) first[p] = locate(p, positions[p]);
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), std::size_t(0));
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return less(first[a], first[b]) || (!less(first[b], first[a]) && a < b);
    });
    for (std::size_t k = 0; k < n; ++k)
      if (k == 0 || less(first[order_[k - 1]], first[order_[k]])) {
        groups_.push_back(first[order_[k]]);
        begin_.push_back(k);
      }
    begin_.push_back(n);
    list_nodes();
  }

  std::size_t node_count() const { return nodes_.size(); }
  Vec3d node_position(std::size_t node) const {
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < D; ++a) x[a] = nodes_[node][a] * h_;
    return x;
  }

  // sum_p w_ip value_p at each node, its groups and their particles in a fixed order.
  void lay(const double* value, std::vector<double>& sums) const {
    for_each("even volumes lay", nodes_.size(), [&](std::size_t node) {
      double sum = 0;
      for (std::size_t k = meeting_begin_[node]; k < meeting_begin_[node + 1]; ++k) {
        const auto [group, corner] = meetings_[k];
        for (std::size_t q = begin_[group]; q < begin_[group + 1]; ++q)
          sum += weight(order_[q], corner) * value[order_[q]];
      }
      sums[node] = sum;
    });
  }
  // change(p, sum_i w_ip value_i) of each particle.
  template <class Change>
  void gather(const std::vector<double>& value, const Change& change) const {
    for_each("even volumes gather", groups_.size(), [&](std::size_t group) {
      const std::size_t* nodes = group_nodes_.data() + group * corners();
      for (std::size_t q = begin_[group]; q < begin_[group + 1]; ++q) {
        double sum = 0;
        for (int corner = 0; corner < corners(); ++corner)
          sum += weight(order_[q], corner) * value[nodes[corner]];
        change(order_[q], sum);
      }
    });
  }
  template <class Body>
  static void for_each(const char* name, std::size_t n, const Body& body) {
    parallel_for(name, static_cast<std::int64_t>(n), 256,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) body(static_cast<std::size_t>(i));
                 });
  }

 private:
  static bool less(const Key& a, const Key& b) {
    return std::lexicographical_compare(a.e, a.e + D, b.e, b.e + D);
  }
  int corners() const { return static_cast<int>(std::lround(std::pow(width_, D))); }
  // The first node of its stencil; stores the weights along each axis.
  Key locate(std::size_t p, const Vec3d& x) {
    Key key;
    for (int a = 0; a < D; ++a) {
      const double cells = x[a] / h_, reach = 0.5 * width_;
      key[a] = static_cast<std::int32_t>(std::floor(cells - reach)) + 1;
      for (int k = 0; k < width_; ++k)
        weights_[(p * D + a) * width_ + k] = detail::spline(kernel_, cells - (key[a] + k));
    }
    return key;
  }
  double weight(std::size_t p, int corner) const {
    double w = 1;
    for (int a = 0; a < D; ++a, corner /= width_)
      w *= weights_[(p * D + a) * width_ + corner % width_];
    return w;
  }
  Key node_of(std::size_t group, int corner) const {
    Key key = groups_[group];
    for (int a = 0; a < D; ++a, corner /= width_) key[a] += corner % width_;
    return key;
  }
  void list_nodes() {
    const int count = corners();
    std::vector<Key> all;
    all.reserve(groups_.size() * count);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (int corner = 0; corner < count; ++corner) all.push_back(node_of(g, corner));
    nodes_ = all;
    std::sort(nodes_.begin(), nodes_.end(), less);
    const auto same = [](const Key& a, const Key& b) { return a == b; };
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end(), same), nodes_.end());
    group_nodes_.resize(all.size());
    for_each("even volumes nodes", all.size(), [&](std::size_t k) {
      group_nodes_[k] = static_cast<std::size_t>(
          std::lower_bound(nodes_.begin(), nodes_.end(), all[k], less) - nodes_.begin());
    });
    meeting_begin_.assign(nodes_.size() + 1, 0);
    for (const std::size_t node : group_nodes_) ++meeting_begin_[node + 1];
    for (std::size_t i = 0; i < nodes_.size(); ++i) meeting_begin_[i + 1] += meeting_begin_[i];
    meetings_.resize(all.size());
    std::vector<std::size_t> next(meeting_begin_.begin(), meeting_begin_.end() - 1);
    for (std::size_t k = 0; k < all.size(); ++k)
      meetings_[next[group_nodes_[k]]++] = {k / count, static_cast<int>(k % count)};
  }

  struct Meeting {
    std::size_t group;
    int corner;
  };
  KernelKind kernel_;
  double h_;
  int width_;                               // nodes of a stencil along each axis
  std::vector<double> weights_;             // of particle, axis, node
  std::vector<std::size_t> order_, begin_;  // particles group by group
  std::vector<Key> groups_, nodes_;         // first nodes of stencils; all nodes
  std::vector<std::size_t> group_nodes_;    // of group, corner
  std::vector<std::size_t> meeting_begin_;  // by node
  std::vector<Meeting> meetings_;           // groups that reach the node, and as what
};

// Integral of a node's kernel over the shape, in cells. Points kPoints to a cell and axis stand for
// it; the share of each one's own small cell that is inside follows from its distance.
template <int D>
double kernel_volume(const Shape& shape, KernelKind kernel, double h, const Vec3d& node) {
  constexpr int kPoints = D == 2 ? 6 : 3;
  const int cells = kernel == KernelKind::linear ? 2 : kernel == KernelKind::quadratic ? 3 : 4;
  const double reach = 0.5 * cells * std::sqrt(double(D)) * h * kSteepnessOfSamples;
  const double middle = signed_distance(shape, node).distance;
  if (middle < -reach) return 1;
  const int points = cells * kPoints;
  const double step = 1.0 / kPoints;
  int total = 1;
  for (int a = 0; a < D; ++a) total *= points;
  double sum = 0;
  for (int point = 0; point < total; ++point) {
    Vec3d x = node;
    double weight = 1;
    for (int a = 0, rest = point; a < D; ++a, rest /= points) {
      const double from_node = (rest % points + 0.5) * step - 0.5 * cells;
      x[a] += from_node * h;
      weight *= step * detail::spline(kernel, from_node);
    }
    const DistanceAndNormal at = signed_distance(shape, x);
    double width = 0;  // of a small cell along the normal
    for (int a = 0; a < D; ++a) width = std::max(width, std::abs(at.normal[a]) * step * h);
    sum += weight * std::clamp(0.5 - at.distance / std::max(width, 1e-3 * step * h), 0.0, 1.0);
  }
  return sum;
}

// The multiplicative iteration V_p <- V_p sum_i w_ip T_i / M_i, M_i = sum_p w_ip V_p: volumes stay
// positive, and their sum is about that of T from the first step on, since sum_i w_ip = 1.
template <int D>
void even_out(const Shape& shape, KernelKind kernel, double h, const Vec3d* positions,
              std::size_t n, double* volumes) {
  const Stencils<D> stencils(kernel, h, positions, n);
  const std::size_t nodes = stencils.node_count();
  std::vector<double> target(nodes), laid(nodes), change(n);
  const double cell = std::pow(h, D);
  Stencils<D>::for_each("even volumes target", nodes, [&](std::size_t i) {
    target[i] = cell * kernel_volume<D>(shape, kernel, h, stencils.node_position(i));
  });
  for (int step = 0; step < kMostSteps; ++step) {
    stencils.lay(volumes, laid);
    double worst = 0;
    for (std::size_t i = 0; i < nodes; ++i) {
      laid[i] = target[i] > kOuterNode * cell && laid[i] > 0 ? target[i] / laid[i] : 1;
      if (target[i] > kInnerNode * cell) worst = std::max(worst, std::abs(laid[i] - 1));
    }
    if (step == 0 && worst < kEvenEnough) return;
    stencils.gather(laid, [&](std::size_t p, double factor) {
      change[p] = std::abs(factor - 1);
      volumes[p] *= factor;
    });
    if (*std::max_element(change.begin(), change.end()) < kSmallChange) break;
  }
  const double sum = std::accumulate(volumes, volumes + n, 0.0), whole = volume(shape);
  for (std::size_t p = 0; p < n; ++p) volumes[p] *= whole / sum;
}

}  // namespace

void even_volumes(const Shape& shape, KernelKind kernel, double spacing, const Vec3d* positions,
                  std::size_t n, double* volumes) {
  if (n == 0) return;
  if (shape.dimension == 2)
    even_out<2>(shape, kernel, spacing, positions, n, volumes);
  else
    even_out<3>(shape, kernel, spacing, positions, n, volumes);
}

}  // namespace firn
