// Contact of deformable bodies: what counts as inside of what, and how the push begins and ends.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "base/mat.h"
#include "fem_self_common.h"

namespace firn {
namespace {

template <class Dimension>
class SelfBodiesOf : public testing::Test {};
template <int D>
using Size = std::integral_constant<int, D>;
using Sizes = testing::Types<Size<2>, Size<3>>;
TYPED_TEST_SUITE(SelfBodiesOf, Sizes);

template <int D>
double volume_of(const SelfCell<D>& cell, const std::vector<double>& x) {
  Mat<double, D> edges;
  for (int i = 0; i < D; ++i)
    for (int a = 0; a < D; ++a) edges(a, i) = x[D * cell[i + 1] + a] - x[D * cell[0] + a];
  return determinant(edges) / (D == 2 ? 2 : 6);
}

Vec2d outward(const SelfFace<2>& face, const std::vector<double>& x) {
  const Vec2d along = place_in<2>(x, face[1]) - place_in<2>(x, face[0]);
  return {{along[1], -along[0]}};
}
Vec3d outward(const SelfFace<3>& face, const std::vector<double>& x) {
  const Vec3d origin = place_in<3>(x, face[0]);
  return 0.5 * cross(place_in<3>(x, face[1]) - origin, place_in<3>(x, face[2]) - origin);
}

template <int D>
void expect_closed(const std::vector<SelfFace<D>>& faces, const std::vector<double>& x, double area,
                   double volume) {
  Vec<double, D> total = Vec<double, D>::zero();
  double area_found = 0, volume_found = 0;
  for (const SelfFace<D>& face : faces) {
    const Vec<double, D> normal = outward(face, x);
    total += normal;
    area_found += std::sqrt(dot(normal, normal));
    volume_found += dot(normal, place_in<D>(x, face[0])) / D;
  }
  EXPECT_NEAR(dot(total, total), 0, 1e-20);
  EXPECT_NEAR(area_found, area, 1e-10 * area);
  EXPECT_NEAR(volume_found, volume, 1e-10 * volume);
}

// Second-order cells: corners, then a node in the middle of each edge.
template <int D>
std::vector<std::uint32_t> with_middles(const Blocks<D>& blocks, std::vector<double>& x) {
  std::vector<std::uint32_t> nodes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  x = blocks.rest;
  for (const SelfCell<D>& cell : blocks.cells) {
    nodes.insert(nodes.end(), cell.begin(), cell.end());
    for (int i = 0; i < D; ++i)
      for (int j = i + 1; j <= D; ++j) {
        const auto next = static_cast<std::uint32_t>(x.size() / D);
        const auto [at, fresh] = middles.insert({std::minmax(cell[i], cell[j]), next});
        nodes.push_back(at->second);
        if (!fresh) continue;
        for (int a = 0; a < D; ++a) x.push_back((x[D * cell[i] + a] + x[D * cell[j] + a]) / 2);
      }
  }
  return nodes;
}

TYPED_TEST(SelfBodiesOf, BoundariesAreClosedAndPartsFillTheirCells) {
  constexpr int D = TypeParam::value;
  Blocks<D> blocks;
  blocks.add(cubes_along<D>(3, 2), Vec<double, D>::fill(0.5), 0.5);
  const double area = D == 2 ? 5 : 8, volume = 1.5;
  expect_closed<D>(boundary_of<D>(blocks.cells), blocks.rest, area, volume);
  std::vector<double> x;
  const auto parts = linear_parts<D>(with_middles(blocks, x));
  EXPECT_EQ(parts.size(), blocks.cells.size() << D);
  for (const SelfCell<D>& part : parts)
    EXPECT_NEAR(volume_of<D>(part, x), volume / double(parts.size()), 1e-14);
  const auto faces = boundary_of<D>(parts);
  EXPECT_EQ(faces.size(), boundary_of<D>(blocks.cells).size() << (D - 1));
  expect_closed<D>(faces, x, area, volume);
}

TYPED_TEST(SelfBodiesOf, NothingMeetsInBodiesApartOrSideBySide) {
  constexpr int D = TypeParam::value;
  for (int order : {1, 2}) {
    Blocks<D> blocks;
    for (int b = 0; b < 2; ++b) {
      Vec<double, D> origin = Vec<double, D>::zero();
      origin[1] = 2 * b;  // the second one begins where the first one ends
      blocks.add(cubes_along<D>(3, 2), origin, 1);
    }
    std::vector<double> rest = blocks.rest;
    std::vector<SelfCell<D>> cells = blocks.cells;
    if (order == 2) cells = linear_parts<D>(with_middles(blocks, rest));
    const std::size_t n = rest.size() / D;
    SelfContact<D> contact(n, cells, boundary_of<D>(cells), rest.data(), std::vector<double>(n, 1),
                           true);
    EXPECT_EQ(contact.mesh().bodies, 2u);
    contact.detect(rest.data());
    EXPECT_EQ(contact.pairs().size(), 0u);
    std::vector<double> x = rest;  // sheared, squeezed and turned over
    for (std::size_t v = 0; v < n; ++v) {
      x[D * v] = -0.1 * rest[D * v] + 0.7 * rest[D * v + 1];
      x[D * v + 1] = rest[D * v + 1] + (rest[D * v + 1] > 2 ? 0.01 : 0);
    }
    contact.detect(x.data());
    for (const SelfPair<D>& pair : contact.pairs()) EXPECT_LT(pair.depth, 1e-9);
  }
}

// Nodes in the middle of edges, when the cells are given by their corners alone: not inside of the
// cells that they belong to, wherever they bend to, but of others.
TYPED_TEST(SelfBodiesOf, MiddleNodesBelongToTheirCells) {
  constexpr int D = TypeParam::value;
  Blocks<D> blocks;
  blocks.add(cubes_along<D>(2, 2), Vec<double, D>::zero(), 1);
  blocks.add(cubes_along<D>(2, 2), Vec<double, D>::fill(10), 1);
  std::vector<double> rest;
  const auto parts = linear_parts<D>(with_middles(blocks, rest));
  const std::size_t n = rest.size() / D, corners = blocks.vertices();
  SelfContact<D> contact(n, blocks.cells, boundary_of<D>(parts), rest.data(),
                         std::vector<double>(n, 1));
  std::vector<double> x = rest;
  for (std::size_t v = corners; v < n; ++v)
    if (contact.mesh().on_boundary[v])
      for (int a = 0; a < D; ++a) {
        const double middle = rest[D * v + a] < 5 ? 1 : 11;
        x[D * v + a] += 0.1 * (middle - rest[D * v + a]);
      }
  contact.detect(x.data());
  EXPECT_EQ(contact.pairs().size(), 0u);
  for (std::size_t v = 0; v < n; ++v)
    if (rest[D * v] > 5)
      for (int a = 0; a < D; ++a) x[D * v + a] -= a == 1 ? 8.3 : 9.7;
  contact.detect(x.data());
  std::size_t middles = 0;
  for (const SelfPair<D>& pair : contact.pairs()) middles += pair.vertex >= corners;
  EXPECT_GT(middles, 1u);
}

// One vertex on its way through a block.
template <int D>
struct Passage {
  Blocks<D> blocks;
  std::uint32_t tip;

  Passage() {
    blocks.add(cubes_along<D>(4, 4), Vec<double, D>::zero(), 1);
    Vec<double, D> origin = Vec<double, D>::fill(30);
    blocks.add(cubes_along<D>(1, 1), origin, 0.01);
    tip = static_cast<std::uint32_t>(blocks.vertices() - 1);
  }
  // All of the small one within 0.02 of a place.
  std::vector<double> at(const Vec<double, D>& p) const {
    std::vector<double> x = blocks.rest;
    for (std::size_t v = 0; v < blocks.vertices(); ++v)
      if (blocks.rest[D * v] > 10)
        for (int a = 0; a < D; ++a) x[D * v + a] += p[a] - 30;
    return x;
  }
};

TYPED_TEST(SelfBodiesOf, ThePushGrowsFromNothingAndEndsBehindTheBody) {
  constexpr int D = TypeParam::value;
  const Passage<D> passage;
  SelfContact<D> contact = passage.blocks.contact(1);
  double before = 0;
  for (int step = -20; step < 440; ++step) {
    Vec<double, D> p = Vec<double, D>::fill(1.7);
    p[1] = 4 - 0.01 * step;
    contact.detect(passage.at(p).data());
    double expected = 0;
    for (const SelfPair<D>& pair : contact.pairs()) {
      const double k = 1 + 0.1 * (pair.vertex % 7);
      const double scale = D == 2 ? contact.mesh().spacing[pair.vertex] : 1;
      expected += k * std::pow(pair.depth, 3) / scale;
      EXPECT_NEAR(pair.force, 3 * k * pair.depth * pair.depth / scale, 1e-9 * pair.force + 1e-20);
      // Above, in the middle, where the sides are nearer, and below.
      if (p[1] > 2.35 || p[1] < 1.65) {
        EXPECT_NEAR(pair.normal[1], p[1] > 2 ? 1 : -1, 1e-9);
      }
    }
    EXPECT_NEAR(contact.energy(), expected, 1e-9 * expected + 1e-25);
    // No jumps: at most the slope at the deepest, of all vertices together.
    const double scale = D == 2 ? 300 : 1;
    EXPECT_NEAR(contact.energy(), before, scale * 3 * 4 * 1.8 * (1 << D) * 0.01);
    before = contact.energy();
    const bool outside = step <= 0 || step > 402, inside = step > 5 && step < 395;
    if (outside || inside) {
      EXPECT_EQ(contact.pairs().size(), inside ? std::size_t(1) << D : 0u);
    }
  }
  EXPECT_EQ(before, 0);
}

TYPED_TEST(SelfBodiesOf, FlatCellsHoldNothingAndInvertedOnesWhatTheyCover) {
  constexpr int D = TypeParam::value;
  const Passage<D> passage;
  SelfContact<D> contact = passage.blocks.contact(1);
  Vec<double, D> p = Vec<double, D>::fill(1.7);
  for (double height : {1.0, -1.0, 1e-16, 0.0}) {
    p[1] = 3.7 * height;
    std::vector<double> x = passage.at(p);
    for (std::size_t v = 0; v < passage.blocks.vertices(); ++v)
      if (passage.blocks.rest[D * v] < 10)
        x[D * v + 1] *= height;
      else
        x[D * v + 1] = p[1];  // the small one is flat, and has vertices
    contact.detect(x.data());
    EXPECT_EQ(contact.pairs().size(), std::abs(height) > 0.5 ? std::size_t(1) << D : 0u);
    for (const SelfPair<D>& pair : contact.pairs()) EXPECT_NEAR(pair.depth, 0.3, 1e-9);
  }
}

// A clamp whose jaws are pressed into each other: each finds the other's face, not one of its own.
TYPED_TEST(SelfBodiesOf, ABodyMeetsItself) {
  constexpr int D = TypeParam::value;
  Blocks<D> blocks;
  std::array<int, D> n = cubes_along<D>(6, 5);
  if (D == 3) n[2] = 2;
  // Jaws of two layers along x, a back at its beginning, one layer of nothing between them.
  blocks.add(n, Vec<double, D>::zero(), 1, [](const auto& at) { return at[0] == 0 || at[1] != 2; });
  SelfContact<D> contact = blocks.contact(1);
  ASSERT_EQ(contact.mesh().bodies, 1u);
  contact.detect(blocks.rest.data());
  EXPECT_EQ(contact.pairs().size(), 0u);
  std::vector<double> x = blocks.rest;
  for (std::size_t v = 0; v < blocks.vertices(); ++v)
    if (blocks.rest[D * v + 1] > 2.5) {
      x[D * v + 1] -= 0.4 * std::min(blocks.rest[D * v] / 2, 1.0) * 3.25;  // 0.3 deep
      x[D * v] -= 0.31;
      if (D == 3) x[D * v + 2] += 0.17;
    }
  contact.detect(x.data());
  std::size_t upper = 0, lower = 0;
  for (const SelfPair<D>& pair : contact.pairs()) {
    if (blocks.rest[D * pair.vertex] < 3) continue;  // the hinge of the jaw
    const double height = blocks.rest[D * pair.vertex + 1];
    EXPECT_TRUE(height == 2 || height == 3) << height;
    // Where the jaw ends, the way out may be across its end instead.
    for (int i = 0; i < pair.corners; ++i)
      if (pair.depth > 0.29) {
        EXPECT_EQ(blocks.rest[D * pair.corner[i] + 1], height == 2 ? 3 : 2);
      }
    EXPECT_LT(pair.depth, 0.31);
    (height == 2 ? lower : upper) += 1;
  }
  EXPECT_GE(lower, 3u);
  EXPECT_GE(upper, 3u);
}

// Inner vertices take part where they are asked to.
TYPED_TEST(SelfBodiesOf, InnerVerticesOnRequest) {
  constexpr int D = TypeParam::value;
  Blocks<D> blocks;
  blocks.add(cubes_along<D>(4, 4), Vec<double, D>::zero(), 1);
  blocks.add(cubes_along<D>(4, 4), Vec<double, D>::fill(10), 1);
  std::vector<double> x = blocks.rest;
  for (std::size_t v = 0; v < blocks.vertices(); ++v)
    if (blocks.rest[D * v] > 5)
      for (int a = 0; a < D; ++a) x[D * v + a] -= 10 - (a == 1 ? 2.6 : 0.13 * (a + 1));
  for (bool all : {false, true}) {
    SelfContact<D> contact = blocks.contact(1, all);
    contact.detect(x.data());
    std::size_t inner = 0;
    for (const SelfPair<D>& pair : contact.pairs())
      inner += !contact.mesh().on_boundary[pair.vertex];
    EXPECT_EQ(inner > 0, all);
    EXPECT_GT(contact.pairs().size() - inner, 3u);
  }
}

// Two blocks of linear springs, the lower one held at its bottom, the upper one pressed on it.
template <int D>
struct Press {
  static constexpr double kModulus = 1e5, kLoad = 0.05 * kModulus, kMass = 1e-3 * kModulus;
  Blocks<D> blocks;
  std::vector<double> force, x;
  std::vector<char> held;

  Press() {
    blocks.add(cubes_along<D>(4, 2), Vec<double, D>::zero(), 1);
    Vec<double, D> origin = Vec<double, D>::fill(0.23);
    origin[1] = 2;
    blocks.add(cubes_along<D>(3, 2), origin, 1);
    x = blocks.rest;
    force.assign(x.size(), 0);
    for (std::size_t v = 0; v < blocks.vertices(); ++v) {
      held.push_back(x[D * v + 1] == 0);
      if (x[D * v + 1] == 4) force[D * v + 1] = -kLoad;
    }
  }
  // Value of the energy without contact at displacements u, its gradient added to g.
  double springs(const std::vector<double>& u, std::vector<double>& g) const {
    double energy = 0;
    for (const SelfCell<D>& cell : blocks.cells)
      for (std::uint32_t i : cell)
        for (std::uint32_t j : cell)
          for (int a = 0; a < D; ++a) {
            const double stretch = u[D * i + a] - u[D * j + a];
            energy += kModulus * stretch * stretch / 4;
            g[D * i + a] += kModulus * stretch;
          }
    for (std::size_t i = 0; i < u.size(); ++i) {
      energy += kMass * u[i] * u[i] / 2;
      g[i] += kMass * u[i];
    }
    return energy;
  }
  void keep_held(std::vector<double>& g) const {
    for (std::size_t i = 0; i < g.size(); ++i) g[i] *= !held[i / D];
  }
  double objective(SelfContact<D>& contact, std::vector<double>& g) const {
    std::vector<double> u = x;
    for (std::size_t i = 0; i < u.size(); ++i) u[i] -= blocks.rest[i];
    g.assign(x.size(), 0);
    contact.detect(x.data());
    double energy = springs(u, g) + contact.energy() - inner(force, u);
    contact.add_gradient(g.data());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] -= force[i];
    keep_held(g);
    return energy;
  }
  // Conjugate gradients on the Hessian of the last objective.
  std::vector<double> step(const SelfContact<D>& contact, const std::vector<double>& g) const {
    std::vector<double> s(g.size(), 0), r = g, d, product;
    for (double& value : r) value = -value;
    d = r;
    double rest2 = inner(r, r);
    for (const double goal = 1e-16 * rest2; rest2 > goal;) {
      product.assign(g.size(), 0);
      springs(d, product);
      contact.add_product(d.data(), product.data(), 1);
      keep_held(product);
      const double length = rest2 / inner(d, product), before = rest2;
      for (std::size_t i = 0; i < s.size(); ++i) s[i] += length * d[i], r[i] -= length * product[i];
      rest2 = inner(r, r);
      for (std::size_t i = 0; i < s.size(); ++i) d[i] = r[i] + rest2 / before * d[i];
    }
    return s;
  }
};

// Newton's method with the definite matrix comes to rest where contact bears the load, at a depth
// far below a cell. Its steps are short: longer ones would carry a body through the other.
TYPED_TEST(SelfBodiesOf, PressedBodiesRestOnEachOther) {
  constexpr int D = TypeParam::value;
  Press<D> press;
  SelfContact<D> contact = press.blocks.contact(press.kModulus);
  std::vector<double> g;
  double value = press.objective(contact, g);
  int steps = 0;
  for (; std::sqrt(inner(g, g)) > 1e-9 * press.kLoad && steps < 100; ++steps) {
    contact.linearize(Curvature::definite);
    const std::vector<double> s = press.step(contact, g), from = press.x;
    double longest = 0;
    for (double part : s) longest = std::max(longest, std::abs(part));
    for (double scale = std::min(1.0, 0.2 / longest);; scale /= 2) {
      for (std::size_t i = 0; i < s.size(); ++i) press.x[i] = from[i] + scale * s[i];
      const double next = press.objective(contact, g);
      if (next <= value + 1e-12 * std::abs(value) || scale < 1e-6) {
        value = next;
        break;
      }
    }
  }
  EXPECT_LT(steps, 60);
  double borne = 0, load = 0;
  for (const SelfPair<D>& pair : contact.pairs()) {
    EXPECT_LT(pair.depth, 0.3);
    borne += pair.force * std::abs(pair.normal[1]);
  }
  for (std::size_t v = 0; v < press.blocks.vertices(); ++v) load -= press.force[D * v + 1];
  EXPECT_GT(contact.pairs().size(), 2u);
  EXPECT_NEAR(borne, load, 0.05 * load);
}

}  // namespace
}  // namespace firn
