// The vertices of a lattice near and in a shape, their distances, and where edges between them are
// cut by the surface. Blocks of cells that the shape does not reach are not stored.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "base/math.h"
#include "geometry/distance.h"
#include "geometry/stuffing_lattices.h"

namespace firn::stuffing {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

// The shape in the coordinates that it is meshed in.
struct Source {
  std::function<double(const Vec3d&)> distance;  // m, negative inside
  // Of vertices: its sign counts alone. It may call the seams between touching parts inside.
  std::function<double(const Vec3d&)> at_vertex;
  Bounds bounds;
  double steepness = 1;  // distances change no faster than this, m/m
};

struct Vertex {
  double distance;
  std::uint32_t point = kNowhere;  // its number in the mesh
  std::int8_t sign = -1;           // 1: inside, 0: on the surface, -1: outside
  std::int8_t moved = -1;          // direction of the edge along which it was moved to the surface
};

struct Cut {
  double at = 0.5;  // part of the way from the vertex that owns the edge
  std::uint32_t point = kNowhere;
};

template <class L>
class Grid {
 public:
  using Site = typename L::Site;

  Grid(const Source& source, double edge);

  // Blocks of the box around the shape; of too many nothing is allocated.
  double blocks_in_box() const { return blocks_in_box_; }
  // Steps 1 to 3. Says how many cells the stored blocks have.
  std::size_t find_blocks();
  void measure_vertices();
  void find_cuts();

  std::size_t vertex_count() const { return vertices_.size(); }
  Vertex& vertex(std::uint32_t index) { return vertices_[index]; }
  const Vertex& vertex(std::uint32_t index) const { return vertices_[index]; }
  Site site(std::uint32_t index) const;
  // kNowhere outside of all blocks.
  std::uint32_t index(const Site& site) const;
  int sign(const Site& site) const {
    const std::uint32_t i = index(site);
    return i == kNowhere ? -1 : vertices_[i].sign;
  }

  // The sign of a vertex that lies where the lattice has it.
  int sign_in_place(const Vertex& vertex) const { return vertex.distance <= on_surface_ ? 1 : -1; }
  // Whether an edge of a vertex at this distance may be cut.
  bool may_be_cut(const Vertex& vertex) const { return std::abs(vertex.distance) <= farthest_cut_; }

  // Of an edge whose ends have opposite signs in place: the part of its length from `site`, and
  // the cut itself, null where the distance is steeper than promised and nothing was stored.
  double cut_from(const Site& site, int direction) const;
  void set_cut_from(const Site& site, int direction, double at);
  const Cut* cut(const Site& site, int direction) const;
  Cut* cut(const Site& site, int direction) {
    return const_cast<Cut*>(std::as_const(*this).cut(site, direction));
  }

  // Before points are numbered anew.
  void forget_points() {
    for (Vertex& vertex : vertices_) vertex.point = kNowhere;
    for (Cut& cut : cuts_) cut.point = kNowhere;
  }

  // Where the lattice has a site; part of the way along one of its edges.
  Vec3d position(const Site& site) const { return origin_ + L::position(site) * edge_; }
  Vec3d position_on(const Site& site, int direction, double at) const;

 private:
  static constexpr int kEdges = L::kNeighbors / 2;  // owned by a vertex: those of even directions
  static constexpr int per_block() {
    int n = L::kKinds;
    for (int i = 0; i < L::kDim; ++i) n *= L::kBlockSide;
    return n;
  }
  static constexpr int kPerBlock = per_block();
  static constexpr std::uint32_t kNoCuts = kNowhere;

  Site block_at(std::int64_t number) const;
  bool is_cut(std::uint32_t index, int direction) const;
  double find_cut(std::uint32_t index, int direction) const;

  const Source& source_;
  double edge_;
  double on_surface_, farthest_cut_;
  Vec3d origin_;
  Site low_block_;
  Vec<std::int64_t, L::kDim> blocks_;
  double blocks_in_box_ = 1;
  std::vector<std::uint32_t> slot_of_block_;
  std::vector<std::uint32_t> block_of_slot_;
  std::vector<Vertex> vertices_;
  std::vector<std::uint32_t> first_cut_;  // of a slot, in blocks of cuts; kNoCuts: has none
  std::vector<Cut> cuts_;
};

}  // namespace firn::stuffing
