// The particles a scene starts with.
#include "scene/initial_particles.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/math.h"
#include "scene/shape_settings.h"
#include "scene_common.h"

namespace firn {
namespace {

std::vector<ObjectParticles> particles_with(const Lines& overrides,
                                            const char* text = kSmallScene) {
  const auto particles = initial_particles(scene_with(overrides, text));
  EXPECT_TRUE(particles.ok()) << (particles.ok() ? "" : particles.errors().front());
  return particles ? *particles : std::vector<ObjectParticles>{};
}

double total_mass(const ObjectParticles& particles) {
  double sum = 0;
  for (std::size_t i = 0; i < particles.size(); ++i) sum += particles.mass(i);
  return sum;
}

TEST(InitialParticles, MassIsDensityTimesVolume) {
  const auto ball = particles_with({"/objects/0/density=500"});
  EXPECT_NEAR(total_mass(ball[0]), 500 * 4.0 / 3.0 * kPi * 0.064, 1e-9);
  const auto disc = particles_with({"/objects/0/density=500"}, kFlatScene);
  EXPECT_NEAR(total_mass(disc[0]), 500 * kPi * 0.16, 1e-9);
  for (const Vec3d& x : disc[0].position) EXPECT_EQ(x[2], 0);
}

TEST(InitialParticles, ParticlesPerCellAreKept) {
  for (const char* kind : {"grid", "random", "stratified", "poisson"}) {
    const auto box = particles_with(
        {"/objects/0/shape={\"type\":\"box\",\"size\":[1,1,1],\"center\":[0,1,0]}",
         std::string("/objects/0/sampling={\"type\":\"") + kind + "\",\"particles_per_cell\":8}"});
    EXPECT_NEAR(static_cast<double>(box[0].size()), 8000, 400) << kind;
  }
}

TEST(InitialParticles, SpinGivesTheAngularMomentumOfARigidBall) {
  const auto ball = particles_with({"/objects/0/angular_velocity=[0,0,90]",
                                    "/objects/0/velocity=[3,0,0]", "/objects/0/density=1000",
                                    "/objects/0/sampling={\"type\":\"grid\",\"spacing\":0.02}"})[0];
  Vec3d momentum{}, angular{};
  for (std::size_t i = 0; i < ball.size(); ++i) {
    momentum += ball.velocity(i) * ball.mass(i);
    angular += cross(ball.position[i] - Vec3d{{0, 1, 0}}, ball.velocity(i)) * ball.mass(i);
  }
  const double mass = total_mass(ball);
  EXPECT_NEAR(momentum[0] / mass, 3, 1e-3);
  EXPECT_NEAR(angular[2], 0.4 * mass * 0.16 * kPi / 2, 0.02 * angular[2]);
}

TEST(InitialParticles, FieldsAreEvaluatedAtThePositions) {
  const auto ball =
      particles_with({"/objects/0/fields={\"J_P\":\"1 + 0.1*x\",\"mass_scale\":\"y > 1 ? 2 : 1\","
                      "\"stiffness_scale\":0.5}"})[0];
  ASSERT_EQ(ball.scalars.size(), 1u);
  EXPECT_EQ(ball.scalars[0].name, "J_P");
  const double mass = ball.density * ball.volume;
  for (std::size_t i = 0; i < ball.size(); ++i) {
    EXPECT_NEAR(ball.scalars[0].value[i], 1 + 0.1 * ball.position[i][0], 1e-14);
    EXPECT_EQ(ball.mass(i), ball.position[i][1] > 1 ? mass * 2 : mass);
    EXPECT_EQ(ball.stiffness_scale(i), 0.5);
  }
}

TEST(InitialParticles, VelocityByExpressionsHasItsGradient) {
  const auto ball = particles_with({"/objects/0/velocity=[\"2*y + x*z\",\"-x^2\",3]",
                                    "/objects/0/angular_velocity=[0,0,90]"})[0];
  const double spin = 1.5707963267948966;
  for (std::size_t i = 0; i < ball.size(); ++i) {
    const Vec3d x = ball.position[i], v = ball.velocity(i);
    EXPECT_NEAR(v[0], 2 * x[1] + x[0] * x[2] - spin * (x[1] - 1), 1e-12);
    EXPECT_NEAR(v[1], -x[0] * x[0] + spin * x[0], 1e-12);
    EXPECT_NEAR(v[2], 3, 1e-12);
    const Mat<double, 3> c = ball.velocity_gradient(i);
    const double expected[3][3] = {{x[2], 2 - spin, x[0]}, {spin - 2 * x[0], 0, 0}, {0, 0, 0}};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) EXPECT_NEAR(c(a, b), expected[a][b], 1e-8) << a << b;
  }
}

TEST(InitialParticles, ColoursByExpressions) {
  const auto ball = particles_with({"/objects/0/colors=[{\"color\":\"#102030\"}]",
                                    "/objects/0/fields={\"green\":\"y > 1\"}"})[0];
  for (std::size_t i = 0; i < ball.size(); ++i)
    EXPECT_EQ(ball.color(i), ball.position[i][1] > 1 ? 0x10ff30u : 0x100030u);
}

TEST(InitialParticles, ChunkySnowIsOneLine) {
  const auto ball =
      particles_with({"/objects/0/fields={\"J_P\":\"1 + 0.1*noise(20*x,20*y,20*z)\"}"})[0];
  ASSERT_EQ(ball.scalars.size(), 1u);
  const auto [low, high] =
      std::minmax_element(ball.scalars[0].value.begin(), ball.scalars[0].value.end());
  EXPECT_TRUE(*low > 0.9 && *low < 0.97 && *high > 1.03 && *high < 1.1);
}

TEST(InitialParticles, FieldsOutOfRangeAreRefused) {
  const auto bad = initial_particles(scene_with({"/objects/0/fields={\"mass_scale\":\"x\"}"}));
  ASSERT_FALSE(bad.ok());
  ASSERT_EQ(bad.errors().size(), 1u);
  EXPECT_EQ(bad.errors()[0].rfind("/objects/0/fields/mass_scale: must be between", 0), 0u)
      << bad.errors()[0];
  EXPECT_FALSE(initial_particles(scene_with({"/objects/0/fields={\"J_P\":\"0/0\"}"})).ok());
}

TEST(InitialParticles, ColoursFollowTheProbabilities) {
  const auto ball = particles_with(
      {"/objects/0/sampling={\"spacing\":0.02}",
       "/objects/0/colors=[{\"color\":\"#ff0000\",\"probability\":3},{\"color\":\"#0000ff\"}]"})[0];
  std::map<std::uint32_t, double> share;
  for (std::size_t i = 0; i < ball.size(); ++i) share[ball.color(i)] += 1.0 / ball.size();
  ASSERT_EQ(share.size(), 2u);
  const double deviation = std::sqrt(0.75 * 0.25 / static_cast<double>(ball.size()));
  EXPECT_NEAR(share[0xff0000], 0.75, 5 * deviation);
  EXPECT_NEAR(share[0x0000ff], 0.25, 5 * deviation);
}

TEST(InitialParticles, IdsRunOnAndSeedsSeparateObjects) {
  const std::string second =
      "/objects/-={\"material\":\"snow\",\"shape\":{\"type\":\"ball\",\"radius\":0.4,\"center\":"
      "[5,1,0]}}";
  const auto both = particles_with({second});
  EXPECT_EQ(both[0].id(0), 0u);
  EXPECT_EQ(both[1].id(0), both[0].size());
  const Vec3d shift{{5, 0, 0}};
  EXPECT_FALSE(both[1].position[0] - shift == both[0].position[0]);
  const auto again = particles_with({second});
  EXPECT_EQ(again[1].position, both[1].position);
  const auto reseeded = particles_with({second, "/seed=2"});
  EXPECT_FALSE(reseeded[1].position == both[1].position);
  const auto pinned = particles_with({second, "/seed=2", "/objects/1/seed=5"});
  EXPECT_EQ(pinned[1].position, particles_with({second, "/objects/1/seed=5"})[1].position);
}

TEST(PlacedShapes, PlanesPointAlongTheirNormal) {
  for (const Vec3d& n : {Vec3d{{0, 1, 0}}, Vec3d{{0, -2, 0}}, Vec3d{{1, 2, -3}}}) {
    ColliderShapeSettings plane;
    plane.kind = ShapeType::plane;
    plane.center = {{1, 2, 3}};
    plane.normal = n;
    const Shape shape = placed(plane, 3);
    const double length = std::sqrt(dot(n, n));
    const auto above = signed_distance(shape, plane.center + n * (2 / length));
    EXPECT_NEAR(above.distance, 2, 1e-12);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(above.normal[i], n[i] / length, 1e-12);
  }
}

TEST(PlacedShapes, SizesAreFullExtents) {
  ShapeSettings box;
  box.size = {{2, 4, 6}};
  EXPECT_NEAR(volume(placed(box, 3)), 48, 1e-12);
  EXPECT_NEAR(volume(placed(box, 2)), 8, 1e-12);
  ShapeSettings cylinder;
  cylinder.kind = ShapeType::cylinder;
  cylinder.radius = 2;
  cylinder.height = 3;
  EXPECT_NEAR(volume(placed(cylinder, 3)), 12 * kPi, 1e-10);
}

}  // namespace
}  // namespace firn
