// Kernels of smoothed particles and their share behind walls.
#include <gtest/gtest.h>

#include <cmath>

#include "sph/smoothing.h"
#include "sph/wall_share.h"

namespace firn {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr SmoothingKind kKinds[] = {SmoothingKind::spiky, SmoothingKind::cubic_spline,
                                    SmoothingKind::wendland};

template <int D>
double integral(SmoothingKind kind) {
  return with_smoothing<D>(kind, [](auto kernel) {
    constexpr int kPoints = 20000;
    double sum = 0;
    for (int i = 0; i < kPoints; ++i) {
      const double r = (i + 0.5) / kPoints;
      sum += kernel.value(r) * (D == 3 ? 4 * kPi * r * r : 2 * kPi * r) / kPoints;
    }
    return sum;
  });
}

TEST(SphSmoothing, KernelsIntegrateToOne) {
  for (const SmoothingKind kind : kKinds) {
    EXPECT_NEAR(integral<2>(kind), 1, 1e-6);
    EXPECT_NEAR(integral<3>(kind), 1, 1e-6);
  }
}

TEST(SphSmoothing, SlopesAreThoseOfTheValues) {
  for (const SmoothingKind kind : kKinds)
    with_smoothing<3>(kind, [](auto kernel) {
      for (const double r : {0.05, 0.2, 0.49, 0.51, 0.7, 0.95, 1.2}) {
        constexpr double kStep = 1e-5;
        const double slope = (kernel.value(r + kStep) - kernel.value(r - kStep)) / (2 * kStep);
        EXPECT_NEAR(slope_over_r(kernel, r) * r, slope, 1e-6);
      }
    });
}

TEST(SphSmoothing, NothingBeyondTheSupport) {
  for (const SmoothingKind kind : kKinds)
    with_smoothing<2>(kind, [](auto kernel) {
      EXPECT_EQ(kernel.value(1.0), 0);
      EXPECT_EQ(kernel.value(3.0f), 0);
      EXPECT_EQ(slope_over_r(kernel, 1.0), 0);
      EXPECT_TRUE(std::isfinite(slope_over_r(kernel, 0.0f)));
    });
}

// The sum of V (v_j - v_i) grad W over k and the moment is the gradient of a linear v.
TEST(SphSmoothing, MomentMakesGradientsOfLinearFieldsExact) {
  constexpr double kSpacing = 0.5;
  for (const SmoothingKind kind : kKinds)
    with_smoothing<2>(kind, [&](auto kernel) {
      double xx = 0, xy = 0;  // of v = x along x
      for (int i = -2; i <= 2; ++i)
        for (int j = -2; j <= 2; ++j) {
          const double x = i * kSpacing, y = j * kSpacing, r = std::hypot(x, y);
          if (r == 0) continue;
          xx -= kSpacing * kSpacing * x * x * slope_over_r(kernel, r);
          xy -= kSpacing * kSpacing * x * y * slope_over_r(kernel, r);
        }
      const double scale = lattice_sum<2>(kind, kSpacing) * lattice_moment<2>(kind, kSpacing);
      EXPECT_NEAR(xx / scale, 1, 1e-12);
      EXPECT_NEAR(xy / scale, 0, 1e-12);
    });
  EXPECT_NEAR(lattice_moment<3>(SmoothingKind::spiky, kSpacing), 0.77, 0.01);
  EXPECT_NEAR(lattice_moment<3>(SmoothingKind::cubic_spline, kSpacing), 1.02, 0.01);
}

// physics.md 37.
TEST(SphSmoothing, SumOverTheRestLattice) {
  EXPECT_NEAR(lattice_sum<3>(SmoothingKind::spiky, 0.5), 1.236, 1e-3);
  EXPECT_NEAR(lattice_sum<3>(SmoothingKind::cubic_spline, 0.5), 1.000, 1e-3);
  for (const SmoothingKind kind : kKinds) EXPECT_NEAR(lattice_sum<3>(kind, 0.1), 1, 0.01);
}

TEST(SphSmoothing, StiffnessOfTheLatticeIsBounded) {
  for (const SmoothingKind kind : kKinds) {
    EXPECT_GT(lattice_stiffness<2>(kind, 0.5), 1);
    EXPECT_LT(lattice_stiffness<2>(kind, 0.5), 6);
    EXPECT_GT(lattice_stiffness<3>(kind, 0.5), 1);
    EXPECT_LT(lattice_stiffness<3>(kind, 0.5), 10);
  }
}

// Of a kernel at a distance from a plane: by sums over points behind it.
template <int D>
double sum_behind(SmoothingKind kind, double distance) {
  return with_smoothing<D>(kind, [&](auto kernel) {
    constexpr int kPoints = 100;
    double sum = 0;
    for (int i = -kPoints; i < kPoints; ++i)
      for (int j = -kPoints; j < kPoints; ++j)
        for (int k = D == 3 ? -kPoints : 0; k < (D == 3 ? kPoints : 1); ++k) {
          const double x = (i + 0.5) / kPoints, y = (j + 0.5) / kPoints;
          const double z = D == 3 ? (k + 0.5) / kPoints : 0;
          if (y > distance) sum += kernel.value(std::sqrt(x * x + y * y + z * z));
        }
    return sum / std::pow(kPoints, D);
  });
}

TEST(SphSmoothing, ShareBehindAPlane) {
  for (const SmoothingKind kind : kKinds) {
    const WallShare flat = wall_share<2>(kind), deep = wall_share<3>(kind);
    for (const double distance : {-0.5, 0.0, 0.25, 0.6}) {
      EXPECT_NEAR(flat.at(distance), sum_behind<2>(kind, distance), 3e-3);
      EXPECT_NEAR(deep.at(distance), sum_behind<3>(kind, distance), 3e-3);
    }
    EXPECT_EQ(deep.at(0), 0.5);
    EXPECT_EQ(deep.at(1.5), 0);
    EXPECT_EQ(deep.at(-1.5), 1);
    EXPECT_EQ(deep.slope_at(1.5), 0);
    EXPECT_NEAR(deep.at(-0.999999), 1, 1e-6);
  }
}

TEST(SphSmoothing, SlopeOfTheShareIsItsDerivative) {
  const WallShare share = wall_share<3>(SmoothingKind::spiky);
  for (const double distance : {-0.83, -0.2, 0.013, 0.4, 0.91}) {
    constexpr double kStep = 1e-4;
    EXPECT_NEAR((share.at(distance + kStep) - share.at(distance - kStep)) / (2 * kStep),
                share.slope_at(distance), 2e-3);
  }
}

}  // namespace
}  // namespace firn
