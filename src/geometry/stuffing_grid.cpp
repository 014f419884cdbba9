#include "geometry/stuffing_grid.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace firn::stuffing {
namespace {

// A zero between the ends of an edge: regula falsi, whose weight of an end that stays is halved
// (Illinois).
template <class Distance>
double root_between(double low_value, double high_value, double precise, Distance&& distance) {
  constexpr int kMostSteps = 40;
  constexpr double kNarrow = 1e-9;
  double low = 0, high = 1;
  int last_side = 0;
  for (int step = 0; step < kMostSteps && high - low > kNarrow; ++step) {
    double middle = (low * high_value - high * low_value) / (high_value - low_value);
    // Some steps halve: what is said of seams between parts is no distance to interpolate.
    if (!(middle > low && middle < high) || step % 5 == 4) middle = 0.5 * (low + high);
    const double value = distance(middle);
    if (std::fabs(value) < precise) return middle;
    const int side = (value < 0) == (low_value < 0) ? -1 : 1;
    if (side < 0) {
      low = middle;
      low_value = value;
      if (last_side == side) high_value *= 0.5;
    } else {
      high = middle;
      high_value = value;
      if (last_side == side) low_value *= 0.5;
    }
    last_side = side;
  }
  return 0.5 * (low + high);
}

}  // namespace

template <class L>
Grid<L>::Grid(const Source& source, double edge)
    : source_(source),
      edge_(edge),
      on_surface_(1e-9 * edge),
      farthest_cut_(1.01 * source.steepness * L::kLongest * edge) {
  // In the middle, so that what is symmetric stays so.
  origin_ = (source.bounds.low + source.bounds.high) * 0.5;
  if (L::kDim == 2) origin_[2] = 0;
  constexpr double kMargin = 2;  // cells: neighbours of vertices inside are stored
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
  for (int corner = 0; corner < (1 << L::kDim); ++corner) {
    Vec3d x = Vec3d::zero();
    for (int i = 0; i < L::kDim; ++i)
      x[i] = ((corner >> i & 1 ? source.bounds.high : source.bounds.low)[i] - origin_[i]) / edge_;
    const Vec3d cell = L::cell_coordinates(x);
    for (int i = 0; i < L::kDim; ++i) {
      low[i] = std::min(low[i], std::floor((cell[i] - kMargin) / L::kBlockSide));
      high[i] = std::max(high[i], std::floor((cell[i] + kMargin) / L::kBlockSide));
    }
  }
  for (int i = 0; i < L::kDim; ++i) {
    blocks_in_box_ *= high[i] - low[i] + 1;
    low_block_[i] = static_cast<int>(std::max(low[i], -1e8));
    blocks_[i] = static_cast<std::int64_t>(std::min(high[i] - low[i] + 1, 1e9));
  }
}

template <class L>
typename L::Site Grid<L>::block_at(std::int64_t number) const {
  Site block;
  for (int i = 0; i < L::kDim; ++i) {
    block[i] = static_cast<int>(number % blocks_[i]) + low_block_[i];
    number /= blocks_[i];
  }
  return block;
}

template <class L>
std::size_t Grid<L>::find_blocks() {
  const auto n = static_cast<std::int64_t>(blocks_in_box_);
  slot_of_block_.assign(static_cast<std::size_t>(n), kNowhere);
  const Vec3d diagonal = L::position(L::site_of(Site::fill(L::kBlockSide), 0));
  const double reach = (0.5 * std::sqrt(dot(diagonal, diagonal)) + 2) * edge_ * source_.steepness;
  parallel_for("blocks of a mesh", n, 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3d corner = position(L::site_of(block_at(i) * L::kBlockSide, 0));
      if (source_.distance(corner + diagonal * (0.5 * edge_)) <= reach) slot_of_block_[i] = 0;
    }
  });
  for (std::int64_t i = 0; i < n; ++i) {
    if (slot_of_block_[i] == kNowhere) continue;
    slot_of_block_[i] = static_cast<std::uint32_t>(block_of_slot_.size());
    block_of_slot_.push_back(static_cast<std::uint32_t>(i));
  }
  return block_of_slot_.size() * kPerBlock / L::kKinds;
}

template <class L>
typename L::Site Grid<L>::site(std::uint32_t index) const {
  Site cell = block_at(block_of_slot_[index / kPerBlock]) * L::kBlockSide;
  int local = static_cast<int>(index % kPerBlock);
  const int kind = local % L::kKinds;
  local /= L::kKinds;
  for (int i = 0; i < L::kDim; ++i, local /= L::kBlockSide) cell[i] += local % L::kBlockSide;
  return L::site_of(cell, kind);
}

template <class L>
std::uint32_t Grid<L>::index(const Site& site) const {
  const Site cell = L::cell_of(site);
  std::int64_t number = 0, stride = 1;
  std::uint32_t local = static_cast<std::uint32_t>(L::kind_of(site)), local_stride = L::kKinds;
  for (int i = 0; i < L::kDim; ++i) {
    const int from_low = cell[i] - low_block_[i] * L::kBlockSide;
    const std::int64_t block = from_low / L::kBlockSide;
    if (from_low < 0 || block >= blocks_[i]) return kNowhere;
    number += block * stride;
    stride *= blocks_[i];
    local += static_cast<std::uint32_t>(from_low % L::kBlockSide) * local_stride;
    local_stride *= L::kBlockSide;
  }
  const std::uint32_t slot = slot_of_block_[static_cast<std::size_t>(number)];
  return slot == kNowhere ? kNowhere : slot * kPerBlock + local;
}

template <class L>
void Grid<L>::measure_vertices() {
  vertices_.resize(block_of_slot_.size() * kPerBlock);
  const auto n = static_cast<std::int64_t>(vertices_.size());
  parallel_for("distances of a mesh", n, kPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Vertex& vertex = vertices_[i];
      vertex.distance = source_.at_vertex(position(site(static_cast<std::uint32_t>(i))));
      vertex.sign = static_cast<std::int8_t>(sign_in_place(vertex));
    }
  });
}

template <class L>
bool Grid<L>::is_cut(std::uint32_t i, int direction) const {
  const Vertex& vertex = vertices_[i];
  if (!may_be_cut(vertex)) return false;
  const std::uint32_t other = index(neighbor<L>(site(i), direction));
  return (other == kNowhere ? -1 : vertices_[other].sign) != vertex.sign;
}

template <class L>
double Grid<L>::find_cut(std::uint32_t i, int direction) const {
  const Site from = site(i);
  const std::uint32_t other = index(neighbor<L>(from, direction));
  if (other == kNowhere) return 0.5;  // the distance is steeper than promised
  const double low = vertices_[i].distance, high = vertices_[other].distance;
  // A vertex that counts as inside although it lies on the surface, or an atom beyond.
  if (vertices_[i].sign > 0 && low >= -on_surface_) return 0;
  if (vertices_[other].sign > 0 && high >= -on_surface_) return 1;
  return root_between(low, high, 1e-10 * edge_, [&](double at) {
    return source_.distance(position_on(from, direction, at));
  });
}

template <class L>
void Grid<L>::find_cuts() {
  const auto slots = static_cast<std::int64_t>(block_of_slot_.size());
  first_cut_.assign(block_of_slot_.size(), kNoCuts);
  parallel_for("cut blocks of a mesh", slots, 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin * kPerBlock; i < end * kPerBlock; ++i)
      for (int d = 0; d < L::kNeighbors; d += 2)
        if (is_cut(static_cast<std::uint32_t>(i), d)) first_cut_[i / kPerBlock] = 0;
  });
  std::uint32_t with_cuts = 0;
  for (std::uint32_t& first : first_cut_)
    if (first != kNoCuts) first = with_cuts++;
  cuts_.assign(std::size_t{with_cuts} * kPerBlock * kEdges, Cut{});
  parallel_for("cuts of a mesh", slots, 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      if (first_cut_[slot] == kNoCuts) continue;
      for (int local = 0; local < kPerBlock; ++local)
        for (int d = 0; d < L::kNeighbors; d += 2) {
          const auto i = static_cast<std::uint32_t>(slot * kPerBlock + local);
          if (!is_cut(i, d)) continue;
          cuts_[(std::size_t{first_cut_[slot]} * kPerBlock + local) * kEdges + d / 2].at =
              find_cut(i, d);
        }
    }
  });
}

template <class L>
const Cut* Grid<L>::cut(const Site& from, int direction) const {
  const std::uint32_t i = index((direction & 1) != 0 ? neighbor<L>(from, direction) : from);
  if (i == kNowhere || first_cut_[i / kPerBlock] == kNoCuts) return nullptr;
  return &cuts_[(std::size_t{first_cut_[i / kPerBlock]} * kPerBlock + i % kPerBlock) * kEdges +
                static_cast<std::size_t>(direction / 2)];
}

template <class L>
double Grid<L>::cut_from(const Site& from, int direction) const {
  const Cut* found = cut(from, direction);
  if (found == nullptr) return 0.5;
  return (direction & 1) != 0 ? 1 - found->at : found->at;
}

template <class L>
void Grid<L>::set_cut_from(const Site& from, int direction, double at) {
  if (Cut* found = cut(from, direction)) found->at = (direction & 1) != 0 ? 1 - at : at;
}

template <class L>
Vec3d Grid<L>::position_on(const Site& from, int direction, double at) const {
  const Vec3d a = L::position(from), b = L::position(neighbor<L>(from, direction));
  return origin_ + (a * (1 - at) + b * at) * edge_;
}

template class Grid<BodyCentred>;
template class Grid<Triangular>;

}  // namespace firn::stuffing
