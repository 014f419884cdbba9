// Smooth walls as mirrors (collision/mirror.h, mpm/mirror_fold.h).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "collision/mirror_passes.h"
#include "collision/plane_mirror.h"
#include "mpm/mirror_fold.h"

namespace firn {
namespace {

constexpr KernelKind kKernels[] = {KernelKind::linear, KernelKind::quadratic, KernelKind::cubic};

Collider floor_at(double height) {
  Collider c;
  c.meets_fluid = true;
  c.shape.kind = ShapeKind::plane;
  c.shape.center = {{0, height, 0}};
  return c;
}

// Of the node at y = `node` cells, under a floor at `height` cells.
Mirror<double, 2> mirror(KernelKind kernel, double height, int node) {
  const Collider c = floor_at(height);
  return mirror_of<double, 2>(c, kernel, 1, [&](int axis, int steps) {
    return distance_to(
        c, {{axis == 0 ? double(steps) : 0.0, axis == 1 ? node + steps : double(node), 0}});
  });
}

// Velocities of nodes 1 and 2, and of those behind a floor between nodes 0 and 1.
double velocity_at_surface(KernelKind kernel, double theta, const double* free) {
  double sum =
      detail::spline(kernel, 1 - theta) * free[0] + detail::spline(kernel, 2 - theta) * free[1];
  for (int node = 0; node >= -1; --node) {
    const Mirror<double, 2> m = mirror(kernel, theta, node);
    EXPECT_EQ(m.axis, 1);
    EXPECT_EQ(m.direction, 1);
    EXPECT_EQ(m.depth, 1 - node);
    sum += detail::spline(kernel, node - theta) * (m.across[0] * free[0] + m.across[1] * free[1]);
  }
  return sum;
}

TEST(Mirror, NothingPassesTheSurfaceWhateverFreeNodesDo) {
  for (const KernelKind kernel : kKernels)
    for (const double theta : {0.0, 0.1, 0.3, 0.5, 0.7, 0.85})
      for (const double first : {1.0, -0.4})
        for (const double second : {0.0, 2.0}) {
          const double free[2] = {first, second};
          EXPECT_NEAR(velocity_at_surface(kernel, theta, free), 0, 1e-12)
              << int(kernel) << " " << theta;
        }
}

TEST(Mirror, ContinuesAVelocityThatGrowsWithTheDistance) {
  for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic})
    for (const double theta : {0.0, 0.2, 0.5, 0.6, 0.95})
      for (int node = 0; node >= -1; --node) {
        const Mirror<double, 2> m = mirror(kernel, theta, node);
        EXPECT_NEAR(m.across[0] * (1 - theta) + m.across[1] * (2 - theta), node - theta, 1e-9)
            << theta << " " << node;
      }
}

TEST(Mirror, NodesOnTheSurfaceAreNotLeftToRounding) {
  for (const double height : {0.0, 1e-12, -1e-12}) {
    const Mirror<double, 2> m = mirror(KernelKind::quadratic, height, 0);
    EXPECT_EQ(m.axis, 1);
    EXPECT_EQ(m.own(), 1);
    EXPECT_NEAR(m.across[0], 0, 1e-9);
    EXPECT_NEAR(m.across[1], 0, 1e-9);
  }
  Contact<double, 2> slip{ContactKind::slip, 0, 0, {{0, 1}}, {{0, 0}}};
  EXPECT_EQ(resolve_contact(slip, Vec<double, 2>{{1, 2}}, 0.1)[1], 0);
}

TEST(Mirror, DeepNodesAndFreeOnesDoNotFollow) {
  EXPECT_LT(mirror(KernelKind::quadratic, 0.3, 1).axis, 0);
  EXPECT_LT(mirror(KernelKind::quadratic, 0.3, -3).axis, 0);
}

// A floor that rises by `slope`, through (0, height); cells.
Collider tilted_floor(double height, double slope) {
  Collider c = floor_at(height);
  const double angle = std::atan(slope);
  c.shape.rotation = {
      {{std::cos(angle), -std::sin(angle), 0}, {std::sin(angle), std::cos(angle), 0}, {0, 0, 1}}};
  return c;
}

// Flux through the floor where the free node number `free` above it in the column x = 0 moves
// across it, with all that follows it.
double flux(KernelKind kernel, double slope, double theta, int free) {
  const Collider c = tilted_floor(theta, slope);
  double values[6] = {0, 0, 0, 0, 0, 0};  // of the nodes -3 to 2 of the column
  values[3 + 1 + free] = 1;
  for (int node = 0; node >= -2; --node) {
    const Mirror<double, 2> m = mirror_of<double, 2>(c, kernel, 1, [&](int axis, int steps) {
      return distance_to(
          c, {{axis == 0 ? double(steps) : 0.0, axis == 1 ? node + steps : double(node), 0}});
    });
    EXPECT_EQ(m.axis, 1);
    values[3 + node] = m.across[free];
  }
  constexpr int kPoints = 2000;
  double sum = 0;
  for (int k = 0; k < kPoints; ++k) {
    const double x = (k + 0.5) / kPoints * 4 - 2;
    for (int node = -3; node <= 2; ++node)
      sum += 4.0 / kPoints * detail::spline(kernel, x) * values[3 + node] *
             detail::spline(kernel, theta + slope * x - node);
  }
  return sum;
}

// Else an even pressure would push free nodes, and water beside tilted walls would run for ever.
// With the weights of a wall along the grid it is up to 0.03.
TEST(Mirror, NoFluxThroughTiltedWalls) {
  for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic})
    for (const double slope : {0.0, 0.2, 0.36, 0.7})
      for (const double theta : {0.15, 0.4, 0.6, 0.9})
        for (int free = 0; free < 2; ++free)
          EXPECT_NEAR(flux(kernel, slope, theta, free), 0, 3e-3)
              << int(kernel) << " " << slope << " " << theta << " " << free;
}

// Mirrors of one pass share no nodes: opposite walls may act together, those of a corner may not.
TEST(Mirror, WallsThatMeetActOneAfterTheOther) {
  const Collider floor = floor_at(0);
  Collider ceiling = floor_at(40), near_ceiling = floor_at(6), wall = tilted_floor(0, 1e9);
  for (Collider* c : {&ceiling, &near_ceiling}) c->shape.inside = true;
  const std::vector<int> passes = mirror_passes({floor, ceiling, wall, near_ceiling}, 1);
  EXPECT_EQ(passes, (std::vector<int>{0, 0, 1, 2}));
  Collider rough = floor;
  rough.friction = 0.5;
  EXPECT_EQ(mirror_passes({rough}, 1), std::vector<int>{-1});
}

TEST(Mirror, RoughMovingAndStickyWallsAreNone) {
  Collider c = floor_at(0);
  c.contact = ContactKind::separate;
  EXPECT_TRUE(is_mirror(c));
  c.friction = 0.1;
  EXPECT_FALSE(is_mirror(c));
  c.friction = 0;
  c.meets_fluid = false;
  EXPECT_FALSE(is_mirror(c));
  c.meets_fluid = true;
  c.moves = true;
  EXPECT_FALSE(is_mirror(c));
  c.moves = false;
  c.contact = ContactKind::sticky;
  EXPECT_FALSE(is_mirror(c));
}

// Followers hand their momentum on by the transpose, and masses are bounded from above: no energy
// is made, whatever moves and however heavy.
TEST(Mirror, MakesNoEnergy) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const double theta = 0.499 * (1 + u(random));
    Vec<double, 2> v[4], led[2];  // nodes -1, 0, 1, 2
    double mass[4], before = 0, after = 0;
    for (int k = 0; k < 4; ++k) {
      v[k] = {{u(random), u(random)}};
      mass[k] = std::exp(2 * u(random));
      before += 0.5 * mass[k] * dot(v[k], v[k]);
    }
    Mirror<double, 2> m[2] = {mirror(KernelKind::quadratic, theta, -1),
                              mirror(KernelKind::quadratic, theta, 0)};
    for (int free = 0; free < 2; ++free) {
      using Folded = FoldedNode<double, 2>;
      MirrorFold<double, 2> fold(Folded::whole(v[2 + free], mass[2 + free]), mass[2 + free]);
      for (int k = 0; k < 2; ++k) fold.add(m[k], free, Folded::whole(v[k], mass[k]));
      led[free] = fold.node().velocity;
      after += 0.5 * mass[2 + free] * dot(led[free], led[free]);
    }
    for (int k = 0; k < 2; ++k) {
      const Vec<double, 2> follows = mirrored_velocity(m[k], v[k], led);
      after += 0.5 * mass[k] * dot(follows, follows);
    }
    EXPECT_LE(after, before * (1 + 1e-12)) << theta;
  }
}

// Half-spaces in closed form against the search that any shape takes; also on nodes, where rounding
// must not matter.
TEST(Mirror, PlanesInClosedFormAreThoseFoundNodeByNode) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  constexpr double kSpacing = 0.013;
  int followers = 0, leaders = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Collider c = floor_at(trial % 3 == 0 ? 7 * kSpacing : unit(random));
    if (trial % 2) c.contact = ContactKind::slip;
    const double angle = trial % 3 == 0 ? (trial / 3 % 4) * M_PI / 2 : unit(random) * M_PI;
    c.shape.rotation(0, 1) = -std::sin(angle);
    c.shape.rotation(1, 1) = std::cos(angle);
    c.shape.center = {{kSpacing * std::floor(9 * unit(random)), c.shape.center[1], 0}};
    if (trial % 3 == 0) c.shape.center[1] = kSpacing * std::floor(9 * unit(random));
    const PlaneMirror plane = make_plane_mirror(c, kSpacing, 2, KernelKind::quadratic);
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < 2; ++a)
      x[a] = kSpacing * std::floor(c.shape.center[a] / kSpacing + 4 * unit(random));
    const auto searched = [&](double shift) {
      return mirror_of<double, 2>(c, KernelKind::quadratic, kSpacing, [&](int axis, int steps) {
        Vec3d at = x;
        at[plane.axis] += shift * kSpacing;
        at[axis] += steps * kSpacing;
        return distance_to(c, at);
      });
    };
    const auto expect_same = [](const Mirror<double, 2>& a, const Mirror<double, 2>& b) {
      ASSERT_EQ(a.axis, b.axis);
      if (a.axis < 0) return;
      EXPECT_EQ(a.direction, b.direction);
      EXPECT_EQ(a.depth, b.depth);
      EXPECT_EQ(a.always, b.always);
      for (int j = 0; j < 2; ++j) {
        EXPECT_NEAR(a.across[j], b.across[j], 1e-9);
        EXPECT_NEAR(a.along[j], b.along[j], 1e-9);
        EXPECT_NEAR(a.normal[j], b.normal[j], 1e-15);
      }
    };
    const double place = plane.place_of(x);
    const Mirror<double, 2> m = plane_mirror_of<double, 2>(plane, KernelKind::quadratic, place);
    ASSERT_NO_FATAL_FAILURE(expect_same(m, searched(0))) << trial << " place " << place;
    followers += m.axis >= 0;
    const PlaneLead lead = plane_lead(place);
    if (lead.which < 0) continue;
    ++leaders;
    for (int depth = 1; depth <= kMirrorDepth; ++depth)
      ASSERT_NO_FATAL_FAILURE(
          expect_same(plane_follower<double, 2>(plane, KernelKind::quadratic, depth, lead.theta),
                      searched(-plane.direction * (lead.which + depth))))
          << trial << " place " << place;
  }
  EXPECT_GT(followers, 500);
  EXPECT_GT(leaders, 500);
}

}  // namespace
}  // namespace firn
