// Smooth walls in implicit steps (mpm/implicit_mirror.h): force goes back by the transpose of how
// velocity spreads, the objective has the gradient and Hessian of what follows, and walls along the
// grid let nothing through in corners.
#include <gtest/gtest.h>

#include <random>

#include "cases/random_particles.h"
#include "mpm/implicit_objective.h"

namespace firn {
namespace {

constexpr double kDt = 2e-3, kFloor = 0.11, kWall = -0.02;

Collider wall(const Vec3d& point, double degrees) {
  Collider c;
  c.meets_fluid = true;
  c.shape.kind = ShapeKind::plane;
  c.shape.center = point;
  c.shape.rotation = rotation_from_degrees({{0, 0, degrees}});
  c.contact = ContactKind::slip;
  return c;
}

// Water in the corner between a floor and a wall.
template <int D>
struct Corner {
  using Nodes = typename NodeSpace<double, D>::Vector;

  MpmState<double, D> state;
  StepContext<double, D> ctx = scheme_context<double, D>(TransferKind::mls, kDt, 0.9);
  Operators<double, D> operators{KernelKind::quadratic, TransferKind::mls};
  ColliderSet obstacles;
  ContactMap<D> map;
  MirrorMap<D> mirrors;
  Buffer<double> mass;
  Nodes free;
  FollowingNodes<double, D> following;
  NodeContactSet<double, D> contacts;
  std::mt19937 random{5};

  explicit Corner(double degrees)
      : obstacles(std::vector<Collider>{wall({{kWall, kFloor, 0}}, degrees),
                                        wall({{kWall, kFloor, 0}}, degrees - 90)}) {
    std::vector<std::vector<Vec3d>> world;
    add_box<double, D>(state, world, Fluid::Parameters(), D == 3 ? 5 : 9, {{kWall, kFloor, 0.3}},
                       swirl, Mat<double, D>::zero());
    sort_boxes(state, world, KernelKind::quadratic);
    obstacles.set_step(0, kDt);
    map.build(state.blocks, obstacles, kTestSpacing, state.shift, 1);
    mirrors.build(state.blocks, obstacles.all(), map, kTestSpacing, KernelKind::quadratic);
    find_nodes(operators, ctx, state, mass, free);
    following.build(mirrors, mass, free, 0);
  }
  Nodes random_nodes(const Buffer<double>& where) {
    std::uniform_real_distribution<double> unit(-1, 1);
    Nodes v(where.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = Node<double>(0);
      for (int a = 0; a < D && where[i] > 0; ++a) v[i].set(a, unit(random));
    }
    return v;
  }
  static double product(const Nodes& a, const Nodes& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (int c = 0; c < D; ++c) sum += a[i][c] * b[i][c];
    return sum;
  }
  Nodes plus(const Nodes& v, const Nodes& d, double step) const {
    Nodes sum = v;
    for (std::size_t i = 0; i < v.size(); ++i) sum[i] = v[i] + d[i] * Node<double>(step);
    return sum;
  }
};

template <int D>
void expect_transpose(double degrees) {
  Corner<D> corner(degrees);
  ASSERT_FALSE(corner.following.empty());
  auto u = corner.random_nodes(corner.following.weights());
  corner.following.keep_free(u);
  auto f = corner.random_nodes(corner.mass), v = u, folded = f;
  corner.following.spread(v);
  corner.following.fold(folded);
  EXPECT_GT(std::abs(corner.product(v, f) - corner.product(u, f)), 1e-3);  // nodes do follow
  EXPECT_NEAR(corner.product(v, f), corner.product(u, folded), 1e-10);
}

TEST(ImplicitMirror, ForceGoesBackByTheTranspose) {
  for (const double degrees : {0.0, 20.0, -35.0}) {
    SCOPED_TRACE(degrees);
    expect_transpose<2>(degrees);
    expect_transpose<3>(degrees);
  }
}

template <int D>
void expect_gradient(double degrees) {
  Corner<D> corner(degrees);
  const NodeSpace<double, D> space(corner.following.weights());
  ImplicitObjective<double, D> objective(space, corner.ctx, corner.state, corner.operators, true,
                                         corner.free, corner.contacts, PreconditionerKind::blocks,
                                         &corner.following);
  auto v = corner.random_nodes(space.mass()), d = corner.random_nodes(space.mass());
  corner.following.keep_free(v);
  corner.following.keep_free(d);
  const auto energy = [&](double s) { return objective.objective(corner.plus(v, d, s)); };
  const double step = 1e-3;
  const double slope =
      ((energy(step) - energy(-step)) * 8 - (energy(2 * step) - energy(-2 * step))) / (12 * step);
  auto g = space.make(), before = space.make(), after = space.make(), product = space.make();
  objective.residual(v, g);
  EXPECT_NEAR(space.dot(g, d), slope, 1e-7 * std::abs(slope));
  objective.residual(corner.plus(v, d, -step), before);
  objective.residual(corner.plus(v, d, step), after);
  objective.residual(v, g);
  objective.linearize(v);
  objective.hessian(d, product);
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < g.size(); ++i)
    for (int a = 0; a < D; ++a) {
      worst = std::max(worst, std::abs((after[i][a] - before[i][a]) / (2 * step) - product[i][a]));
      largest = std::max(largest, std::abs(product[i][a]));
    }
  EXPECT_LT(worst, 1e-4 * largest);
}

TEST(ImplicitMirror, GradientAndHessianAreThoseOfWhatFollows) {
  expect_gradient<2>(0);
  expect_gradient<2>(20);
  expect_gradient<3>(20);
}

// The velocity that particles see at the surfaces, between the nodes.
TEST(ImplicitMirror, NothingPassesWallsAlongTheGridInACorner) {
  Corner<2> corner(0);
  // Particles may leave out nodes that count at the surface.
  for (std::size_t i = 0; i < corner.mass.size(); ++i) corner.mass[i] = 1;
  corner.following.build(corner.mirrors, corner.mass, corner.free, 0);
  auto u = corner.random_nodes(corner.following.weights());
  corner.following.keep_free(u);
  auto stopped = u;
  corner.following.spread(u);
  const auto velocity = [&](const auto& nodes, double x, double y, int axis) {
    double sum = 0;
    for (int slot = 0; slot < corner.state.blocks.size(); ++slot)
      for (int i = 0; i < BlockShape<2>::kNodes; ++i) {
        const Vec3d at = node_position<2>(corner.state.blocks.coord(slot), i, kTestSpacing);
        sum += nodes[std::size_t(slot) * BlockShape<2>::kNodes + i][axis] *
               detail::spline(KernelKind::quadratic, (x - at[0]) / kTestSpacing) *
               detail::spline(KernelKind::quadratic, (y - at[1]) / kTestSpacing);
      }
    return sum;
  };
  for (const double along : {0.0, 0.2, 0.9, 1.7}) {
    const double x = kWall + along * kTestSpacing, y = kFloor + along * kTestSpacing;
    EXPECT_NEAR(velocity(u, x, kFloor, 1), 0, 1e-12) << along;
    EXPECT_NEAR(velocity(u, kWall, y, 0), 0, 1e-12) << along;
    EXPECT_GT(std::abs(velocity(stopped, x, kFloor, 1)), 1e-6);
  }
}

}  // namespace
}  // namespace firn
