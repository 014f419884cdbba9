// Rigid pieces as a coarse system: what they can do is found exactly, what is held stays, and long
// bodies need fewer products.
#include "fem/rigid_coarse.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fem_rig.h"

namespace firn {
namespace {

struct Bar {
  Bar()
      : model({body_of<3>(cut_cubes<3>({40, 2, 2}, 0.05), 1)}, {rubber(1e6)}),
        matrix(model.pattern.zeros()),
        shift(model.nodes(), 1.0),
        coarse(model) {
    model.bodies[0].elastic->add_stiffness(model.rest.data(), true, 1, matrix);
  }
  std::uint32_t last() const { return static_cast<std::uint32_t>(model.nodes() - 1); }
  // M^-1 K d with K = A + M, and the spring.
  std::vector<double> force_of(const std::vector<double>& d) const {
    std::vector<double> out(d.size());
    matrix.product(d.data(), out.data());
    for (std::size_t a = 0; a < 3; ++a) {
      const double pull = spring * (d[a] - d[last() * 3 + a]);
      out[a] += pull;
      out[last() * 3 + a] -= pull;
    }
    for (std::size_t k = 0; k < d.size(); ++k) out[k] = out[k] / model.mass[k / 3] + d[k];
    return out;
  }
  template <class Filter>
  std::vector<double> answer(const std::vector<double>& d, Filter&& filter) {
    coarse.build(model.rest.data(), matrix, 1, shift.data(), filter, [&](auto&& add) {
      const Mat<double, 3> pull = Mat<double, 3>::identity() * spring;
      add(0, last(), pull * -1.0);
      add(last(), 0, pull * -1.0);
      add(0, 0, pull);
      add(last(), last(), pull);
    });
    const std::vector<double> r = force_of(d);
    std::vector<double> z(d.size(), 0);
    coarse.add(r.data(), z.data());
    return z;
  }

  FemModel<3> model;
  BlockMatrix<3> matrix;
  std::vector<double> shift;
  RigidCoarse<3> coarse;
  double spring = 1e5;  // N/m between the first node and the last, for which A has no room
};

TEST(FemCoarse, RigidMotionsAreFoundExactly) {
  Bar bar;
  std::vector<double> d(bar.model.nodes() * 3);
  for (std::size_t i = 0; i < bar.model.nodes(); ++i) {
    const double* x = bar.model.rest.data() + i * 3;
    d[i * 3] = 0.3 - 0.2 * x[1];
    d[i * 3 + 1] = -1 + 0.2 * x[0] - 0.5 * x[2];
    d[i * 3 + 2] = 0.7 + 0.5 * x[1];
  }
  const std::vector<double> z = bar.answer(d, [](double*) {});
  for (std::size_t k = 0; k < d.size(); ++k) EXPECT_NEAR(z[k], d[k], 1e-9);
}

TEST(FemCoarse, WhatIsHeldStays) {
  Bar bar;
  bar.spring = 0;
  const auto hold = [&](double* d) {
    for (std::size_t i = 0; i < bar.model.nodes(); ++i)
      if (bar.model.rest[i * 3] < 0.3) std::fill(d + i * 3, d + i * 3 + 3, 0.0);
  };
  std::vector<double> d(bar.model.nodes() * 3, 1.0);
  const std::vector<double> z = bar.answer(d, hold);
  double moved = 0;
  for (std::size_t i = 0; i < bar.model.nodes(); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      const bool held = bar.model.rest[i * 3] < 0.3;
      EXPECT_TRUE(!held || z[i * 3 + a] == 0) << i;
      moved = std::max(moved, std::abs(z[i * 3 + a]));
    }
  EXPECT_GT(moved, 0.05);
}

// It is a positive operator by the product of masses, as conjugate gradients need.
TEST(FemCoarse, IsSymmetricAndPositive) {
  Bar bar;
  const std::size_t n = bar.model.nodes() * 3;
  bar.answer(std::vector<double>(n, 1.0), [](double*) {});
  const std::vector<double> a = shaken(std::vector<double>(n, 0), 1, 1);
  const std::vector<double> b = shaken(std::vector<double>(n, 0), 1, 2);
  std::vector<double> of_a(n, 0), of_b(n, 0);
  bar.coarse.add(a.data(), of_a.data());
  bar.coarse.add(b.data(), of_b.data());
  double ab = 0, ba = 0, aa = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double m = bar.model.mass[k / 3];
    ab += a[k] * m * of_b[k];
    ba += b[k] * m * of_a[k];
    aa += a[k] * m * of_a[k];
  }
  EXPECT_NEAR(ab, ba, 1e-9 * std::abs(ab));
  EXPECT_GT(aa, 0);
}

// A bar of twenty times its width, held at one end, falls by its weight in one long step.
TEST(FemCoarse, LongBarsTakeFewProducts) {
  Collider wall;
  wall.shape.kind = ShapeKind::box;
  wall.shape.center = {{-0.5, 0, 0}};
  wall.shape.size = {{0.5001, 1, 1}};
  wall.contact = ContactKind::pin;
  Rig<3> run(FemSettings{}, body_of<3>(cut_cubes<3>({40, 2, 2}, 0.05), 1), rubber(1e7), -9.81,
             {wall});
  const StepReport report = run.step(1);
  EXPECT_FALSE(report.solve.missed);
  EXPECT_LT(report.solve.krylov_iterations, 2000);  // 10,500 by the blocks of nodes alone
}

}  // namespace
}  // namespace firn
