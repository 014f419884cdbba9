// Points that fill a shape (MULTI 7.5.1). The same points for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "base/vec.h"
#include "geometry/shape.h"

namespace firn {

// grid: cell centres of a lattice along the shape's own axes and centred in it. random: uniform and
// independent. stratified: one random point in each lattice cell. poisson: random with a minimum
// distance between any two, and no room left for one more.
enum class SamplingKind { grid, random, stratified, poisson };

// A bounding box of more cells than this is refused before anything is allocated.
constexpr double kMaxSampledPoints = 1e9;

// Volume (2D: area) over spacing^dimension, the number of points that every kind aims at. Infinite
// for unbounded shapes.
double expected_points(const Shape& shape, double spacing);

// Smallest distance between two points of Poisson sampling, chosen so that a saturated set has the
// expected number of points: MULTI's spacing / 1.7^(1/d), with the constant of a set without holes
// in place of the 1.7 of a set with some.
double poisson_distance(double spacing, int dimension);

// At least one point, all of them inside the shape; z = 0 in 2D.
Result<std::vector<Vec3d>> sample_shape(const Shape& shape, SamplingKind kind, double spacing,
                                        std::uint64_t seed);

}  // namespace firn
