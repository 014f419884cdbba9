// Nothing passes a wall: a million particles against every kind of obstacle, each as a closed shell
// one grid cell thick, at rest and moving. Particles fly straight on and only the guard stops them,
// at up to one cell a step: a harder case than a simulation, where the grid brakes them too.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "collision/collider_set.h"
#include "collision/sweep.h"
#include "exec/parallel.h"
#include "geometry/bitmap_field.h"
#include "geometry/mesh_field.h"

namespace firn {
namespace {

constexpr double kCell = 0.02;
constexpr int kParticles = 1'000'000, kSteps = 6;

Shape primitive(ShapeKind kind, const Vec3d& size) {
  Shape shape;
  shape.kind = kind;
  shape.size = size;
  return shape;
}

// A solid and its hollow, a cell smaller all around.
struct Vessel {
  std::string name;
  Shape outside, hollow;

  Shape wall() const { return make_compound(SetOperation::subtract, {outside, hollow}, 3); }
};

Vessel vessel(const std::string& name, ShapeKind kind, const Vec3d& inner, const Vec3d& outer) {
  return {name, primitive(kind, outer), primitive(kind, inner)};
}

std::vector<Vessel> vessels() {
  const double c = kCell;
  return {
      vessel("box", ShapeKind::box, {{.09, .07, .08}}, {{.09 + c, .07 + c, .08 + c}}),
      vessel("ball", ShapeKind::ball, {{.09, .09, .09}}, {{.09 + c, .09 + c, .09 + c}}),
      vessel("cylinder", ShapeKind::cylinder, {{.07, .09, 0}}, {{.07 + c, .09 + c, 0}}),
      vessel("capsule", ShapeKind::capsule, {{.06, .05, 0}}, {{.06 + c, .05, 0}}),
      vessel("cone", ShapeKind::cone, {{.09, .09, .02}}, {{.09 + 1.6 * c, .09 + c, .02 + 1.6 * c}}),
      vessel("torus", ShapeKind::torus, {{.15, .06, 0}}, {{.15, .06 + c, 0}}),
      vessel("ellipsoid", ShapeKind::ellipsoid, {{.1, .06, .08}}, {{.1 + c, .06 + c, .08 + c}}),
  };
}

Collider separate(const Shape& shape) {
  Collider c;
  c.shape = shape;
  return c;
}

// Points of the hollow, well inside; velocities of up to one cell a step in all directions.
struct Swarm {
  std::vector<Vec3d> position, velocity;

  Swarm(const Shape& hollow, int count) : position(count), velocity(count) {
    const Vec3d half = half_extents(hollow);
    parallel_for("swarm", count, 4096, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        RandomStream random(7, static_cast<std::uint64_t>(i));
        do
          for (int a = 0; a < 3; ++a) position[i][a] = half[a] * (2 * random.next_double() - 1);
        while (signed_distance(hollow, position[i]).distance > -0.1 * kCell);
        Vec3d v;
        do
          for (int a = 0; a < 3; ++a) v[a] = 2 * random.next_double() - 1;
        while (dot(v, v) > 1 || dot(v, v) < 1e-4);
        velocity[i] = v * (kCell * (0.1 + 0.9 * random.next_double()) / std::sqrt(dot(v, v)));
      }
    });
  }
};

// Flies the swarm through the set; afterwards `outside(x)` says whether a particle has escaped.
template <class Outside>
std::int64_t escaped(Swarm& swarm, ColliderSet& set, Outside outside) {
  std::vector<int> all(set.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  for (int step = 0; step < kSteps; ++step) {
    set.set_step(step, 1);
    parallel_for("fly", kParticles, 4096, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        Vec3d to = swarm.position[i] + swarm.velocity[i];
        keep_out(set.all().data(), all.data(), static_cast<int>(all.size()), swarm.position[i], to,
                 kCell);
        // As a particle of 32 bits is stored, in cells of its block.
        for (int a = 0; a < 3; ++a) {
          const double block = std::floor(to[a] / (4 * kCell)) * 4;
          to[a] = (block + double(float(to[a] / kCell - block))) * kCell;
        }
        swarm.position[i] = to;
      }
    });
  }
  std::int64_t count = 0;
  for (const Vec3d& x : swarm.position) count += outside(x);
  return count;
}

// A tumble of up to half a cell a step at the rim, besides a walk along x.
std::shared_ptr<const BodyMotion> tumbling() {
  auto motion = std::make_shared<BodyMotion>();
  motion->smooth = false;
  motion->keys = {{0, {{0, 0, 0}}, {{0, 0, 0}}, 1},
                  {kSteps / 2.0, {{2 * kCell, -1 * kCell, 0}}, {{12, 8, -10}}, 1.02},
                  {double(kSteps), {{0, 1 * kCell, 1 * kCell}}, {{-6, 12, 9}}, 0.98}};
  return motion;
}

TEST(Leaks, ClosedVesselsAtRestHoldAMillionParticles) {
  for (const Vessel& vessel : vessels()) {
    Swarm swarm(vessel.hollow, kParticles);
    ColliderSet set({separate(vessel.wall())});
    EXPECT_EQ(escaped(swarm, set,
                      [&](const Vec3d& x) {
                        return !(signed_distance(vessel.hollow, x).distance < 0.01 * kCell);
                      }),
              0)
        << vessel.name;
  }
}

TEST(Leaks, TumblingVesselsHoldAMillionParticles) {
  const auto motion = tumbling();
  for (const Vessel& vessel : vessels()) {
    Swarm swarm(vessel.hollow, kParticles);
    ColliderSet set;
    set.add(separate(vessel.wall()), motion, nullptr);
    const Pose end = motion->at(kSteps);
    EXPECT_EQ(
        escaped(swarm, set,
                [&](const Vec3d& x) {
                  return !(signed_distance(vessel.hollow, end.to_body(x)).distance < 0.01 * kCell);
                }),
        0)
        << vessel.name;
  }
}

TEST(Leaks, CornersOfPlanesAndOfContainersHold) {
  const Shape hollow = primitive(ShapeKind::box, {{.06, .06, .06}});
  Shape container = hollow;
  container.inside = true;
  container.rotation = rotation_from_degrees({{20, 30, 40}});
  std::vector<Collider> walls;
  for (const Shape& wall : walls_of(container)) walls.push_back(separate(wall));
  Swarm swarm(hollow, kParticles);
  for (Vec3d& x : swarm.position) x = container.rotation * x;
  for (Vec3d& v : swarm.velocity) v = container.rotation * v;
  ColliderSet set(walls);
  EXPECT_EQ(escaped(swarm, set,
                    [&](const Vec3d& x) {
                      return signed_distance(container, x).distance < -0.01 * kCell;
                    }),
            0);
}

// A blade of one cell swept through a vessel: what was before it stays before it. Beyond the walls,
// and flush with them, where its ends are nearer than its face.
class Blade : public ::testing::TestWithParam<double> {};

TEST_P(Blade, FastAsItIsLetsNothingBy) {
  const Shape hollow = primitive(ShapeKind::box, {{.06, .06, .06}});
  Shape container = hollow;
  container.inside = true;
  ColliderSet set;
  for (const Shape& wall : walls_of(container)) set.add(separate(wall), nullptr, nullptr);
  Shape blade = primitive(ShapeKind::box, {{0.5 * kCell, GetParam(), GetParam()}});
  blade.center = {{-.06 - kCell, 0, 0}};
  auto motion = std::make_shared<BodyMotion>();
  motion->smooth = false;
  motion->keys = {{0, {{0, 0, 0}}, {{0, 0, 0}}, 1},
                  {double(kSteps), {{0.5 * kCell * kSteps, 0, 0}}, {{0, 0, 0}}, 1}};
  set.add(separate(blade), motion, nullptr);
  Swarm swarm(hollow, kParticles);
  const double face = blade.center[0] + 0.5 * kCell * kSteps + 0.5 * kCell;
  std::int64_t swept = 0;
  for (const Vec3d& x : swarm.position) swept += x[0] < face;
  EXPECT_GT(swept, kParticles / 8);
  EXPECT_EQ(escaped(swarm, set,
                    [&](const Vec3d& x) {
                      return x[0] < face - 0.01 * kCell ||
                             signed_distance(container, x).distance < -0.01 * kCell;
                    }),
            0);
}

INSTANTIATE_TEST_SUITE_P(WiderAndFlush, Blade, ::testing::Values(.3, .06));

// A rotor whose two blades are one cell thick: seen from the blades nothing changes sides.
TEST(Leaks, ARotorKeepsWhatIsBetweenItsBlades) {
  const Shape one = primitive(ShapeKind::box, {{.6, 0.5 * kCell, .6}});
  const Shape other = primitive(ShapeKind::box, {{0.5 * kCell, .6, .6}});
  auto motion = std::make_shared<BodyMotion>();
  motion->smooth = false;
  motion->keys = {{0, {{0, 0, 0}}, {{0, 0, 0}}, 1}, {double(kSteps), {{0, 0, 0}}, {{0, 0, 12}}, 1}};
  ColliderSet set;
  set.add(separate(make_compound(SetOperation::unite, {one, other}, 3)), motion, nullptr);
  Shape quarter = primitive(ShapeKind::box, {{.05, .05, .1}});
  Swarm swarm(quarter, kParticles);
  for (Vec3d& x : swarm.position) x += Vec3d{{.065, .065, 0}};
  const Pose end = motion->at(kSteps);
  EXPECT_EQ(escaped(swarm, set,
                    [&](const Vec3d& x) {
                      const Vec3d q = end.to_body(x);
                      // Around the rim of a blade is a way; that far nothing gets.
                      return !(q[0] > 0.49 * kCell && q[1] > 0.49 * kCell) && q[0] < .55 &&
                             q[1] < .55;
                    }),
            0);
}

TEST(Leaks, SampledShapesHold) {
  // A box shell as a mesh: outer faces and, turned round, inner ones.
  TriangleMesh mesh;
  for (const double half : {.07 + kCell, .07}) {
    const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int corner = 0; corner < 8; ++corner)
      mesh.vertices.push_back(
          {{corner & 1 ? half : -half, corner & 2 ? half : -half, corner & 4 ? half : -half}});
    const std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& f : faces)
      for (const auto& t : {std::array<int, 3>{0, 1, 2}, std::array<int, 3>{0, 2, 3}}) {
        std::array<std::uint32_t, 3> triangle{base + f[t[0]], base + f[t[1]], base + f[t[2]]};
        if (half == .07) std::swap(triangle[1], triangle[2]);
        mesh.triangles.push_back(triangle);
      }
  }
  const auto field = mesh_distance_field(mesh, 0.5 * kCell);
  ASSERT_TRUE(field.ok());
  const Shape wall = make_field_shape(std::make_shared<const DistanceField>(*field), 1, 0, 3);
  const Shape hollow = primitive(ShapeKind::box, {{.07, .07, .07}});
  for (const bool moves : {false, true}) {
    Swarm swarm(primitive(ShapeKind::box, {{.065, .065, .065}}), kParticles);
    ColliderSet set;
    const auto motion = moves ? tumbling() : nullptr;
    set.add(separate(wall), motion, nullptr);
    const Pose end = moves ? motion->at(kSteps) : Pose{};
    EXPECT_EQ(escaped(swarm, set,
                      [&](const Vec3d& x) {
                        return !(signed_distance(hollow, end.to_body(x)).distance < 0.5 * kCell);
                      }),
              0)
        << moves;
  }
}

TEST(Leaks, ADeformingVesselHolds) {
  const Shape inner = primitive(ShapeKind::ball, {{.1, .1, .1}}),
              flat = primitive(ShapeKind::ellipsoid, {{.115, .085, .1}});
  const auto shell = [](Shape shape, double more) {
    Shape outer = shape;
    outer.size = shape.size + Vec3d::fill(more);
    return make_compound(SetOperation::subtract, {outer, shape}, 3);
  };
  auto keys = std::make_shared<std::vector<ShapeKey>>();
  keys->push_back({0, shell(inner, 2 * kCell)});
  keys->push_back({double(kSteps), shell(flat, 2 * kCell)});
  ColliderSet set;
  set.add(separate((*keys)[0].shape), nullptr, keys);
  Swarm swarm(inner, kParticles);
  EXPECT_EQ(
      escaped(swarm, set,
              [&](const Vec3d& x) { return !(signed_distance(flat, x).distance < 0.05 * kCell); }),
      0);
}

// The control: without the guard nearly all of them are gone.
TEST(Leaks, WithoutTheGuardParticlesEscape) {
  const Vessel vessel = vessels()[0];
  Swarm swarm(vessel.hollow, kParticles);
  ColliderSet nothing;
  EXPECT_GT(escaped(swarm, nothing,
                    [&](const Vec3d& x) { return signed_distance(vessel.hollow, x).distance > 0; }),
            kParticles / 8);
}

}  // namespace
}  // namespace firn
