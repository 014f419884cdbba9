// Elastic energy of cells: derivatives against differences in states from rest to tangled, what
// motions leave free of stress, states of constant strain.
#include "fem/elastic_cells.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "fem_common.h"

namespace firn {
namespace {

template <int D>
std::array<int, D> two_a_side() {
  std::array<int, D> n;
  n.fill(2);
  return n;
}

template <int D>
struct Block {
  Block(const SolidUnderTest& solid, int order, double size = 0.5)
      : body(body_of<D>(cut_cubes<D>(two_a_side<D>(), size), order)),
        rest(rest_places(body)),
        cells(make_elastic_cells(body, body.cells, solid.parameters, body.rest.size())),
        pattern(body.rest.size(), {body.cells}, {nodes_of_cell(D, order)}) {
    cells->use(pattern);
    cells->begin_step(1e-3);
  }
  std::vector<double> forces(const std::vector<double>& x) const {
    std::vector<double> g(x.size(), 0);
    cells->energy(x.data(), g.data());
    return g;
  }
  double energy(const std::vector<double>& x) const {
    std::vector<double> g(x.size(), 0);
    return cells->energy(x.data(), g.data());
  }
  std::vector<double> product(const std::vector<double>& x, const std::vector<double>& d,
                              bool definite) const {
    BlockMatrix<D> matrix = pattern.zeros();
    cells->add_stiffness(x.data(), definite, 1, matrix);
    std::vector<double> out(d.size(), 0);
    matrix.product(d.data(), out.data());
    return out;
  }

  FemBody<D> body;
  std::vector<double> rest;
  std::unique_ptr<ElasticCells<D>> cells;
  BlockMatrix<D> pattern;
};

double dot_of(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double length_of(const std::vector<double>& a) {
  return std::sqrt(dot_of(a, a));
}
std::vector<double> moved(std::vector<double> x, double by, const std::vector<double>& d) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += by * d[k];
  return x;
}

template <int D>
void expect_derivatives(const Block<D>& block, const std::vector<double>& x) {
  const std::vector<double> d = shaken(std::vector<double>(x.size(), 0), 1, 7);
  constexpr double h = 1e-6;
  const std::vector<double> ahead = moved(x, h, d), behind = moved(x, -h, d);
  const std::vector<double> g = block.forces(x);
  const double scale = length_of(g) * length_of(d);
  EXPECT_NEAR((block.energy(ahead) - block.energy(behind)) / (2 * h), dot_of(g, d),
              1e-6 * scale + 1e-6);
  const std::vector<double> product = block.product(x, d, false);
  std::vector<double> off = moved(block.forces(ahead), -1, block.forces(behind));
  for (std::size_t k = 0; k < off.size(); ++k) off[k] = off[k] / (2 * h) - product[k];
  EXPECT_LT(length_of(off), 2e-5 * length_of(product) + 1e-6);
}

// Each state a body may be in: how far nodes are off, as a share of a cell's edge, and what all
// coordinates are scaled by.
struct State {
  double off, scale;
};

template <int D>
void check_all_solids(int order) {
  for (const SolidUnderTest& solid : solids_under_test()) {
    SCOPED_TRACE(model_name(static_cast<int>(solid.parameters.index())));
    const Block<D> block(solid, order);
    std::vector<State> states = {{0.01, 1}, {0.08, 1}};
    if (solid.inverts) states.insert(states.end(), {{1, 1}, {0.2, 0.05}, {3, 0}});
    for (const State& state : states) {
      std::vector<double> x = block.rest;
      for (double& c : x) c *= state.scale;
      expect_derivatives(block, shaken(x, state.off * 0.5, 3));
    }
  }
}

TEST(FemCells, DerivativesMatchDifferences2dLinear) {
  check_all_solids<2>(1);
}
TEST(FemCells, DerivativesMatchDifferences3dLinear) {
  check_all_solids<3>(1);
}
TEST(FemCells, DerivativesMatchDifferences2dQuadratic) {
  check_all_solids<2>(2);
}
TEST(FemCells, DerivativesMatchDifferences3dQuadratic) {
  check_all_solids<3>(2);
}

// Turned and moved bodies have no forces; differences of energy are of rounding alone.
template <int D>
void expect_objective(int order) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (const SolidUnderTest& solid : solids_under_test()) {
    const Block<D> block(solid, order);
    std::vector<double> x = block.rest;
    for (std::size_t k = 0; k < x.size(); k += D) {
      const double a = x[k], b = x[k + 1];
      x[k] = c * a - s * b + 3;
      x[k + 1] = s * a + c * b - 1;
    }
    EXPECT_LT(length_of(block.forces(x)), 1e-10);
    EXPECT_LT(block.energy(x), 1e-20);
  }
}

TEST(FemCells, RigidMotionsCostNothing) {
  for (int order : {1, 2}) {
    expect_objective<2>(order);
    expect_objective<3>(order);
  }
}

// Total force and total moment are zero in whatever state.
TEST(FemCells, ForcesBetweenNodesAddUpToNothing) {
  for (const SolidUnderTest& solid : solids_under_test()) {
    const Block<3> block(solid, 2);
    const std::vector<double> x = shaken(block.rest, 0.04, 5);
    const std::vector<double> g = block.forces(x);
    Vec3d force = Vec3d::zero(), moment = Vec3d::zero();
    for (std::size_t k = 0; k < x.size(); k += 3) {
      const Vec3d f{{g[k], g[k + 1], g[k + 2]}}, at{{x[k], x[k + 1], x[k + 2]}};
      force += f;
      moment += cross(at, f);
    }
    EXPECT_LT(std::sqrt(dot(force, force)), 1e-10 * length_of(g));
    EXPECT_LT(std::sqrt(dot(moment, moment)), 1e-10 * length_of(g));
  }
}

// Affine places: a node inside is in balance whatever the mesh around it looks like.
template <int D>
void expect_patch(int order) {
  for (const SolidUnderTest& solid : solids_under_test()) {
    Block<D> block(solid, order);
    SimplexMesh<D> mesh = cut_cubes<D>(two_a_side<D>(), 0.5);
    constexpr std::size_t kInside = D == 2 ? 4 : 13;
    for (int a = 0; a < D; ++a) mesh.points[kInside][a] += 0.05 * (a + 1);
    block.body = body_of<D>(mesh, order);
    block.cells =
        make_elastic_cells(block.body, block.body.cells, solid.parameters, block.body.rest.size());
    block.cells->begin_step(1e-3);
    std::vector<double> x;
    for (const auto& p : block.body.rest)
      for (int a = 0; a < D; ++a) x.push_back(1.1 * p[a] + 0.2 * p[(a + 1) % D]);
    const std::vector<double> g = block.forces(x);
    double inside = 0;
    for (int a = 0; a < D; ++a)
      inside = std::max(inside, std::abs(g[kInside * D + std::size_t(a)]));
    EXPECT_GT(length_of(g), 1);
    EXPECT_LT(inside, 1e-11 * length_of(g));
  }
}

TEST(FemCells, ConstantStrainLeavesInnerNodesInBalance) {
  for (int order : {1, 2}) {
    expect_patch<2>(order);
    expect_patch<3>(order);
  }
}

TEST(FemCells, DefiniteStiffnessNeverBendsDown) {
  for (const SolidUnderTest& solid : solids_under_test()) {
    if (!solid.inverts) continue;
    SCOPED_TRACE(model_name(static_cast<int>(solid.parameters.index())));
    const Block<3> block(solid, 1);
    std::vector<double> x = block.rest;
    for (double& c : x) c *= 0.3;
    x = shaken(x, 0.1, 11);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const std::vector<double> d = shaken(std::vector<double>(x.size(), 0), 1, seed);
      EXPECT_GE(dot_of(d, block.product(x, d, true)), 0);
    }
    const std::vector<double> d = shaken(std::vector<double>(x.size(), 0), 1, 99);
    EXPECT_GT(length_of(moved(block.product(x, d, true), -1, block.product(x, d, false))), 1);
  }
}

// Energy of a small stretch is that of Hooke's law in all models.
TEST(FemCells, SmallStretchIsHookes) {
  constexpr double kStrain = 1e-5;
  for (const SolidUnderTest& solid : solids_under_test())
    for (int order : {1, 2}) {
      const Block<3> block(solid, order);
      std::vector<double> x = block.rest;
      for (std::size_t k = 0; k < x.size(); k += 3) x[k] *= 1 + kStrain;
      const double modulus = 1000 * (1 - 0.3) / ((1 + 0.3) * (1 - 2 * 0.3));
      EXPECT_NEAR(block.energy(x), 0.5 * modulus * kStrain * kStrain, 1e-3 * modulus * 1e-10);
      const CellValues values = block.cells->values(x.data()).front();
      EXPECT_NEAR(values.stress[0], modulus * kStrain,
                  3e-3 * modulus * kStrain);  // relaxed by dt / T
      EXPECT_NEAR(values.volume_ratio, 1 + kStrain, 1e-12);
    }
}

}  // namespace
}  // namespace firn
