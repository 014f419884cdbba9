// Fine grains by themselves: particles whose motion is known, and where their grains go.
#include "grains/grain_cloud.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.02, kCell = 0.04, kGravity = 9.81;

template <int D>
CoarseState<D> lattice(int along, const Vec3d& corner = Vec3d::zero()) {
  CoarseState<D> state;
  const int layers = D == 3 ? along : 1;
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < along; ++j)
      for (int k = 0; k < layers; ++k) {
        const int at[3] = {i, j, k};
        Vec<double, D> x;
        for (int a = 0; a < D; ++a) x[a] = corner[a] + (at[a] + 0.5) * kSpacing;
        state.id.push_back(state.id.size());
        state.position.push_back(x);
      }
  state.velocity.assign(state.id.size(), Vec<float, D>::zero());
  state.spacing.assign(state.id.size(), float(kSpacing));
  state.mass.assign(state.id.size(), 2);
  state.paint.assign(state.id.size(), 0x01aabbccu);
  return state;
}

template <int D>
CoarseState<D> single(const Vec3d& at, const Vec3d& velocity) {
  CoarseState<D> state;
  state.id = {7};
  state.position.resize(1);
  state.velocity.resize(1);
  for (int a = 0; a < D; ++a) {
    state.position[0][a] = at[a];
    state.velocity[0][a] = float(velocity[a]);
  }
  state.spacing = {float(kSpacing)};
  state.mass = {2};
  state.paint = {0};
  return state;
}

// Solid on the other side of the normal, which lies in the plane of x and y.
Shape half_space(const Vec3d& point, const Vec3d& normal, int dimension) {
  Shape shape;
  shape.kind = ShapeKind::plane;
  shape.center = point;
  shape.dimension = dimension;
  shape.rotation = Mat<double, 3>::identity();
  shape.rotation(0, 0) = normal[1];
  shape.rotation(1, 0) = -normal[0];
  shape.rotation(0, 1) = normal[0];
  shape.rotation(1, 1) = normal[1];
  return shape;
}

Collider wall(const Shape& shape, ContactKind kind, double friction) {
  Collider c;
  c.shape = shape;
  c.contact = kind;
  c.friction = friction;
  return c;
}

// A cloud with what surrounds it, and the motion of its particles.
template <int D>
struct Stage {
  ColliderSet obstacles;
  GrainCloud<D> cloud;
  CoarseState<D> now;
  double gravity = kGravity;

  Stage(const GrainSettings& settings, CoarseState<D> first, std::vector<Collider> walls = {},
        const typename BlockTopology<D>::Periods& periods = {})
      : obstacles(std::move(walls)),
        cloud(settings, kCell, kSpacing, periods, 0),
        now(std::move(first)) {
    obstacles.set_step(now.time, 1e-9);
    EXPECT_TRUE(cloud.start(now, obstacles));
  }
  // move(position) gives where a particle is after dt.
  template <class Move>
  void step(double dt, Move&& move) {
    CoarseState<D> next = now;
    next.time += dt;
    for (std::size_t i = 0; i < next.size(); ++i) {
      next.position[i] = move(now.position[i]);
      next.velocity[i] = ((next.position[i] - now.position[i]) * (1 / dt)).template cast<float>();
    }
    GrainSurroundings around;
    around.obstacles = &obstacles;
    around.gravity = [this](const Vec3d&, double) { return Vec3d{{0, -gravity, 0}}; };
    EXPECT_TRUE(cloud.advance(now, next, around));
    now = std::move(next);
  }
  void rest(double dt) {
    step(dt, [](const Vec<double, D>& x) { return x; });
  }
  std::vector<Vec3d> places() const {
    const PointTable table = cloud.table({"id"});
    const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
    std::vector<Vec3d> places(table.count);
    for (std::size_t i = 0; i < table.count; ++i) places[i] = {{x[i], y[i], z[i]}};
    return places;
  }
};

GrainSettings settings_of(int per_particle, GrainMethod method = GrainMethod::even) {
  GrainSettings settings;
  settings.per_particle = per_particle;
  settings.method = method;
  return settings;
}

double longest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::sqrt(dot(a[i] - b[i], a[i] - b[i])));
  return most / kSpacing;
}

template <class Dimension>
class GrainsUpdate : public ::testing::Test {};
struct Flat {
  static constexpr int kDimension = 2;
};
struct Solid {
  static constexpr int kDimension = 3;
};
using Dimensions = ::testing::Types<Flat, Solid>;
TYPED_TEST_SUITE(GrainsUpdate, Dimensions, );

// Also of those that come later.
TYPED_TEST(GrainsUpdate, SharesOfGrainsAddUpToTheirParticles) {
  constexpr int D = TypeParam::kDimension;
  Stage<D> stage(settings_of(7), lattice<D>(4));
  CoarseState<D> next = stage.now;
  next.time += 0.01;
  next.id.push_back(1000);
  next.position.push_back(next.position[0] * 50.0);
  next.velocity.push_back(next.velocity[0]);
  next.spacing.push_back(float(kSpacing / 2));
  next.mass.push_back(5);
  next.paint.push_back(0);
  GrainSurroundings around;
  around.obstacles = &stage.obstacles;
  around.gravity = [](const Vec3d&, double) { return Vec3d::zero(); };
  ASSERT_TRUE(stage.cloud.advance(stage.now, next, around));
  const PointTable table = stage.cloud.table({"mass", "volume"});
  double mass = 0, volume = 0;
  for (const double m : table.as_double("mass")) mass += m;
  for (const double v : table.as_double("volume")) volume += v;
  const double count = double(stage.now.size());
  EXPECT_NEAR(mass, 2 * count + 5, 1e-4 * mass);
  EXPECT_NEAR(volume, (count + std::pow(0.5, D)) * std::pow(kSpacing, D), 1e-4 * volume);
  EXPECT_NEAR(table.as_double("mass").back(), 5.0 / 7, 1e-5);
}

TYPED_TEST(GrainsUpdate, ABlockAtRestKeepsItsGrains) {
  constexpr int D = TypeParam::kDimension;
  Stage<D> stage(settings_of(40), lattice<D>(6));
  const auto before = stage.places();
  EXPECT_EQ(before.size(), stage.now.size() * 40);
  for (int i = 0; i < 300; ++i) stage.rest(1.0 / 30);
  EXPECT_LT(longest(before, stage.places()), 1e-4);
}

// The control of the test above.
TYPED_TEST(GrainsUpdate, AsPrintedManyGrainsOfABlockAtRestSink) {
  constexpr int D = TypeParam::kDimension;
  Stage<D> stage(settings_of(7 * (2 * D + 1), GrainMethod::printed), lattice<D>(6));
  const auto before = stage.places();
  for (int i = 0; i < 30; ++i) stage.rest(1.0 / 30);
  const auto after = stage.places();
  double sunk = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    sunk += after[i][1] < before[i][1] - 0.05 * kSpacing;
  EXPECT_GT(sunk / double(before.size()), 0.2);
}

TYPED_TEST(GrainsUpdate, GrainsTurnWithARigidBody) {
  constexpr int D = TypeParam::kDimension;
  Stage<D> stage(settings_of(30), lattice<D>(6, {{0.3, 0.1, 0}}));
  stage.gravity = 0;
  const auto before = stage.places();
  constexpr int kSteps = 50;
  const double angle = 0.5 * kPi / kSteps, c = std::cos(angle), s = std::sin(angle);
  for (int i = 0; i < kSteps; ++i)
    stage.step(0.01, [&](Vec<double, D> x) {
      const double turned = c * x[0] - s * x[1];
      x[1] = s * x[0] + c * x[1];
      x[0] = turned;
      return x;
    });
  std::vector<Vec3d> exact = before;
  for (Vec3d& x : exact) x = {{-x[1], x[0], x[2]}};
  EXPECT_LT(longest(exact, stage.places()), 0.06);
}

TYPED_TEST(GrainsUpdate, TheGrainsOfALoneParticleFlyAsBodiesDo) {
  constexpr int D = TypeParam::kDimension;
  Stage<D> stage(settings_of(30), single<D>({{0, 1, 0}}, {{1, 2, 0}}));
  const auto before = stage.places();
  constexpr int kSteps = 40;
  constexpr double kDt = 0.005;
  for (int i = 0; i < kSteps; ++i) stage.rest(kDt);  // the particle itself does not matter
  const double fall = kGravity * kDt * kDt * kSteps * (kSteps + 1) / 2;
  std::vector<Vec3d> exact = before;
  for (Vec3d& x : exact) x += Vec3d{{kSteps * kDt, 2 * kSteps * kDt - fall, 0}};
  EXPECT_LT(longest(exact, stage.places()), 1e-3);
}

TYPED_TEST(GrainsUpdate, AirLetsGrainsFallAtTheirTerminalSpeed) {
  constexpr int D = TypeParam::kDimension;
  GrainSettings settings = settings_of(5);
  settings.terminal_speed = 3;
  Stage<D> stage(settings, single<D>({{0, 0, 0}}, {{2, 0, 0}}));
  for (int i = 0; i < 600; ++i) stage.rest(0.01);
  const PointTable table = stage.cloud.table({"velocity"});
  for (const double v : table.as_double("vy")) EXPECT_NEAR(v, -3, 0.01);
  for (const double v : table.as_double("vx")) EXPECT_NEAR(v, 0, 0.01);
}

TYPED_TEST(GrainsUpdate, WallsKeepGrainsOutAndHoldNone) {
  constexpr int D = TypeParam::kDimension;
  // Thrown at a sticky wall above a floor.
  Stage<D> stage(settings_of(60), single<D>({{-0.1, 0.5, 0}}, {{3, 1, 0}}),
                 {wall(half_space({{0, 0, 0}}, {{-1, 0, 0}}, D), ContactKind::sticky, 0),
                  wall(half_space({{0, 0, 0}}, {{0, 1, 0}}, D), ContactKind::separate, 0.5)});
  for (int i = 0; i < 200; ++i) {
    stage.rest(0.01);
    for (const Vec3d& x : stage.places()) {
      ASSERT_LE(x[0], 0);
      ASSERT_GE(x[1], 0);
    }
  }
  for (const Vec3d& x : stage.places()) EXPECT_LT(x[1], 1e-3 * kSpacing);
}

TYPED_TEST(GrainsUpdate, GrainsStartOutsideOfWalls) {
  constexpr int D = TypeParam::kDimension;
  // The particles lie a fifth of their spacing above the floor.
  Stage<D> stage(settings_of(60), lattice<D>(5, {{0, -0.3 * kSpacing, 0}}),
                 {wall(half_space({{0, 0, 0}}, {{0, 1, 0}}, D), ContactKind::separate, 0.5)});
  for (const Vec3d& x : stage.places()) EXPECT_GT(x[1], 0);
}

TYPED_TEST(GrainsUpdate, PeriodsAndDistantPlacesChangeNothing) {
  constexpr int D = TypeParam::kDimension;
  constexpr int kEdge = BlockShape<D>::kEdge;
  typename BlockTopology<D>::Periods periods{};
  periods[0] = {0, 4};
  const double length = 4 * kEdge * kCell, far = 4000 * kEdge * kCell;
  Stage<D> here(settings_of(20), lattice<D>(5)), round(settings_of(20), lattice<D>(5), {}, periods),
      there(settings_of(20), lattice<D>(5, {{far, 0, 0}}));
  for (int i = 0; i < 60; ++i) {
    here.step(0.01, [&](Vec<double, D> x) { return x[0] += 0.2 * kSpacing, x; });
    there.step(0.01, [&](Vec<double, D> x) { return x[0] += 0.2 * kSpacing, x; });
    round.step(0.01, [&](Vec<double, D> x) {
      x[0] += 0.2 * kSpacing;
      if (x[0] >= length) x[0] -= length;
      return x;
    });
  }
  const auto a = here.places(), b = round.places(), c = there.places();
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(std::remainder(a[i][0] - b[i][0], length), 0, 2e-4 * kSpacing);
    // Frames have floats of places in the world.
    EXPECT_NEAR(c[i][0] - far, a[i][0], 0.03 * kSpacing);
    EXPECT_NEAR(c[i][1], a[i][1], 1e-3 * kSpacing);
  }
}

TYPED_TEST(GrainsUpdate, TheSameBytesForAnyNumberOfThreads) {
  constexpr int D = TypeParam::kDimension;
  const int before = thread_count();
  std::vector<std::vector<Vec3d>> ends;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    Stage<D> stage(settings_of(25), lattice<D>(8));
    for (int i = 0; i < 20; ++i)
      stage.step(0.01, [&](Vec<double, D> x) {
        x[0] += 0.1 * x[1] + 0.02 * std::sin(40 * x[1]) * x[0];
        return x;
      });
    ends.push_back(stage.places());
  }
  set_thread_count(before);
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TYPED_TEST(GrainsUpdate, IdsPaintAndSinks) {
  constexpr int D = TypeParam::kDimension;
  Stage<D> stage(settings_of(10), lattice<D>(4));
  const PointTable table = stage.cloud.table({"id", "material", "color"});
  const auto ids = table.as<std::uint32_t>("id");
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], i);
  EXPECT_EQ(table.as<int>("material").front(), 1);
  EXPECT_EQ(table.as<int>("red").front(), 0xaa);
  stage.cloud.remove_inside({half_space({{0, 2 * kSpacing, 0}}, {{0, 1, 0}}, D)});
  const auto y = table.as_double("y");
  EXPECT_EQ(std::int64_t(stage.cloud.size()),
            std::count_if(y.begin(), y.end(), [](double at) { return at > 2 * kSpacing; }));
  EXPECT_NEAR(double(stage.cloud.size()), 0.5 * double(table.count), 0.05 * double(table.count));
  for (const Vec3d& x : stage.places()) EXPECT_GE(x[1], 2 * kSpacing);
}

TYPED_TEST(GrainsUpdate, AGrainTakesNoMoreThan48Bytes) {
  constexpr int D = TypeParam::kDimension;
  Stage<D> stage(settings_of(70), lattice<D>(D == 3 ? 20 : 90));
  for (int i = 0; i < 3; ++i)
    stage.step(0.01, [&](Vec<double, D> x) { return x[0] += kSpacing, x; });
  EXPECT_LE(double(stage.cloud.bytes()) / double(stage.cloud.size()), 48);
}

}  // namespace
}  // namespace firn
