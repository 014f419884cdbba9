#include "mpm/backward_positions.h"

#include <algorithm>
#include <cmath>

#include "mpm/backward_place.h"
#include "mpm/block_positions.h"

namespace firn {
namespace {

// Velocities of the nodes of a block and around it, in cells a step.
template <class T, int D, class Kernel>
class NodesAround {
 public:
  NodesAround(const StepContext<T, D>& ctx, const std::vector<Collider>& colliders,
              const std::vector<int>& near, const MpmState<T, D>& state, int block)
      : colliders_(colliders),
        near_(near),
        to_cells_(ctx.dt * ctx.inverse_h),
        spacing_(ctx.spacing),
        coord_(state.blocks.coord(block)) {
    for (int i = 0; i < kSize; ++i) nodes_[i] = read(state, block, place(i));
  }
  // Of a node counted from the block's first one.
  Vec<T, D> at(const Vec<int, D>& node, const Vec<T, D>& continued) const {
    int index = 0;
    bool inside = true;
    for (int a = 0; a < D; ++a) {
      const int k = node[a] + kBefore;
      inside = inside && k >= 0 && k < kWidth;
      index = index * kWidth + k;
    }
    if (inside && nodes_[index][kMassLane] > T(0)) return velocity_of<D>(nodes_[index]) * to_cells_;
    return allowed(node, continued);
  }

 private:
  static constexpr int kEdge = BlockShape<D>::kEdge;
  // Particles may be a margin away, and go a cell farther.
  static constexpr int kBefore = BlockShape<D>::kMargin + 1;
  static constexpr int kWidth = kEdge + 2 * kBefore + Kernel::kNodes - 1;
  static constexpr int kSize = power(kWidth, D);

  static Vec<int, D> place(int index) {
    Vec<int, D> at;
    for (int a = D - 1; a >= 0; --a, index /= kWidth) at[a] = index % kWidth - kBefore;
    return at;
  }
  static Node<T> read(const MpmState<T, D>& state, int block, const Vec<int, D>& at) {
    Vec<int, D> offset;
    int node = 0;
    for (int a = 0; a < D; ++a) {
      if (at[a] < -kEdge || at[a] >= 2 * kEdge) return Node<T>(0);
      offset[a] = at[a] < 0 ? -1 : at[a] >= kEdge ? 1 : 0;
      node = node * kEdge + at[a] - offset[a] * kEdge;
    }
    const int slot = state.blocks.neighbors(block)[neighbor_code<D>(offset)];
    return slot < 0 ? Node<T>(0) : state.nodes[0].velocity.of_block(slot)[node];
  }
  // Obstacles hold what is inside of them, or turn it back.
  Vec<T, D> allowed(const Vec<int, D>& node, Vec<T, D> v) const {
    if (near_.empty()) return v;
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < D; ++a) x[a] = (double(coord_[a]) * kEdge + node[a]) * spacing_;
    for (const int k : near_) {
      const DistanceAndNormal d = distance_to(colliders_[k], x);
      if (d.distance > 0) continue;
      const Contact<T, D> c = contact_at<T, D>(colliders_[k], x, d);
      const Vec<T, D> body = c.v_body * to_cells_;
      if (is_holding(c.kind)) return body;
      const T into = dot(v - body, c.normal);
      if (into < T(0) || c.kind == ContactKind::slip) v = v - c.normal * into;
    }
    return v;
  }

  const std::vector<Collider>& colliders_;
  const std::vector<int>& near_;
  T to_cells_;
  double spacing_;
  BlockCoord<D> coord_;
  Node<T> nodes_[kSize];
};

}  // namespace

template <class T, int D>
void BackwardPositions<T, D>::remember(const MpmState<T, D>& state, int block) {
  copy_positions(state, block, before_);
}

template <class T, int D>
template <class Kernel>
double BackwardPositions<T, D>::move_with(const StepContext<T, D>& ctx,
                                          const std::vector<Collider>& colliders,
                                          const std::vector<int>& near, MpmState<T, D>& state,
                                          int block) const {
  const NodesAround<T, D, Kernel> nodes(ctx, colliders, near, state, block);
  const auto node_at = [&](const Vec<int, D>& node, const Vec<T, D>& continued) {
    return nodes.at(node, continued);
  };
  const Vec<T, D> shift = Vec<T, D>::fill(T(Kernel::kShift));
  double farthest2 = 0;
  const T* before = before_.data();
  for (auto& set : state.sets) {
    const std::uint32_t begin = set.begin[block], count = set.begin[block + 1] - begin;
    for (std::uint32_t p = 0; p < count; ++p) {
      Vec<T, D> start;
      for (int a = 0; a < D; ++a) start[a] = before[a * count + p];
      const Vec<T, D> end = backward_place<T, D, Kernel>(start + shift, node_at) - shift;
      for (int a = 0; a < D; ++a) set.particles.position[a][begin + p] = end[a];
      farthest2 = std::max(farthest2, double(dot(end - start, end - start)));
    }
    before += std::size_t(count) * D;
  }
  return std::sqrt(farthest2);
}

template <class T, int D>
double BackwardPositions<T, D>::move(const StepContext<T, D>& ctx, KernelKind kernel,
                                     const std::vector<Collider>& colliders,
                                     const std::vector<int>& near, MpmState<T, D>& state,
                                     int block) const {
  switch (kernel) {
    case KernelKind::linear:
      return move_with<LinearKernel>(ctx, colliders, near, state, block);
    case KernelKind::quadratic:
      return move_with<QuadraticKernel>(ctx, colliders, near, state, block);
    case KernelKind::cubic:
      break;
  }
  return move_with<CubicKernel>(ctx, colliders, near, state, block);
}

template class BackwardPositions<float, 2>;
template class BackwardPositions<float, 3>;
template class BackwardPositions<double, 2>;
template class BackwardPositions<double, 3>;

}  // namespace firn
