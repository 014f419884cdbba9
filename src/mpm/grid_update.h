// Node stages: arenas are summed in a fixed order, momentum becomes velocity, gravity and contact
// act, and the result is ready to be gathered.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/prefetch.h"
#include "collision/contact_impulse.h"
#include "collision/mirror.h"
#include "collision/sweep.h"
#include "mpm/arena.h"
#include "mpm/state.h"

namespace firn {

// Obstacles that nodes of a block may meet. Those at rest are where they were when the map was
// built: their distances are measured once.
template <int D>
struct NodeObstacles {
  std::vector<int> colliders;                // empty for most blocks
  std::vector<DistanceAndNormal> distances;  // of each collider in turn at each node; at rest only

  const DistanceAndNormal& distance_at_rest(int k, int node) const {
    return distances[std::size_t(k) * BlockShape<D>::kNodes + std::size_t(node)];
  }
  DistanceAndNormal distance_to_node(const Collider& c, int k, int node, const Vec3d& x) const {
    return stands_still(c) ? distance_at_rest(k, node) : distance_to(c, x);
  }
};

// Obstacles that particles of a block may meet, and how far those are from the middle of each cell
// of the block and of the margin around it.
template <int D>
struct ParticleContacts {
  static constexpr int kSide = BlockShape<D>::kEdge + 2 * BlockShape<D>::kMargin;
  static constexpr int kUnits = 32;  // of clearance, a cell
  static constexpr double kHalfDiagonal =
      D == 3 ? 0.8660254037844386 : 0.7071067811865476;  // cells
  static constexpr double kSlack = 1e-3;  // for round-off and the gap to surfaces, cells

  // Of bodies at rest, and of others where they were when this was measured; last axis fastest.
  struct Clearance {
    std::vector<std::uint8_t> of_cell;
    int least = 255;
  };
  std::vector<int> colliders;  // empty for most blocks
  Clearance still, moving;
};

// How near a collider must come to a block to matter to it.
template <int D>
struct ContactReach {
  double h, shift, node, particle;  // m; the shift of the kernel in cells

  // What a block holds may travel in a step: nodes `stride` cells, particles one more beyond the
  // margin that they may have drifted. Slack of moving bodies in cells.
  ContactReach(double spacing, double kernel_shift, double slack, double stride = 1)
      : h(spacing),
        shift(kernel_shift),
        node((stride + 0.5 + slack) * h),
        particle((stride + 1 + slack) * h) {}

  FIRN_HD bool meets_nodes(const Collider& c, const BlockCoord<D>& block) const {
    constexpr double kHalf = 0.5 * (BlockShape<D>::kEdge - 1);
    return comes_near(c, middle(block, kHalf), kHalf, node);
  }
  FIRN_HD bool meets_particles(const Collider& c, const BlockCoord<D>& block) const {
    constexpr double kHalf = 0.5 * BlockShape<D>::kEdge;
    return c.contact != ContactKind::pin &&
           comes_near(c, middle(block, shift + kHalf), kHalf + BlockShape<D>::kMargin, particle);
  }

 private:
  // Whether the collider is nearer than `reach` to a cube, of which half an edge is given in cells;
  // exact for half-spaces, else for the ball around it.
  FIRN_HD bool comes_near(const Collider& c, const Vec3d& center, double half, double reach) const {
    const DistanceAndNormal d = distance_to(c, center);
    double corner = sqrt_of(double(D));
    if (is_fixed_plane(c)) {
      corner = 0;
      for (int a = 0; a < D; ++a) corner += abs_of(d.normal[a]);
    }
    return d.distance < half * corner * h + reach;
  }
  FIRN_HD Vec3d middle(const BlockCoord<D>& block, double from_corner) const {
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < D; ++a) x[a] = (double(block[a]) * BlockShape<D>::kEdge + from_corner) * h;
    return x;
  }
};

// How far the collider is from the middle of a cell, in units of clearance; less where distances
// may change faster than a metre a metre.
template <int D>
FIRN_HD inline std::uint8_t clearance_of(const Collider& c, const Vec3d& center, double h) {
  const double free = distance_to(c, center).distance / (h * steepness(c));
  return std::uint8_t(clamp(free * ParticleContacts<D>::kUnits, 0.0, 255.0));
}

// The middle of a cell of a block, m; `corner` of the block's cells in the world, in cells.
template <int D>
FIRN_HD inline Vec3d clearance_center(const Vec3d& corner, int cell, double h) {
  constexpr int kSide = ParticleContacts<D>::kSide;
  Vec3d center{{0, 0, 0}};
  for (int a = D - 1; a >= 0; --a, cell /= kSide)
    center[a] = (corner[a] + cell % kSide - BlockShape<D>::kMargin + 0.5) * h;
  return center;
}
// The cell that a particle `place` cells from the corner of its block is in.
template <class T, int D>
FIRN_HD inline int clearance_cell(const Vec<T, D>& place) {
  constexpr int kSide = ParticleContacts<D>::kSide;
  int cell = 0;
  for (int a = 0; a < D; ++a) {
    const int at = int(place[a] + T(BlockShape<D>::kMargin));
    cell = cell * kSide + (at < 0 ? 0 : at > kSide - 1 ? kSide - 1 : at);
  }
  return cell;
}
// How far it is from the middle of that cell, cells.
template <class T, int D>
FIRN_HD inline T from_middle(const Vec<T, D>& place, int cell) {
  constexpr int kSide = ParticleContacts<D>::kSide;
  T sum = T(0);
  for (int a = D - 1; a >= 0; --a, cell /= kSide)
    sum += square(place[a] - (T(cell % kSide - BlockShape<D>::kMargin) + T(0.5)));
  return sqrt_of(sum);
}

// Those of the colliders near[k] that stop a species.
inline std::vector<int> those_that_stop(const std::vector<Collider>& colliders,
                                        const std::vector<int>& near, int species) {
  std::vector<int> kept;
  for (const int c : near)
    if (stops_species(colliders[c], species)) kept.push_back(c);
  return kept;
}

// Which colliders a block can touch; none for most blocks. It stays valid while bodies move less
// than kBodySlack cells.
template <int D>
class ContactMap {
 public:
  static constexpr double kBodySlack = 2;
  // What counts as moved when it is made: bodies stand where a step began, or begins.
  static constexpr double kFirstBodyDrift = 0.25 * kBodySlack;

  // stride: cells that nodes may travel in a step.
  void build(const BlockTopology<D>& blocks, const ColliderSet& colliders, double h,
             double kernel_shift, double stride);
  // For its nodes, and for its particles, which may be outside of the block by its margin.
  const std::vector<int>& of_block(int slot) const { return nodes_[slot].colliders; }
  const NodeObstacles<D>& of_nodes(int slot) const { return nodes_[slot]; }
  const ParticleContacts<D>& of_particles(int slot) const { return particles_[slot]; }

 private:
  std::vector<NodeObstacles<D>> nodes_;
  std::vector<ParticleContacts<D>> particles_;
};

// Beyond what nodes reach by themselves, cells: what bodies move between two maps, and the free
// nodes that those behind a mirror follow.
template <int D>
double contact_slack(const std::vector<Collider>& colliders, bool bodies_move) {
  const bool mirrors = std::any_of(colliders.begin(), colliders.end(), is_mirror);
  return std::max(bodies_move ? ContactMap<D>::kBodySlack : 0.0, mirrors ? 1.0 : 0.0);
}

// Stores an arena as shares, one for each neighbour block.
template <class T, int D, class Kernel>
void write_shares(const Node<T>* arena, Node<T>* shares) {
  for (int code = 0; code < BlockShape<D>::kNeighbors; ++code) {
    Node<T>* share = shares + kShareBegin<D, Kernel>[code];
    for_each_run<D, Kernel>(code, [&](int in_arena, int, auto length) FIRN_INLINE_LAMBDA {
      unroll<length>([&](auto k) FIRN_INLINE_LAMBDA { share[k] = arena[in_arena + k]; });
      share += length;
    });
  }
}

// What the block in direction `code` from `slot` scattered into it, or null where there is none.
template <class T, int D, class Kernel>
FIRN_HOST_INLINE const Node<T>* share_from(const BlockTopology<D>& blocks, const Node<T>* shares,
                                           int slot, int code) {
  const std::int32_t source = blocks.neighbors(slot)[code];
  if (source < 0 || source >= blocks.occupied()) return nullptr;
  // Seen from the source, this block is the neighbour in the opposite direction.
  return shares + std::size_t(source) * Arena<D, Kernel>::kSize +
         kShareBegin<D, Kernel>[BlockShape<D>::kNeighbors - 1 - code];
}

// Sum of what all blocks around `slot` scattered into it. The order of the sources is fixed, so the
// sum has the same bits whatever thread computes it.
template <class T, int D, class Kernel>
void merge_shares(const BlockTopology<D>& blocks, const Node<T>* shares, int slot, Node<T>* out) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  const int next = slot + 1 < blocks.size() ? slot + 1 : slot;
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) out[i] = Node<T>(0);
  for (int code = 0; code < kNeighbors; ++code) {
    const int back = kNeighbors - 1 - code;
    // write_shares are short and far apart, so that no hardware prefetcher follows them.
    if (const Node<T>* later = share_from<T, D, Kernel>(blocks, shares, next, code))
      prefetch_range(later, kShareBegin<D, Kernel>[back + 1] - kShareBegin<D, Kernel>[back]);
    const Node<T>* share = share_from<T, D, Kernel>(blocks, shares, slot, code);
    if (!share) continue;
    for_each_run<D, Kernel>(back, [&](int, int in_block, auto length) FIRN_INLINE_LAMBDA {
      unroll<length>([&](auto k)
                         FIRN_INLINE_LAMBDA { out[in_block + k] = out[in_block + k] + share[k]; });
      share += length;
    });
  }
}

// The nodes around a block, as its particles see them.
template <class T, int D, class Kernel>
void load_arena(const BlockTopology<D>& blocks, const Node<T>* grid, int slot, Node<T>* arena) {
  for (int code = 0; code < BlockShape<D>::kNeighbors; ++code) {
    const std::int32_t source = blocks.neighbors(slot)[code];
    const Node<T>* nodes = grid + std::size_t(source) * BlockShape<D>::kNodes;
    for_each_run<D, Kernel>(code, [&](int in_arena, int in_block, auto length) FIRN_INLINE_LAMBDA {
      unroll<length>([&](auto k) FIRN_INLINE_LAMBDA { arena[in_arena + k] = nodes[in_block + k]; });
    });
  }
}

// What a field of gravity adds to the velocities of the nodes of one block that have mass. Gives
// the first node where it is not finite, or -1.
template <class T, int D>
int gravity_kicks(const StepContext<T, D>& ctx, const BlockCoord<D>& coord, const Node<T>* nodes,
                  Node<T>* kicks);

// The first node of one block that has mass and next to which the surface of a collider says what
// cannot be, or -1.
template <class T, int D>
int wrong_surface(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                  const Node<T>* nodes);

// kg. A particle next to the edge of its kernel leaves a node a mass that no longer has all its
// digits, or whose inverse overflows. What such a node gives back is as little as it got.
template <class T>
constexpr T kLeastMass = sizeof(T) == 4 ? T(1e-30) : T(1e-280);

// World position of a node of a block.
template <int D>
FIRN_HD inline Vec3d node_position(const BlockCoord<D>& coord, int node, double h) {
  constexpr int kEdge = BlockShape<D>::kEdge;
  Vec3d x{{0, 0, 0}};
  for (int a = D - 1; a >= 0; --a) {
    x[a] = (double(coord[a]) * kEdge + node % kEdge) * h;
    node /= kEdge;
  }
  return x;
}

// Velocity of a node at x after contact with those obstacles of its list that are not `settled`
// (one bit each); given[k] grows by what obstacle k gave it. `grip`: its own, or null.
template <class T, int D>
Vec<T, D> meet_others(const StepContext<T, D>& ctx, const std::vector<Collider>& colliders,
                      const NodeObstacles<D>& near, int node, std::uint64_t settled, const Vec3d& x,
                      const Vec<T, D>& v, T mass, T* grip, ContactImpulse* given);

// Velocity of the nodes of one block. `kicks` is what gravity adds, null where it is uniform;
// `grip` is that of the nodes (collision/grip.h), null where there is no friction;
// given[k] becomes what obstacle k of `near` gave them.
template <class T, int D>
void update_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                  Node<T>* nodes, const Node<T>* impulses, const Node<T>* kicks, Node<T>* change,
                  T* grip, ContactImpulse* given);

// Contact of the nodes of one block that have their velocities already.
template <class T, int D>
void meet_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                Node<T>* nodes, Node<T>* change, T* grip, ContactImpulse* given);

}  // namespace firn
