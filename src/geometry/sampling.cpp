#include "geometry/sampling.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>

#include "base/random.h"
#include "exec/parallel.h"
#include "geometry/gather.h"
#include "geometry/poisson.h"

namespace firn {
namespace {

// Cells of the given spacing in the shape's frame, centred at its centre.
struct Lattice {
  Vec<std::int64_t, 3> cells;
  Vec3d low;
  double spacing;

  Vec3d at(const Vec<std::int64_t, 3>& cell, const Vec3d& fraction) const {
    Vec3d p;
    for (int i = 0; i < 3; ++i)
      p[i] = low[i] + (static_cast<double>(cell[i]) + fraction[i]) * spacing;
    return p;
  }
};

// `cover`: enough cells to cover the shape. Otherwise the nearest number, whose centres all lie in
// the bounding box without favouring either side of a fractional edge.
Lattice fit_lattice(const Shape& shape, double spacing, bool cover) {
  const Vec3d half = half_extents(shape);
  Lattice lattice{{{1, 1, 1}}, Vec3d::zero(), spacing};
  for (int i = 0; i < 3; ++i) {
    const double edges = 2 * half[i] / spacing;
    // An edge that is a multiple of the spacing up to round-off counts as one.
    const double n = cover ? std::ceil(edges - 1e-9 * (1 + edges)) : std::rint(edges);
    lattice.cells[i] = std::max<std::int64_t>(1, static_cast<std::int64_t>(n));
    lattice.low[i] = -0.5 * static_cast<double>(lattice.cells[i]) * spacing;
  }
  return lattice;
}

// One point a cell, at `fraction(cell number)` of it, where that lies inside the shape.
template <class Fraction>
std::vector<Vec3d> sample_lattice(const Shape& shape, const Lattice& lattice, Fraction fraction) {
  const auto [nx, ny, nz] = lattice.cells.e;
  return gather_points(ny * nz, 16, [&, nx = nx, ny = ny](std::int64_t row, auto&& keep) {
    for (std::int64_t i = 0; i < nx; ++i) {
      const Vec3d p =
          lattice.at({{i, row % ny, row / ny}}, fraction(static_cast<std::uint64_t>(row * nx + i)));
      if (depth_within(shape, p, 0.1 * lattice.spacing) < 0) keep(from_shape_frame(shape, p));
    }
  });
}

std::vector<Vec3d> sample_grid(const Shape& shape, double spacing) {
  return sample_lattice(shape, fit_lattice(shape, spacing, false),
                        [](std::uint64_t) { return Vec3d::fill(0.5); });
}

std::vector<Vec3d> sample_stratified(const Shape& shape, double spacing, std::uint64_t seed) {
  const auto jitter = [&](std::uint64_t cell) {
    RandomStream random(seed, cell);
    Vec3d f;
    for (int i = 0; i < 3; ++i) f[i] = random.next_double();
    return f;
  };
  return sample_lattice(shape, fit_lattice(shape, spacing, true), jitter);
}

// A direction uniform on the circle (2D) or the sphere, by Archimedes' hat box in 3D.
Vec3d random_direction(RandomStream& random, int dimension) {
  const double angle = 2 * kPi * random.next_double();
  if (dimension == 2) return {{std::cos(angle), std::sin(angle), 0}};
  const double z = 2 * random.next_double() - 1;
  const double r = std::sqrt(std::max(0.0, 1 - z * z));
  return {{r * std::cos(angle), r * std::sin(angle), z}};
}

// Uniform in the shape or in its box, in its own frame: the d-th root makes shells of equal volume
// equally likely.
Vec3d random_point(const Shape& shape, RandomStream& random) {
  const double radius = shape.size[0];
  if (shape.kind == ShapeKind::ball) {
    const double u = random.next_double();
    const double r = radius * (shape.dimension == 2 ? std::sqrt(u) : std::cbrt(u));
    return random_direction(random, shape.dimension) * r;
  }
  if (shape.kind == ShapeKind::cylinder && shape.dimension == 3) {
    const Vec3d d = random_direction(random, 2) * (radius * std::sqrt(random.next_double()));
    return {{d[0], shape.size[1] * (2 * random.next_double() - 1), d[1]}};
  }
  const Vec3d half = half_extents(shape);
  Vec3d p;
  for (int i = 0; i < 3; ++i) p[i] = half[i] * (2 * random.next_double() - 1);
  return p;
}

// A shape that fills less than some millionth of its box keeps only the points that were found.
constexpr int kMostTries = 1 << 20;

std::vector<Vec3d> sample_random(const Shape& shape, double spacing, std::uint64_t seed) {
  const double count = std::max(1.0, std::rint(expected_points(shape, spacing)));
  return gather_points(static_cast<std::int64_t>(count), 4096, [&](std::int64_t i, auto&& keep) {
    RandomStream random(seed, static_cast<std::uint64_t>(i));
    for (int attempt = 0; attempt < kMostTries; ++attempt) {
      const Vec3d p = random_point(shape, random);
      if (!(depth_within(shape, p, 0.1 * spacing) < 0)) continue;
      return keep(from_shape_frame(shape, p));
    }
  });
}

// Empty when the request makes sense, else what is wrong with it.
std::string objection(const Shape& shape, double spacing) {
  if (shape.dimension != 2 && shape.dimension != 3) return "a shape has dimension 2 or 3";
  if (!is_bounded(shape)) return "a plane or a complement has no finite volume to fill";
  if (!(spacing > 0) || !std::isfinite(spacing)) return "particle spacing must be above 0";
  if (!(volume(shape) > 0)) return "the shape is empty";
  const Vec3d half = half_extents(shape);
  double cells = 1;
  for (int i = 0; i < shape.dimension; ++i) {
    if (!(half[i] > 0) || !std::isfinite(half[i]))
      return "a shape to fill must have a size above 0";
    cells *= std::max(1.0, 2 * half[i] / spacing);
  }
  // Foil has fewer points than it crosses cells, so the cells are what counts.
  if (cells <= kMaxSampledPoints) return "";
  char line[160];
  std::snprintf(line, sizeof(line),
                "the shape spans %.3g cells of particle spacing %g m, more than %.3g; use a larger "
                "spacing or a smaller shape",
                cells, spacing, kMaxSampledPoints);
  return line;
}

std::vector<Vec3d> sample(const Shape& shape, SamplingKind kind, double spacing,
                          std::uint64_t seed) {
  switch (kind) {
    case SamplingKind::grid:
      return sample_grid(shape, spacing);
    case SamplingKind::random:
      return sample_random(shape, spacing, seed);
    case SamplingKind::stratified:
      return sample_stratified(shape, spacing, seed);
    case SamplingKind::poisson:
      break;
  }
  return sample_poisson(shape, spacing, seed);
}

}  // namespace

double expected_points(const Shape& shape, double spacing) {
  return volume(shape) / std::pow(spacing, shape.dimension);
}

Result<std::vector<Vec3d>> sample_shape(const Shape& shape, SamplingKind kind, double spacing,
                                        std::uint64_t seed) {
  using Points = std::vector<Vec3d>;
  if (std::string line = objection(shape, spacing); !line.empty())
    return Result<Points>::failure(std::move(line));
  try {
    Points points = sample(shape, kind, spacing, seed);
    // A shape smaller than a cell may miss every lattice point: it is one particle.
    if (points.empty() && detail::local_distance(shape, Vec3d::zero()).distance < 0)
      points.push_back(from_shape_frame(shape, Vec3d::zero()));
    if (points.empty())
      points = sample_random(shape, std::pow(volume(shape), 1.0 / shape.dimension), seed);
    if (points.empty()) return Result<Points>::failure("no particle fits into the shape");
    return points;
  } catch (const std::bad_alloc&) {
    return Result<Points>::failure("not enough memory to sample the shape at this spacing");
  }
}

}  // namespace firn
