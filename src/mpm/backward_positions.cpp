#include "mpm/backward_positions.h"

#include <algorithm>
#include <cmath>

#include "mpm/backward_nodes.h"
#include "mpm/backward_place.h"
#include "mpm/block_positions.h"

namespace firn {
namespace {

// Velocities of the nodes of a block and around it, in cells a step.
template <class T, int D, class Kernel>
class NodesAround {
 public:
  using Around = NodesAroundBlock<D, Kernel>;

  NodesAround(const StepContext<T, D>& ctx, const std::vector<Collider>& colliders,
              const std::vector<int>& near, const MpmState<T, D>& state, int block)
      : colliders_(colliders),
        near_(near),
        to_cells_(ctx.dt * ctx.inverse_h),
        spacing_(ctx.spacing),
        coord_(state.blocks.coord(block)) {
    for (int i = 0; i < Around::kSize; ++i) nodes_[i] = read(state, block, Around::node(i));
  }
  // Of a node counted from the block's first one.
  Vec<T, D> at(const Vec<int, D>& node, const Vec<T, D>& continued) const {
    const int index = Around::index(node);
    if (index >= 0 && nodes_[index][kMassLane] > T(0))
      return velocity_of<D>(nodes_[index]) * to_cells_;
    return allowed_at<T, D>(colliders_.data(), near_.data(), static_cast<int>(near_.size()),
                            Around::position(coord_, node, spacing_), to_cells_, continued);
  }

 private:
  static Node<T> read(const MpmState<T, D>& state, int block, const Vec<int, D>& at) {
    int node = 0;
    const int code = Around::neighbor(at, node);
    const int slot = code < 0 ? -1 : state.blocks.neighbors(block)[code];
    return slot < 0 ? Node<T>(0) : state.nodes[0].velocity.of_block(slot)[node];
  }

  const std::vector<Collider>& colliders_;
  const std::vector<int>& near_;
  T to_cells_;
  double spacing_;
  BlockCoord<D> coord_;
  Node<T> nodes_[Around::kSize];
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
