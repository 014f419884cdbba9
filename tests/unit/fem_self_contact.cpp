// Contact of deformable bodies: what is found, compared with a look at everything, and the
// energy's derivatives.
#include <gtest/gtest.h>

#include "base/mat.h"
#include "exec/parallel.h"
#include "fem_self_common.h"

namespace firn {
namespace {

template <class Dimension>
class SelfContactOf : public testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dimensions = testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(SelfContactOf, Dimensions);

// A point is the nearest of a convex set where no corner lies ahead of the plane across the way
// to it.
TYPED_TEST(SelfContactOf, NearestPointOfAFace) {
  constexpr int D = TypeParam::value;
  RandomStream random(1, D);
  for (int trial = 0; trial < 20000; ++trial) {
    Vec<double, D> corner[D];
    for (auto& c : corner)
      for (int a = 0; a < D; ++a) c[a] = random_within(random, 1);
    if (trial % 10 == 0) corner[D - 1] = corner[0];
    if (trial % 10 == 1) corner[D - 1] = 0.4 * corner[0] + 0.6 * corner[D - 2];
    const NearestOnFace<D> found = nearest_on_face<D>(corner);
    Vec<double, D> place = Vec<double, D>::zero();
    for (int i = 0; i < D; ++i) {
      ASSERT_GE(found.weight[i], 0);
      place += found.weight[i] * corner[i];
    }
    ASSERT_NEAR(sum(found.weight), 1, 1e-14);
    ASSERT_NEAR(found.distance2, dot(place, place), 1e-14);
    for (int i = 0; i < D; ++i) ASSERT_GE(dot(place, corner[i] - place), -1e-10);
  }
}

// Energy of a vertex and a face over all their numbers, and its slope.
template <int D>
struct OnePair {
  static constexpr int kSize = (D + 1) * D;
  static constexpr double kStiffness = 3, kSoft = 1e-15;
  using Numbers = std::array<double, kSize>;

  int corners = 0;
  double depth = 0;
  SelfPenalty penalty;
  DistanceShape<D> shape{};
  std::array<int, D> which{};

  explicit OnePair(const Numbers& x) {
    Vec<double, D> p[D + 1], corner[D];
    for (int i = 0; i <= D; ++i)
      for (int a = 0; a < D; ++a) p[i][a] = x[i * D + a];
    for (int i = 0; i < D; ++i) corner[i] = p[i + 1] - p[0];
    const NearestOnFace<D> found = nearest_on_face<D>(corner);
    shape.share[0] = 1;
    for (int i = 0; i < D; ++i) {
      if (!(found.weight[i] > 0)) continue;
      which[corners++] = i;
      shape.share[corners] = -found.weight[i];
      shape.apart -= found.weight[i] * corner[i];
    }
    shape.corners = corners;
    for (int j = 0; j + 1 < corners; ++j)
      shape.edge[j] = corner[which[j]] - corner[which[corners - 1]];
    penalty = self_penalty(kStiffness, kSoft, found.distance2);
  }
  int first(int slot) const { return slot == 0 ? 0 : (which[slot - 1] + 1) * D; }
  Numbers gradient() const {
    Numbers g{};
    for (int slot = 0; slot <= corners; ++slot)
      for (int a = 0; a < D; ++a)
        g[first(slot) + a] = 2 * penalty.slope * shape.share[slot] * shape.apart[a];
    return g;
  }
};

TYPED_TEST(SelfContactOf, DerivativesOfEachKindOfPair) {
  constexpr int D = TypeParam::value;
  using Pair = OnePair<D>;
  constexpr int kSize = Pair::kSize;
  RandomStream random(2, D);
  constexpr double kStep = 1e-5;
  int met[4] = {};
  for (int trial = 0; trial < 3000; ++trial) {
    typename Pair::Numbers x;
    for (double& value : x) value = random_within(random, 1);
    const Pair pair(x);
    double weakest = 1;
    for (int i = 1; i <= pair.corners; ++i) weakest = std::min(weakest, -pair.shape.share[i]);
    if (weakest < 0.05) continue;
    double hessian[kSize * kSize], definite[kSize * kSize];
    distance_hessian<D>(pair.shape, pair.penalty.slope, pair.penalty.curvature, false, hessian);
    distance_hessian<D>(pair.shape, pair.penalty.slope, pair.penalty.curvature, true, definite);
    const auto gradient = pair.gradient();
    double size = 1;
    for (double value : hessian) size = std::max(size, std::abs(value));
    bool switches = false;
    for (int slot = 0; slot <= pair.corners; ++slot)
      for (int a = 0; a < D; ++a) {
        auto above = x, below = x;
        above[pair.first(slot) + a] += kStep;
        below[pair.first(slot) + a] -= kStep;
        const Pair up(above), down(below);
        if (up.corners != pair.corners || down.corners != pair.corners || up.which != pair.which ||
            down.which != pair.which) {
          switches = true;
          continue;
        }
        const double slope = (up.penalty.energy - down.penalty.energy) / (2 * kStep);
        ASSERT_NEAR(slope, gradient[pair.first(slot) + a], 1e-7 * size);
        for (int other = 0; other <= pair.corners; ++other)
          for (int b = 0; b < D; ++b) {
            const int q = pair.first(other) + b;
            const double second = (up.gradient()[q] - down.gradient()[q]) / (2 * kStep);
            ASSERT_NEAR(second, hessian[(slot * D + a) * kSize + other * D + b], 1e-6 * size);
          }
      }
    for (int p = 0; p < kSize; ++p)
      for (int q = 0; q < kSize; ++q) ASSERT_EQ(hessian[p * kSize + q], hessian[q * kSize + p]);
    for (int probe = 0; probe < 5; ++probe) {
      const auto d = random_field(random, kSize, 1);
      double curved = 0;
      for (int p = 0; p < kSize; ++p)
        for (int q = 0; q < kSize; ++q) curved += d[p] * definite[p * kSize + q] * d[q];
      ASSERT_GE(curved, -1e-12 * size);
    }
    met[pair.corners] += !switches;
  }
  for (int corners = 1; corners <= D; ++corners) EXPECT_GT(met[corners], 20);
}

// Without trees and bounds: each vertex of the boundary, each cell, each face.
template <int D>
std::vector<SelfPair<D>> all_pairs(const SelfMesh<D>& mesh, const std::vector<double>& x) {
  std::vector<SelfPair<D>> found;
  for (std::uint32_t v = 0; v < mesh.on_boundary.size(); ++v) {
    if (!mesh.on_boundary[v]) continue;
    const Vec<double, D> p = place_in<D>(x, v);
    std::vector<char> inside(mesh.bodies, 0);
    for (std::uint32_t c = 0; c < mesh.cells.size(); ++c) {
      if (std::count(mesh.cells[c].begin(), mesh.cells[c].end(), v)) continue;
      Mat<double, D> edges;
      for (int i = 0; i < D; ++i)
        for (int a = 0; a < D; ++a)
          edges(a, i) = x[D * mesh.cells[c][i + 1] + a] - x[D * mesh.cells[c][0] + a];
      const Vec<double, D> w = inverse(edges) * (p - place_in<D>(x, mesh.cells[c][0]));
      bool in = sum(w) < 1;
      for (int i = 0; i < D; ++i) in &= w[i] > 0;
      if (in) inside[mesh.body_of_cell[c]] = 1;
    }
    for (std::uint32_t b = 0; b < mesh.bodies; ++b) {
      if (!inside[b]) continue;
      SelfPair<D> pair{};
      pair.vertex = v;
      double least = 1e300;
      for (std::uint32_t f : mesh.faces_of_body[b]) {
        if (std::count(mesh.faces[f].begin(), mesh.faces[f].end(), v)) continue;
        Vec<double, D> corner[D];
        for (int i = 0; i < D; ++i) corner[i] = place_in<D>(x, mesh.faces[f][i]) - p;
        const double distance2 = nearest_on_face<D>(corner).distance2;
        if (distance2 < least) least = distance2, pair.face = f;
      }
      pair.depth = std::sqrt(least);
      found.push_back(pair);
    }
  }
  return found;
}

// Between different bodies: within one, what is near at rest does not count.
template <int D>
std::vector<SelfPair<D>> with_others(const SelfMesh<D>& mesh,
                                     const std::vector<SelfPair<D>>& pairs) {
  std::vector<std::uint32_t> body(mesh.spacing.size(), mesh.bodies);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (std::uint32_t v : mesh.cells[c]) body[v] = mesh.body_of_cell[c];
  std::vector<SelfPair<D>> list;
  for (const SelfPair<D>& pair : pairs)
    if (mesh.body_of_face[pair.face] != body[pair.vertex]) list.push_back(pair);
  return list;
}

template <int D>
void expect_same(const std::vector<SelfPair<D>>& a, const std::vector<SelfPair<D>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].vertex, b[i].vertex);
    ASSERT_EQ(a[i].face, b[i].face);
    ASSERT_EQ(a[i].depth, b[i].depth);
    ASSERT_EQ(a[i].force, b[i].force);
    ASSERT_TRUE(a[i].normal == b[i].normal && a[i].weight == b[i].weight);
  }
}

TYPED_TEST(SelfContactOf, FindsWhatALookAtEverythingFinds) {
  constexpr int D = TypeParam::value;
  std::size_t total = 0, met[4] = {};
  SelfContact<D> old = Overlap<D>(0).blocks.contact();  // remembers other places
  for (int trial = 0; trial < 40; ++trial) {
    // The last ones are shaken until cells turn over.
    const Overlap<D> scene(trial, trial < 30 ? 0.12 : 0.6);
    SelfContact<D> contact = scene.blocks.contact();
    ASSERT_EQ(contact.mesh().bodies, 3u);
    contact.detect(scene.x.data());
    const auto expected = with_others(contact.mesh(), all_pairs(contact.mesh(), scene.x));
    const auto found = with_others(contact.mesh(), contact.pairs());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const SelfPair<D>& pair = found[i];
      ASSERT_EQ(pair.vertex, expected[i].vertex);
      ASSERT_EQ(pair.face, expected[i].face);
      ASSERT_NEAR(pair.depth, expected[i].depth, 1e-13);
      ++met[pair.corners];
    }
    total += expected.size();
    old.detect(scene.x.data());
    expect_same(old.pairs(), contact.pairs());
    ASSERT_EQ(old.energy(), contact.energy());
  }
  EXPECT_GT(total, 200u);
  for (int corners = 2; corners <= D; ++corners) EXPECT_GT(met[corners], 10u);
}

TYPED_TEST(SelfContactOf, DerivativesOfTheSum) {
  constexpr int D = TypeParam::value;
  for (int trial = 0; trial < 5; ++trial) {
    Overlap<D> scene(trial);
    RandomStream random(3, trial);
    SelfContact<D> contact = scene.blocks.contact(1e4);
    contact.detect(scene.x.data());
    contact.linearize();
    const std::size_t n = scene.x.size();
    const std::vector<double> d = random_field(random, n, 1), e = random_field(random, n, 1);
    std::vector<double> gradient(n, 0), along(n, 0), along_e(n, 0), blocks(n * D, 0);
    contact.add_gradient(gradient.data());
    contact.add_product(d.data(), along.data(), 2);
    contact.add_product(e.data(), along_e.data(), 2);
    contact.add_diagonal_blocks(2, blocks.data());
    EXPECT_NEAR(inner(along, e), inner(along_e, d), 1e-12 * std::abs(inner(along, along)));

    constexpr double kStep = 1e-7;
    double energy[2];
    std::vector<double> slope[2];
    for (int side = 0; side < 2; ++side) {
      std::vector<double> moved = scene.x;
      for (std::size_t i = 0; i < n; ++i) moved[i] += (side ? kStep : -kStep) * d[i];
      contact.detect(moved.data());
      energy[side] = contact.energy();
      slope[side].assign(n, 0);
      contact.add_gradient(slope[side].data());
    }
    EXPECT_NEAR((energy[1] - energy[0]) / (2 * kStep), inner(gradient, d),
                1e-6 * std::sqrt(inner(gradient, gradient)));
    const double size = std::sqrt(inner(along, along));
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_NEAR((slope[1][i] - slope[0][i]) / kStep, along[i], 1e-5 * size);

    contact.detect(scene.x.data());
    contact.linearize();
    for (std::size_t i = 0; i < n; i += 7) {
      std::vector<double> unit(n, 0), column(n, 0);
      unit[i] = 1;
      contact.add_product(unit.data(), column.data(), 2);
      for (int a = 0; a < D; ++a)
        ASSERT_NEAR(column[i / D * D + a], blocks[i * D + a], 1e-12 * size);
    }
    contact.linearize(Curvature::definite);
    for (int probe = 0; probe < 10; ++probe) {
      const std::vector<double> q = random_field(random, n, 1);
      std::vector<double> out(n, 0);
      contact.add_product(q.data(), out.data(), 1);
      EXPECT_GE(inner(q, out), 0);
    }
  }
}

// Forces of a pair are opposite and on one line.
TYPED_TEST(SelfContactOf, MomentumIsKept) {
  constexpr int D = TypeParam::value;
  const Overlap<D> scene(7);
  SelfContact<D> contact = scene.blocks.contact();
  contact.detect(scene.x.data());
  ASSERT_GT(contact.pairs().size(), 5u);
  std::vector<double> g(scene.x.size(), 0);
  contact.add_gradient(g.data());
  double total[3] = {}, spin[3] = {}, size = 0;
  for (std::size_t v = 0; v < scene.blocks.vertices(); ++v) {
    double x[3] = {}, f[3] = {};
    for (int a = 0; a < D; ++a) {
      x[a] = scene.x[D * v + a];
      f[a] = g[D * v + a];
      total[a] += f[a];
      size += std::abs(f[a]);
    }
    for (int a = 0; a < 3; ++a)
      spin[a] += x[(a + 1) % 3] * f[(a + 2) % 3] - x[(a + 2) % 3] * f[(a + 1) % 3];
  }
  EXPECT_GT(size, 0);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(total[a], 0, 1e-13 * size);
    EXPECT_NEAR(spin[a], 0, 1e-12 * size);
  }
}

TYPED_TEST(SelfContactOf, SameBytesForAnyNumberOfThreads) {
  constexpr int D = TypeParam::value;
  Blocks<D> blocks;
  const int n = D == 2 ? 40 : 9;
  blocks.add(cubes_along<D>(n, n), Vec<double, D>::zero(), 1);
  blocks.add(cubes_along<D>(n, n), Vec<double, D>::fill(2.0 * n), 1);
  std::vector<double> x = blocks.rest;
  RandomStream random(5, D);
  for (std::size_t v = 0; v < blocks.vertices(); ++v)
    for (int a = 0; a < D; ++a) {
      double& p = x[D * v + a];
      if (blocks.rest[D * v] > 1.5 * n) p -= a == 0 ? 2.0 * n - 0.3 : a == 1 ? n + 0.4 : 2.0 * n;
      p += random_within(random, 0.2);
    }
  const int before = thread_count();
  std::vector<std::vector<double>> results;
  for (int threads : {1, 2, 3}) {
    set_thread_count(threads);
    SelfContact<D> contact = blocks.contact();
    contact.detect(x.data());
    contact.linearize();
    std::vector<double> result(x.size(), 0);
    contact.add_gradient(result.data());
    contact.add_product(x.data(), result.data(), 1);
    result.push_back(contact.energy());
    result.push_back(static_cast<double>(contact.pairs().size()));
    EXPECT_GT(result.back(), 30);
    results.push_back(result);
  }
  set_thread_count(before);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// Pairs that are held are planes: the same energy where they were found, smooth beyond.
TYPED_TEST(SelfContactOf, HeldPairsArePlanes) {
  constexpr int D = TypeParam::value;
  const Overlap<D> scene(3, 0.12);
  SelfContact<D> contact = scene.blocks.contact();
  contact.detect(scene.x.data());
  const double energy = contact.energy();
  const std::size_t pairs = contact.pairs().size();
  ASSERT_GT(pairs, 0u);
  contact.hold_pairs();
  contact.detect(scene.x.data());
  EXPECT_NEAR(contact.energy(), energy, 1e-9 * energy);

  RandomStream random(5, 0);
  std::vector<double> d(scene.x.size());
  for (double& c : d) c = 2 * random.next_double() - 1;
  constexpr double h = 1e-6;
  std::vector<double> x[2] = {scene.x, scene.x}, g[2];
  double value[2];
  for (int side = 0; side < 2; ++side) {
    for (std::size_t k = 0; k < d.size(); ++k) x[side][k] += (side == 0 ? -h : h) * d[k];
    contact.detect(x[side].data());
    EXPECT_EQ(contact.pairs().size(), pairs);
    value[side] = contact.energy();
    g[side].assign(d.size(), 0);
    contact.add_gradient(g[side].data());
  }
  contact.detect(scene.x.data());
  std::vector<double> gradient(d.size(), 0), product(d.size(), 0);
  contact.add_gradient(gradient.data());
  contact.linearize();
  contact.add_product(d.data(), product.data(), 1);
  double slope = 0, size = 0, off = 0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    slope += gradient[k] * d[k];
    size += product[k] * product[k];
    const double difference = (g[1][k] - g[0][k]) / (2 * h) - product[k];
    off += difference * difference;
  }
  EXPECT_NEAR((value[1] - value[0]) / (2 * h), slope, 1e-6 * std::abs(slope));
  EXPECT_LT(std::sqrt(off), 1e-5 * std::sqrt(size));
  contact.let_pairs_go();
  contact.detect(scene.x.data());
  EXPECT_EQ(contact.energy(), energy);
}

}  // namespace
}  // namespace firn
