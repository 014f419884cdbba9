// Periodic directions: a body that crosses the seam moves as one that never meets it.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/case_tools.h"
#include "particles/blocks.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05;

double length(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

// Positions in cells and velocities, by id, at full precision.
template <int D>
struct Motion {
  std::vector<Vec3d> position, velocity;

  explicit Motion(const World& world) {
    const StateImage image = world.save();
    const auto& keys = std::get<std::vector<std::uint64_t>>(image.arrays.at("blocks"));
    for (std::size_t s = 0; image.arrays.count("set" + std::to_string(s) + "/begin"); ++s) {
      const std::string set = "set" + std::to_string(s) + "/";
      const auto column = [&](const std::string& name) -> const std::vector<double>& {
        return std::get<std::vector<double>>(image.arrays.at(set + name));
      };
      const auto& begin = std::get<std::vector<std::uint32_t>>(image.arrays.at(set + "begin"));
      const auto& id = std::get<std::vector<std::uint64_t>>(image.arrays.at(set + "id0"));
      for (std::size_t b = 0; b < keys.size(); ++b)
        for (std::uint32_t p = begin[b]; p < begin[b + 1]; ++p) {
          if (position.size() <= id[p]) position.resize(id[p] + 1), velocity.resize(id[p] + 1);
          for (int a = 0; a < D; ++a) {
            position[id[p]][a] = double(morton_coord<D>(keys[b])[a]) * BlockShape<D>::kEdge +
                                 column("position" + std::to_string(a))[p];
            velocity[id[p]][a] = column("velocity" + std::to_string(a))[p];
          }
        }
    }
  }
};

// Largest difference of positions modulo the periods (cells), and of velocities (m/s).
template <int D>
Vec3d difference(const World& a, const World& b, const Vec3d& period, const Vec3d& shift) {
  const Motion<D> x(a), y(b);
  EXPECT_EQ(x.position.size(), y.position.size());
  Vec3d worst{{0, 0, 0}};
  for (std::size_t i = 0; i < x.position.size(); ++i)
    for (int k = 0; k < D; ++k) {
      double d = x.position[i][k] + shift[k] - y.position[i][k];
      if (period[k] > 0) d -= period[k] * std::round(d / period[k]);
      worst[0] = std::max(worst[0], std::abs(d));
      worst[1] = std::max(worst[1], std::abs(x.velocity[i][k] - y.velocity[i][k]));
      worst[2] = std::max(worst[2], std::abs(x.position[i][k] - y.position[i][k]));
    }
  return worst;
}

// A spinning, wobbling body on its way in every direction.
SceneSettings thrown_body(int dimension, TransferKind transfer, KernelKind kernel) {
  SceneSettings scene = case_scene(dimension, kSpacing, 50);
  scene.mpm.transfer = transfer;
  scene.mpm.kernel = kernel;
  const int rubber = add_material(scene, elastic_material<NeoHookean>(2e4, 0.3));
  ObjectSettings& body = add_box(scene, rubber, 1000, {{0.1, 0.1, 0.05}}, {{0.35, 0.3, 0.2}});
  body.velocity = {{6, -3.5, dimension == 3 ? 2.0 : 0.0}};
  body.angular_velocity = {{0, 0, 400}};
  return scene;
}

TEST(Periodic, CrossingTheSeamChangesNothing) {
  for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic})
    for (const TransferKind transfer : {TransferKind::mls, TransferKind::flip}) {
      const SceneSettings open = thrown_body(2, transfer, kernel);
      SceneSettings closed = open;
      closed.grid.periodic.axes[0] = Interval{0, 0.8};     // two blocks
      closed.grid.periodic.axes[1] = Interval{-0.4, 0.8};  // three
      auto a = World::create(open, Precision::double_),
           b = World::create(closed, Precision::double_);
      ASSERT_TRUE(a && b);
      ASSERT_TRUE(run_frames(**a, 25).empty() && run_frames(**b, 25).empty());
      const Vec3d worst = difference<2>(**a, **b, {{16, 24, 0}}, {{0, 0, 0}});
      EXPECT_LT(worst[0], 1e-9);
      EXPECT_LT(worst[1], 1e-9);
      EXPECT_GT(worst[2], 50);  // cells: it went round several times
      const FrameStats s = (*a)->statistics(), t = (*b)->statistics();
      EXPECT_NEAR(s.momentum[0], t.momentum[0], 1e-10 * std::abs(s.momentum[0]));
      EXPECT_NEAR(s.kinetic, t.kinetic, 1e-10 * s.kinetic);
      EXPECT_NEAR(s.elastic, t.elastic, 1e-10 * s.kinetic);
      const PointTable frame = (*b)->snapshot({});
      for (const float x : frame.as_float("x")) ASSERT_TRUE(x >= 0 && x <= 0.8f);
      for (const float y : frame.as_float("y")) ASSERT_TRUE(y >= -0.4f && y <= 0.8f);
    }
}

TEST(Periodic, ThreeDimensionsAndASingleBlock) {
  const SceneSettings open = thrown_body(3, TransferKind::mls, KernelKind::quadratic);
  SceneSettings closed = open;
  closed.grid.periodic.axes[2] = Interval{0, 0.6};
  auto a = World::create(open, Precision::double_), b = World::create(closed, Precision::double_);
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(run_frames(**a, 20).empty() && run_frames(**b, 20).empty());
  const Vec3d worst = difference<3>(**a, **b, {{0, 0, 12}}, {{0, 0, 0}});
  EXPECT_LT(worst[0], 1e-9);
  EXPECT_LT(worst[1], 1e-9);
  EXPECT_GT(worst[2], 10);
  // One block: the body is its own neighbour, an endless rod, and momentum is still kept.
  SceneSettings rod = open;
  rod.objects[0].shape.size[2] = 0.2;
  rod.objects[0].shape.center[2] = 0.1;
  rod.grid.periodic.axes[2] = Interval{0, 0.2};
  auto c = World::create(rod, Precision::double_);
  ASSERT_TRUE(c);
  const Vec3d before = (*c)->statistics().momentum;
  ASSERT_TRUE(run_frames(**c, 5).empty());
  EXPECT_LT(length((*c)->statistics().momentum - before), 1e-10 * length(before));
}

// Two balls that meet, once in the middle and once across the seam.
SceneSettings collision(double shift) {
  SceneSettings scene = case_scene(2, kSpacing, 50);
  const int rubber = add_material(scene, elastic_material<NeoHookean>(2e4, 0.3));
  const auto wrapped = [](double x) { return x >= 3.2 ? x - 3.2 : x; };
  add_ball(scene, rubber, 1000, {{wrapped(1.3 + shift), 0.5, 0}}, 0.2).velocity = {{2, 0, 0}};
  add_ball(scene, rubber, 1000, {{wrapped(1.9 + shift), 0.6, 0}}, 0.2).velocity = {{-2, 0, 0}};
  scene.grid.periodic.axes[0] = Interval{0, 3.2};
  return scene;
}

TEST(Periodic, BodiesMeetAcrossTheSeam) {
  auto a = World::create(collision(0), Precision::double_);
  auto b = World::create(collision(1.6), Precision::double_);  // four blocks
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(run_frames(**a, 10).empty() && run_frames(**b, 10).empty());
  const Vec3d worst = difference<2>(**a, **b, {{64, 0, 0}}, {{32, 0, 0}});
  EXPECT_LT(worst[0], 1e-8);
  EXPECT_LT(worst[1], 1e-8);
  EXPECT_GT((*a)->statistics().momentum[1] + 1, 0);
  EXPECT_GT((*a)->statistics().elastic, 1e-3 * (*a)->statistics().kinetic);  // they did meet
}

// A viscous film on an endless slope, u = g sin(a) / nu (H y - y^2 / 2), started with that profile
// and under its own weight. Gives the relative error of the discharge after half a second.
double film_error(double spacing) {
  const double depth = 0.2, density = 1000, viscosity = 20, along = 1;
  SceneSettings scene = case_scene(2, spacing, 10);
  scene.gravity = {{along, -9.81, 0}};
  scene.grid.periodic.axes[0] = Interval{0, 0.4};
  Fluid::Parameters syrup;
  syrup.viscosity = viscosity;
  ObjectSettings& film =
      add_box(scene, add_material(scene, syrup), density, {{0, 0, 0}}, {{0.4, depth, 0}});
  film.velocity = {{NumberOrExpression(0, "50*(0.2*y - y^2/2)"), 0, 0}};
  film.initial_stress = InitialStressSettings{InitialStressKind::hydrostatic};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  ProbeSettings discharge;
  discharge.name = "discharge";
  discharge.kind = ProbeKind::flux;
  scene.probes = {discharge};
  const auto world = run_scene(scene, Precision::double_, 5, [&](const World& w) {
    const FrameStats stats = w.statistics();
    EXPECT_LT(std::abs(stats.momentum[1]) / stats.mass, 0.02);
  });
  EXPECT_TRUE(world) << world.errors()[0];
  const double exact = density * density * along * std::pow(depth, 3) / (3 * viscosity);
  const double found = (*world)->statistics().probes[0].values[0].second.value_or(0);
  return found / exact - 1;
}

// Gravity and the drag of the floor are in balance but for the part of a cell by which the sticky
// floor is too thick, which vanishes with the cells.
TEST(Periodic, FilmOnAnEndlessSlope) {
  const double coarse = film_error(0.025), fine = film_error(0.0125);
  EXPECT_LT(std::abs(fine), 0.6 * std::abs(coarse)) << coarse << " " << fine;
  EXPECT_LT(std::abs(fine), 0.07);
}

// Where in the period a thing starts does not matter, nor how many periods away.
TEST(Periodic, ObjectsOutsideAreWrapped) {
  SceneSettings inside = collision(0), outside = inside;
  outside.objects[0].shape.center[0] += 3.2;
  outside.objects[1].shape.center[0] -= 6.4;
  auto a = World::create(inside, Precision::double_),
       b = World::create(outside, Precision::double_);
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(run_frames(**a, 3).empty() && run_frames(**b, 3).empty());
  const Vec3d worst = difference<2>(**a, **b, {{64, 0, 0}}, {{0, 0, 0}});
  EXPECT_LT(worst[0], 1e-9);
}

}  // namespace
}  // namespace firn
