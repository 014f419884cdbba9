// Darts are thrown at a background grid whose cells hold at most one point each (their diagonal is
// the minimum distance r). Cells are grouped in blocks; blocks of one colour are further apart than
// r, so that they are worked on at the same time, and each reads its random numbers from a stream
// of its own: the result does not depend on threads. First every block throws darts at random, in
// several rounds over the colours so that none of them is filled before its neighbours; then every
// empty cell is searched by halving for spots that no disk covers, until none is left.
#include "geometry/poisson.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "exec/parallel.h"
#include "geometry/gather.h"
#include "geometry/sampling.h"

namespace firn {
namespace {

// Points per r^d of a saturated set made this way (measured on large boxes; random sequential
// adsorption has 0.6965 and 0.7336).
constexpr double kSaturatedDensity[] = {0, 0, 0.706, 0.750};
// A saturated set is denser along the surface, where nothing outside repels. Sampling the shape
// shrunk by this fraction of the spacing undoes the surplus, and keeps the points half a particle
// or so inside, as cell centres are.
constexpr double kSurfaceInset[] = {0, 0, 0.27, 0.29};

constexpr int kReach = 2;        // cells further that a disk reaches
constexpr int kRounds = 8;       // of darts thrown at random
constexpr int kLevels = 12;      // halvings of a cell: what is left of a gap is below r / 4096
constexpr int kMaxOpen = 16384;  // parts of a cell searched at once; only foil has more

// Where the cells are: blocks of kBlock^D cells over the shrunk shape's bounding box, in the
// shape's frame, with a margin that is never filled so that neighbours need no check.
template <int D>
struct CellGrid {
  using Cell = Vec<int, D>;
  using Spot = Vec<float, D>;  // in cells, from the low corner of one
  static constexpr int kBlock = D == 2 ? 24 : 8;
  static constexpr int kBlockCells = D == 2 ? kBlock * kBlock : kBlock * kBlock * kBlock;

  double side = 1;  // m
  Cell blocks;
  Vec<double, D> low;
  Vec<std::int64_t, D> stride;
  std::int64_t slots = 1;

  CellGrid(const Vec3d& half, double cell_side) : side(cell_side) {
    for (int i = 0; i < D; ++i) {
      blocks[i] = std::max(1, static_cast<int>(std::ceil(2 * half[i] / (side * kBlock) + 1e-6)));
      low[i] = -0.5 * blocks[i] * kBlock * side;
      stride[i] = slots;
      slots *= blocks[i] * kBlock + 2 * kReach;
    }
  }
  std::int64_t block_count() const {
    std::int64_t n = 1;
    for (int i = 0; i < D; ++i) n *= blocks[i];
    return n;
  }
  Cell block_of(std::int64_t number) const {
    Cell block;
    for (int i = 0; i < D; ++i) {
      block[i] = static_cast<int>(number % blocks[i]);
      number /= blocks[i];
    }
    return block;
  }
  Cell cell_of(const Cell& block, int local) const {
    Cell cell;
    for (int i = 0; i < D; ++i, local /= kBlock) cell[i] = block[i] * kBlock + local % kBlock;
    return cell;
  }
  std::size_t slot_of(const Cell& cell) const {
    std::int64_t slot = 0;
    for (int i = 0; i < D; ++i) slot += (cell[i] + kReach) * stride[i];
    return static_cast<std::size_t>(slot);
  }
  Vec3d position(const Cell& cell, const Spot& spot) const {
    Vec3d p = Vec3d::zero();
    for (int i = 0; i < D; ++i) p[i] = low[i] + (cell[i] + double(spot[i])) * side;
    return p;
  }
};

template <int D>
struct Neighbour {
  std::int64_t step;  // in slots
  Vec<float, D> offset;
};

// Cells that a disk centred in a cell can reach, nearest first: those reject soonest.
template <int D>
std::vector<Neighbour<D>> list_neighbours(const CellGrid<D>& grid) {
  std::vector<std::pair<int, Neighbour<D>>> found;
  constexpr int kWidth = 2 * kReach + 1;
  for (int code = 0; code < (D == 2 ? kWidth * kWidth : kWidth * kWidth * kWidth); ++code) {
    int rest = code, gap2 = 0, length2 = 0;
    Neighbour<D> n{0, {}};
    for (int i = 0; i < D; ++i, rest /= kWidth) {
      const int c = rest % kWidth - kReach, gap = std::max(0, std::abs(c) - 1);
      gap2 += gap * gap;
      length2 += c * c;
      n.step += c * grid.stride[i];
      n.offset[i] = static_cast<float>(c);
    }
    if (gap2 < D && length2 > 0) found.push_back({length2, n});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Neighbour<D>> neighbours;
  for (const auto& entry : found) neighbours.push_back(entry.second);
  return neighbours;
}

template <int D>
class PoissonSampler {
 public:
  using Grid = CellGrid<D>;
  using Cell = typename Grid::Cell;
  using Spot = typename Grid::Spot;

  PoissonSampler(const Shape& shape, double distance, double inset, std::uint64_t seed)
      : shape_(shape),
        seed_(seed),
        inset_(inset),
        grid_(half_extents(shape) - Vec3d::fill(inset), distance / std::sqrt(double(D))),
        neighbours_(list_neighbours(grid_)),
        spots_(static_cast<std::size_t>(grid_.slots), Spot::fill(kEmpty)) {}

  std::vector<Vec3d> run() {
    for (int round = 0; round < kRounds; ++round)
      for_each_block(round, [&](const Cell& block, RandomStream random, bool cut) {
        throw_darts(block, random, cut);
      });
    for_each_block(kRounds, [&](const Cell& block, RandomStream random, bool cut) {
      fill_gaps(block, random, cut);
    });
    return gather_points(grid_.block_count(), 16, [&](std::int64_t number, auto&& keep) {
      const Cell block = grid_.block_of(number);
      for (int local = 0; local < Grid::kBlockCells; ++local) {
        const Cell cell = grid_.cell_of(block, local);
        const Spot& spot = spots_[grid_.slot_of(cell)];
        if (spot[0] != kEmpty) keep(from_shape_frame(shape_, grid_.position(cell, spot)));
      }
    });
  }

 private:
  static constexpr float kEmpty = -1;
  // r^2 in cells, rounded up so that distances in double precision keep r as well.
  static constexpr float kDistance2 = D * (1 + 2e-6f);

  // Calls work(block, its random numbers, whether the surface may cut it) for all blocks that touch
  // the shape, in parallel within a colour.
  template <class Work>
  void for_each_block(int round, Work work) {
    const auto visit = [&](std::int64_t number, int color) {
      const Cell block = grid_.block_of(number);
      if (color_of(block) != color) return;
      constexpr double kHalf = 0.5 * Grid::kBlock;
      const Vec3d center = grid_.position(grid_.cell_of(block, 0), Spot::fill(float(kHalf)));
      const double outside = outside_by(center), reach = kHalf * grid_.side * std::sqrt(double(D));
      if (outside > reach) return;
      const auto stream = static_cast<std::uint64_t>(number * (kRounds + 1) + round);
      work(block, RandomStream(seed_, stream), outside > -1.0001 * reach);
    };
    for (int color = 0; color < (1 << D); ++color)
      parallel_for("poisson disks", grid_.block_count(), 8,
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t number = begin; number < end; ++number) visit(number, color);
                   });
  }
  static int color_of(const Cell& block) {
    int color = 0;
    for (int i = 0; i < D; ++i) color |= (block[i] & 1) << i;
    return color;
  }

  // Signed distance to the shrunk shape; a cube is outside when its centre is beyond its reach.
  double outside_by(const Vec3d& p) const {
    if (shape_.kind == ShapeKind::compound) return depth_within(shape_, p, 2 * inset_) + inset_;
    return detail::local_distance(shape_, p).distance + inset_;
  }
  bool is_outside(const Cell& cell, const Spot& low, double edge) const {
    const Vec3d center = grid_.position(cell, low + Spot::fill(static_cast<float>(0.5 * edge)));
    return outside_by(center) > 0.5 * edge * grid_.side * std::sqrt(double(D));
  }
  void throw_darts(const Cell& block, RandomStream random, bool cut) {
    for (int dart = 0; dart < Grid::kBlockCells / 8; ++dart) {
      const Cell cell =
          grid_.cell_of(block, static_cast<int>(random.next_below(Grid::kBlockCells)));
      Spot spot;
      for (int i = 0; i < D; ++i) spot[i] = random.next_float();
      const std::size_t slot = grid_.slot_of(cell);
      if (spots_[slot][0] == kEmpty && is_free(slot, spot) &&
          !(cut && outside_by(grid_.position(cell, spot)) >= 0))
        spots_[slot] = spot;
    }
  }
  bool is_free(std::size_t slot, const Spot& spot) const {
    const Spot* center = spots_.data() + slot;
    for (const Neighbour<D>& n : neighbours_) {
      const Spot& other = center[n.step];
      if (other[0] == kEmpty) continue;
      const Spot d = n.offset + other - spot;
      if (dot(d, d) < kDistance2) return false;
    }
    return true;
  }

  struct Scratch {
    std::vector<Spot> disks;       // that reach part of the cell, relative to it
    std::vector<Spot> open, next;  // low corners of the parts still to be searched
  };

  void fill_gaps(const Cell& block, RandomStream random, bool cut) {
    int order[Grid::kBlockCells];
    for (int i = 0; i < Grid::kBlockCells; ++i) order[i] = i;
    for (int i = Grid::kBlockCells - 1; i > 0; --i)
      std::swap(order[i], order[random.next_below(static_cast<std::uint32_t>(i + 1))]);
    Scratch scratch;
    for (int local : order) {
      const Cell cell = grid_.cell_of(block, local);
      const std::size_t slot = grid_.slot_of(cell);
      if (spots_[slot][0] == kEmpty && list_disks(slot, scratch.disks))
        spots_[slot] = search(cell, random, scratch, cut);
    }
  }
  // False when one disk covers the whole cell.
  bool list_disks(std::size_t slot, std::vector<Spot>& disks) const {
    disks.clear();
    const Spot* center = spots_.data() + slot;
    for (const Neighbour<D>& n : neighbours_) {
      if (center[n.step][0] == kEmpty) continue;
      const Spot disk = n.offset + center[n.step];
      if (far_corner2(disk, Spot::zero(), 1) < kDistance2) return false;
      float near2 = 0;
      for (int i = 0; i < D; ++i) near2 += square(std::max(0.0f, std::fabs(disk[i] - 0.5f) - 0.5f));
      if (near2 < kDistance2) disks.push_back(disk);
    }
    return true;
  }

  // A free spot of the cell, or kEmpty when there is none: drops the parts that are covered or
  // outside, throws darts at the rest, halves it, and so on.
  Spot search(const Cell& cell, RandomStream& random, Scratch& s, bool cut) const {
    s.open.assign(1, Spot::zero());
    float edge = 1;
    for (int level = 0; level <= kLevels && s.open.size() < kMaxOpen; ++level, edge *= 0.5f) {
      std::erase_if(s.open, [&](const Spot& low) {
        return is_covered(s.disks, low, edge) || (cut && is_outside(cell, low, edge));
      });
      for (std::size_t dart = 0; dart < s.open.size(); ++dart) {
        Spot spot = s.open[random.next_below(static_cast<std::uint32_t>(s.open.size()))];
        for (int i = 0; i < D; ++i) spot[i] += edge * random.next_float();
        if (is_clear(s.disks, spot) && !(cut && outside_by(grid_.position(cell, spot)) >= 0))
          return spot;
      }
      if (s.open.empty()) break;
      halve(s, 0.5f * edge);
    }
    return Spot::fill(kEmpty);
  }
  static bool is_clear(const std::vector<Spot>& disks, const Spot& spot) {
    for (const Spot& disk : disks) {
      const Spot d = disk - spot;
      if (dot(d, d) < kDistance2) return false;
    }
    return true;
  }
  // Squared distance from a disk's centre to the farthest corner of a cube.
  static float far_corner2(const Spot& disk, const Spot& low, float edge) {
    float far2 = 0;
    for (int i = 0; i < D; ++i)
      far2 += square(std::fabs(disk[i] - low[i] - 0.5f * edge) + 0.5f * edge);
    return far2;
  }
  // The disk that covers a cube moves to the front: it is likely to cover the next one as well.
  static bool is_covered(std::vector<Spot>& disks, const Spot& low, float edge) {
    for (Spot& disk : disks)
      if (far_corner2(disk, low, edge) < kDistance2) {
        std::swap(disk, disks.front());
        return true;
      }
    return false;
  }
  static void halve(Scratch& s, float edge) {
    s.next.clear();
    for (const Spot& low : s.open)
      for (int corner = 0; corner < (1 << D); ++corner) {
        Spot child = low;
        for (int i = 0; i < D; ++i)
          if (corner >> i & 1) child[i] += edge;
        s.next.push_back(child);
      }
    s.open.swap(s.next);
  }

  const Shape& shape_;
  std::uint64_t seed_;
  double inset_;
  Grid grid_;
  std::vector<Neighbour<D>> neighbours_;
  std::vector<Spot> spots_;  // by slot
};

}  // namespace

double poisson_distance(double spacing, int dimension) {
  return spacing * std::pow(kSaturatedDensity[dimension], 1.0 / dimension);
}

std::vector<Vec3d> sample_poisson(const Shape& shape, double spacing, std::uint64_t seed) {
  const Vec3d half = half_extents(shape);
  double thinnest = half[0];
  for (int i = 1; i < shape.dimension; ++i) thinnest = std::min(thinnest, half[i]);
  const double inset = std::min(kSurfaceInset[shape.dimension] * spacing, 0.5 * thinnest);
  const double distance = poisson_distance(spacing, shape.dimension);
  if (shape.dimension == 2) return PoissonSampler<2>(shape, distance, inset, seed).run();
  return PoissonSampler<3>(shape, distance, inset, seed).run();
}

}  // namespace firn
