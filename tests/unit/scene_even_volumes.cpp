// Volumes of a fluid's particles that fill the grid evenly (scene/even_volumes.h).
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "collision/mirror.h"
#include "geometry/sampling.h"
#include "scene/even_volumes.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.1;

Shape ball(int dimension, double radius) {
  Shape shape;
  shape.kind = ShapeKind::ball;
  shape.dimension = dimension;
  shape.size = {{radius, radius, radius}};
  shape.center = {{0.013, 0.027, dimension == 3 ? 0.041 : 0.0}};
  return shape;
}

// Root mean square of what nodes inside of the ball have too much or too little, in cells.
double unevenness(int dimension, KernelKind kernel, const Shape& shape,
                  const std::vector<Vec3d>& points, const std::vector<double>& volumes) {
  const int n = static_cast<int>(shape.size[0] / kSpacing) + 1;
  double sum = 0, count = 0;
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j)
      for (int k = dimension == 3 ? -n : 0; k <= (dimension == 3 ? n : 0); ++k) {
        const Vec3d node{{i * kSpacing, j * kSpacing, k * kSpacing}};
        if (signed_distance(shape, node).distance > -2 * std::sqrt(3.0) * kSpacing) continue;
        double laid = 0;
        for (std::size_t p = 0; p < points.size(); ++p) {
          double w = volumes[p] / std::pow(kSpacing, dimension);
          for (int a = 0; a < dimension; ++a)
            w *= detail::spline(kernel, (points[p][a] - node[a]) / kSpacing);
          laid += w;
        }
        sum += square(laid - 1);
        count += 1;
      }
  EXPECT_GT(count, 10);
  return std::sqrt(sum / count);
}

TEST(EvenVolumes, DensityOnTheGridIsEven) {
  for (const int dimension : {2, 3})
    for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic}) {
      const Shape shape = ball(dimension, dimension == 2 ? 1.2 : 0.7);
      const auto points = sample_shape(shape, SamplingKind::poisson, kSpacing / 2, 3);
      ASSERT_TRUE(points);
      const double each = volume(shape) / double(points->size());
      std::vector<double> volumes(points->size(), each);
      const double before = unevenness(dimension, kernel, shape, *points, volumes);
      even_volumes(shape, kernel, kSpacing, points->data(), points->size(), volumes.data());
      const double after = unevenness(dimension, kernel, shape, *points, volumes);
      EXPECT_LT(after, 0.01) << before;
      EXPECT_LT(after, 0.4 * before);
      EXPECT_NEAR(std::accumulate(volumes.begin(), volumes.end(), 0.0), volume(shape),
                  1e-12 * volume(shape));
      for (const double v : volumes) {
        EXPECT_GT(v, 0.3 * each);
        EXPECT_LT(v, 3 * each);
      }
    }
}

// Nothing to even out: a lattice of two particles a cell and axis that ends at nodes.
TEST(EvenVolumes, ALatticeStaysAsItIs) {
  Shape box;
  box.dimension = 2;
  box.size = {{0.8, 0.4, 0}};
  const auto points = sample_shape(box, SamplingKind::grid, kSpacing / 2, 1);
  ASSERT_TRUE(points);
  const double each = volume(box) / double(points->size());
  std::vector<double> volumes(points->size(), each);
  even_volumes(box, KernelKind::quadratic, kSpacing, points->data(), points->size(),
               volumes.data());
  for (const double v : volumes) EXPECT_EQ(v, each);
}

}  // namespace
}  // namespace firn
