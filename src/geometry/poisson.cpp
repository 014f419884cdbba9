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
#include "geometry/cell_grid.h"
#include "geometry/disk_cover.h"
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

constexpr int kRounds = 8;       // of darts thrown at random
constexpr int kDartLevel = 3;    // halvings before darts are thrown: earlier ones hardly ever hit
constexpr int kLevels = 12;      // halvings of a cell: what is left of a gap is below r / 4096
constexpr int kMaxOpen = 16384;  // parts of a cell searched at once; only foil has more

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
        grid_(half_extents(shape) - Vec3d::fill(inset), distance / std::sqrt(double(D))) {}

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
        if (grid_.is_filled(cell))
          keep(from_shape_frame(shape_, grid_.position(cell, grid_.spot_of(cell))));
      }
    });
  }

 private:
  static constexpr float kDistance2 = DiskCover<D>::kDistance2;

  // Calls work(block, its random numbers, whether the surface may cut it) for all blocks that touch
  // the shape, in parallel within a colour.
  template <class Work>
  void for_each_block(int round, Work work) {
    const auto visit = [&](std::int64_t number, int color) {
      const Cell block = grid_.block_of(number);
      if (color_of(block) != color) return;
      constexpr double kHalf = 0.5 * Grid::kBlock;
      const Vec3d center = grid_.position(grid_.cell_of(block, 0), Spot::fill(float(kHalf)));
      const double outside = outside_by(center),
                   reach = kHalf * grid_.side() * std::sqrt(double(D));
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
    return outside_by(center) > 0.5 * edge * grid_.side() * std::sqrt(double(D));
  }
  void throw_darts(const Cell& block, RandomStream random, bool cut) {
    for (int dart = 0; dart < Grid::kBlockCells / 8; ++dart) {
      const Cell cell =
          grid_.cell_of(block, static_cast<int>(random.next_below(Grid::kBlockCells)));
      Spot spot;
      for (int i = 0; i < D; ++i) spot[i] = random.next_float();
      if (!grid_.is_filled(cell) && is_free(cell, spot) &&
          !(cut && outside_by(grid_.position(cell, spot)) >= 0))
        grid_.fill(cell, spot);
    }
  }
  bool is_free(const Cell& cell, const Spot& spot) const {
    return grid_.for_each_near(cell, [&](const Spot& other) {
      const Spot d = other - spot;
      return dot(d, d) >= kDistance2;
    });
  }

  struct Scratch {
    DiskCover<D> disks;            // that reach part of the cell
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
      if (grid_.is_filled(cell)) continue;
      bool cell_cut = cut;
      if (cut) {
        const double outside = outside_by(grid_.position(cell, Spot::fill(0.5f)));
        const double reach = 0.5 * grid_.side() * std::sqrt(double(D));
        if (outside > reach) continue;
        cell_cut = outside > -kSteepnessOfSamples * reach;
      }
      Spot spot;
      if (list_disks(cell, scratch.disks) && search(cell, random, scratch, cell_cut, spot))
        grid_.fill(cell, spot);
    }
  }
  // False when one disk covers the whole cell.
  bool list_disks(const Cell& cell, DiskCover<D>& disks) const {
    disks.clear();
    return grid_.for_each_near(cell, [&](const Spot& disk) { return disks.add(disk); });
  }

  // Finds a free spot of the cell, if there is one: halves it, drops the parts that are covered or
  // outside, throws darts at the rest, halves that, and so on.
  bool search(const Cell& cell, RandomStream& random, Scratch& s, bool cut, Spot& spot) const {
    s.open.assign(1, Spot::zero());
    float edge = 1;
    for (int level = 1; level <= kLevels && s.open.size() < kMaxOpen; ++level) {
      edge *= 0.5f;
      s.next.clear();
      for (const Spot& low : s.open) s.disks.add_open_halves(low, edge, s.next);
      s.open.swap(s.next);
      if (cut) std::erase_if(s.open, [&](const Spot& low) { return is_outside(cell, low, edge); });
      for (std::size_t dart = 0; dart < s.open.size() && level >= kDartLevel; ++dart) {
        spot = s.open[random.next_below(static_cast<std::uint32_t>(s.open.size()))];
        for (int i = 0; i < D; ++i) spot[i] += edge * random.next_float();
        if (s.disks.is_clear(spot) && !(cut && outside_by(grid_.position(cell, spot)) >= 0))
          return true;
      }
      if (s.open.empty()) break;
    }
    return false;
  }

  const Shape& shape_;
  std::uint64_t seed_;
  double inset_;
  Grid grid_;
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
