// Coarser grids in the preconditioner of implicit steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "mpm/implicit_multigrid.h"
#include "particles/blocks.h"

namespace firn {
namespace {

template <int D>
struct Cube {
  using Vector = typename GridMultigrid<double, D>::Vector;
  static constexpr int kNodes = BlockShape<D>::kNodes;
  static constexpr double kSpacing = 0.1;

  BlockTopology<D> blocks;
  Buffer<double> mass;
  Vector bulk, shear;
  GridMultigrid<double, D> coarse;

  // Some blocks along each axis, filled.
  Cube(int across, double stiffness) {
    std::vector<std::uint64_t> keys;
    const int count = power(across, D);
    for (int k = 0; k < count; ++k) {
      BlockCoord<D> c;
      for (int a = 0, rest = k; a < D; ++a, rest /= across) c[a] = rest % across;
      keys.push_back(morton_key<D>(c));
    }
    std::sort(keys.begin(), keys.end());
    blocks.build(keys);
    const std::size_t size = std::size_t(blocks.size()) * kNodes;
    mass.resize(size);
    bulk.resize(size);
    shear.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      const bool filled = i < std::size_t(blocks.occupied()) * kNodes;
      mass[i] = filled ? 1 : 0;
      bulk[i] = shear[i] = Node<double>(0);
      bulk[i].set(kMassLane, filled ? stiffness : 0);
      shear[i].set(kMassLane, filled ? 0.5 * stiffness : 0);
    }
    coarse.build(blocks, mass, bulk, shear, 1, kSpacing);
  }
  Vector random(std::uint64_t seed) const {
    RandomStream stream(seed, 0);
    Vector v(mass.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = Node<double>(0);
      for (int a = 0; a < D && mass[i] > 0; ++a) v[i].set(a, 2 * stream.next_double() - 1);
    }
    return v;
  }
  Vector correction(const Vector& r) {
    Vector z(r.size());
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = Node<double>(0);
    coarse.add_correction(r, z);
    return z;
  }
  double product(const Vector& a, const Vector& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (int c = 0; c < D; ++c) sum += mass[i] * a[i][c] * b[i][c];
    return sum;
  }
};

template <int D>
void expect_symmetric() {
  Cube<D> cube(3, 40);
  cube.coarse.springs().at(5, SymMat<double, D>::isotropic(30));
  cube.coarse.set_springs();
  const auto a = cube.random(1), b = cube.random(2);
  const auto za = cube.correction(a), zb = cube.correction(b);
  EXPECT_NEAR(cube.product(a, zb), cube.product(b, za),
              1e-10 * std::sqrt(cube.product(a, za) * cube.product(b, zb)));
  EXPECT_GT(cube.product(a, za), 0);
  EXPECT_GT(cube.product(b, zb), 0);
}
TEST(MpmMultigrid, IsSymmetricAndDefiniteInTheMassProduct2D) {
  expect_symmetric<2>();
}
TEST(MpmMultigrid, IsSymmetricAndDefiniteInTheMassProduct3D) {
  expect_symmetric<3>();
}

// A body that moves as a whole is resisted by its mass alone, however stiff it is.
template <int D>
void expect_motion_of_the_whole() {
  Cube<D> cube(4, 1e5);
  cube.coarse.set_springs();
  auto r = cube.random(1);
  for (std::size_t i = 0; i < r.size(); ++i) {
    r[i] = Node<double>(0);
    if (cube.mass[i] > 0) r[i].set(1, 1);
  }
  const auto z = cube.correction(r);
  EXPECT_NEAR(cube.product(z, r) / cube.product(r, r), 1, 0.02);
}
TEST(MpmMultigrid, KnowsTheMassOfTheWhole2D) {
  expect_motion_of_the_whole<2>();
}
TEST(MpmMultigrid, KnowsTheMassOfTheWhole3D) {
  expect_motion_of_the_whole<3>();
}

// Held at one side it hardly moves.
TEST(MpmMultigrid, SpringsHold) {
  Cube<2> free(4, 1e5), held(4, 1e5);
  free.coarse.set_springs();
  for (std::size_t i = 0; i < held.mass.size() / 4; ++i)
    if (held.mass[i] > 0) held.coarse.springs().at(i, SymMat<double, 2>::isotropic(1e6));
  held.coarse.set_springs();
  auto r = free.random(1);
  for (std::size_t i = 0; i < r.size(); ++i) {
    r[i] = Node<double>(0);
    if (free.mass[i] > 0) r[i].set(1, 1);
  }
  EXPECT_LT(held.product(r, held.correction(r)), 0.05 * free.product(r, free.correction(r)));
}

}  // namespace
}  // namespace firn
