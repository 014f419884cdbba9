// Beds that start under their own weight are at rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"
#include "scene/initial_particles.h"

namespace firn {
namespace {

constexpr double kGravity = 9.81, kDensity = 1500, kHeight = 0.4, kSpacing = 0.05;

ModelParameters parameters_of(int model) {
  ModelParameters parameters = default_parameters(model);
  visit_model(parameters, [](auto& p) {
    if constexpr (requires { p.youngs_modulus; }) p.youngs_modulus = 5e5;
    if constexpr (requires { p.critical_compression; }) p.critical_compression = 0.2;
    if constexpr (requires { p.softened_stress; }) p.yield_stress = p.softened_stress = 2e4;
  });
  return parameters;
}

// A box between frictionless walls, filled to kHeight.
SceneSettings bed(int dimension, int model) {
  SceneSettings scene = case_scene(dimension, kSpacing, 100);
  scene.gravity = {{0, -kGravity, 0}};
  const double width = dimension == 2 ? 0.6 : 0.3;
  const int material = add_material(scene, parameters_of(model));
  add_box(scene, material, kDensity, {{0, 0, 0}}, {{width, kHeight, width}});
  add_container(scene, {{0, 0, 0}}, {{width, 2, width}}, ContactKind::separate);
  return scene;
}

// Of a fluid all matter has the same density without pressure: under its weight it is denser below,
// or it would turn over. J = (1 + gamma p / K)^(-1/gamma) and dp J = rho g dz.
constexpr double kModulus = 5e5, kGamma = 7;
double water_ratio(double pressure) {
  return std::pow(1 + kGamma * pressure / kModulus, -1 / kGamma);
}
double pressure_of_water(double above, double weight) {
  const double power = (kGamma - 1) / kGamma, scale = kModulus / (kGamma - 1);
  const double head = scale * std::pow(1 + kGamma * above / kModulus, power) + weight;
  return kModulus / kGamma * (std::pow(head / scale, 1 / power) - 1);
}

// What an elastic bed takes, or the least above it that a material bears which yields.
void expect_natural_ratio(const ModelParameters& parameters, double ratio) {
  visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    const auto& p = std::get<typename Model::Parameters>(parameters);
    if constexpr (requires { p.poisson_ratio; }) {
      const double elastic = p.poisson_ratio / (1 - p.poisson_ratio);
      EXPECT_GT(ratio, elastic - 1e-6);
      EXPECT_LT(ratio, Model::kYields ? std::max(0.7, elastic + 1e-6) : elastic + 1e-6);
    }
  });
}

class InitialStress : public ::testing::TestWithParam<int> {};

// Frame 0 carries the stress of the overburden, in 32-bit columns.
TEST_P(InitialStress, IsTheOverburden) {
  for (const int dimension : {2, 3})
    for (const auto kind : {InitialStressKind::hydrostatic, InitialStressKind::k0}) {
      SceneSettings scene = bed(dimension, GetParam());
      scene.objects[0].initial_stress = InitialStressSettings{kind, NAN, -1, 700};
      const auto world = World::create(scene, Precision::double_);
      ASSERT_TRUE(world) << world.errors().front();
      const PointTable frame = (*world)->snapshot({"stress", "density"});
      const auto y = frame.as_double("y"), v = frame.as_double("stress_yy"),
                 h = frame.as_double("stress_xx"), shear = frame.as_double("stress_xy"),
                 density = frame.as_double("density");
      const double ratio = h[0] / v[0];
      if (kind == InitialStressKind::hydrostatic || model_name(GetParam()) == std::string("fluid"))
        EXPECT_NEAR(ratio, 1, 1e-6);
      else
        expect_natural_ratio(scene.materials[0].parameters, ratio);
      const bool fluid = model_name(GetParam()) == std::string("fluid");
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double weight = kDensity * kGravity * (kHeight - y[i]);
        const double pressure = fluid ? pressure_of_water(700, weight) : 700 + weight;
        ASSERT_NEAR(v[i], -pressure, 1e-6 * pressure);
        ASSERT_NEAR(h[i], -ratio * pressure, 1e-6 * pressure);
        ASSERT_NEAR(shear[i], 0, 1e-6 * pressure);
        const double expected = kDensity / (fluid ? water_ratio(pressure) : 1);
        ASSERT_NEAR(density[i], expected, 1e-6 * kDensity);
      }
    }
}

// Largest kinetic energy in the first tenth of a second, J.
double unrest(const SceneSettings& scene) {
  double most = 0;
  const auto world = run_scene(scene, Precision::double_, 10, [&](const World& w) {
    most = std::max(most, w.statistics().kinetic);
  });
  EXPECT_TRUE(world) << world.errors().front();
  return most;
}

// Away from walls and surface nothing starts to move.
TEST_P(InitialStress, BalancesGravityInside) {
  SceneSettings scene = bed(2, GetParam());
  scene.objects[0].initial_stress = InitialStressSettings{};
  scene.integrator.fixed_dt = 1e-5;
  auto world = World::create(scene, Precision::double_);
  ASSERT_TRUE(world && (*world)->advance_step());
  const PointTable frame = (*world)->snapshot({"velocity"});
  const auto x = frame.as_double("x"), y = frame.as_double("y"), vx = frame.as_double("vx"),
             vy = frame.as_double("vy");
  int inside = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < 0.13 || x[i] > 0.47 || y[i] < 0.13 || y[i] > 0.27) continue;
    ++inside;
    EXPECT_LT(std::hypot(vx[i], vy[i]), 1e-6 * kGravity * 1e-5);
  }
  EXPECT_GT(inside, 20);
}

// What motion is left comes from the walls, where kernels reach out of the material.
TEST_P(InitialStress, ABedStaysAtRest) {
  SceneSettings scene = bed(2, GetParam());
  const double without = unrest(scene);
  scene.objects[0].initial_stress = InitialStressSettings{};
  const double with = unrest(scene);
  EXPECT_GT(without, 0);
  const bool fluid = model_name(GetParam()) == std::string("fluid");
  EXPECT_LT(with, (fluid ? 0.02 : 0.003) * without)
      << "without: " << without << " J, with: " << with << " J";
}

INSTANTIATE_TEST_SUITE_P(EveryModel, InitialStress, ::testing::Range(0, model_count),
                         [](const auto& p) { return std::string(model_name(p.param)); });

// The mass of a fluid's particles is that of their volume without pressure.
TEST(InitialStressSettings, AFluidHasOneDensityWithoutPressure) {
  SceneSettings scene = bed(2, 0);
  scene.materials[0].parameters = Fluid::Parameters{};
  scene.objects[0].initial_stress =
      InitialStressSettings{InitialStressKind::hydrostatic, NAN, -1, 0};
  const auto objects = initial_particles(scene);
  ASSERT_TRUE(objects) << objects.errors().front();
  const ObjectParticles& water = objects->front();
  double lightest = INFINITY, least = INFINITY;
  for (std::size_t i = 0; i < water.size(); ++i) {
    EXPECT_NEAR(water.mass(i) / water.initial_volume(i), kDensity, 1e-9 * kDensity);
    lightest = std::min(lightest, water.mass(i) / water.volume_of(i));
    least = std::min(least, water.volume_ratios[i]);
  }
  EXPECT_LT(least, 0.99);
  EXPECT_GT(lightest, kDensity);
}

TEST(InitialStressSettings, TiltedGravityTurnsTheFrame) {
  SceneSettings scene = bed(2, model_index_by_name("hencky"));
  scene.colliders.clear();
  const double s = std::sqrt(0.5);
  scene.gravity = {{kGravity * s, -kGravity * s, 0}};
  scene.objects[0].initial_stress = InitialStressSettings{InitialStressKind::k0, 0.5, 0.25, 0};
  const auto world = World::create(scene, Precision::double_);
  ASSERT_TRUE(world) << world.errors().front();
  const PointTable frame = (*world)->snapshot({"stress"});
  const auto x = frame.as_double("x"), y = frame.as_double("y"), xx = frame.as_double("stress_xx"),
             xy = frame.as_double("stress_xy");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double pressure = kDensity * kGravity * (0.5 - (y[i] - x[i]) * s);
    ASSERT_NEAR(xx[i], -0.625 * pressure, 1e-6 * pressure);
    ASSERT_NEAR(xy[i], 0.375 * pressure, 1e-6 * pressure);
  }
}

// nu / (1 - nu) = 0.43 lies outside of the cone in 3D: the least ratio inside is taken, at any
// depth.
TEST(InitialStressSettings, YieldingSandTakesTheRatioOfItsCone) {
  SceneSettings scene = bed(3, model_index_by_name("sand"));
  scene.objects[0].initial_stress = InitialStressSettings{};
  scene.objects[0].sampling.kind = SamplingKind::random;
  const auto world = World::create(scene, Precision::double_);
  ASSERT_TRUE(world) << world.errors().front();
  const PointTable frame = (*world)->snapshot({"stress"});
  const auto v = frame.as_double("stress_yy"), h = frame.as_double("stress_xx");
  // |dev| = alpha |tr| with alpha = sqrt(2)/3 sin(30 degrees): (1 - K) sqrt(2/3) = alpha (1 + 2 K).
  const double alpha = std::sqrt(2.0) / 6, side = std::sqrt(2.0 / 3);
  const double least = (side - alpha) / (side + 2 * alpha);
  for (std::size_t i = 0; i < v.size(); ++i) {
    ASSERT_NEAR(h[i] / v[i], least, 0.01);
    ASSERT_GT(h[i] / v[i], least);
  }
}

// A bed that grows heavier with depth: the overburden is what really lies above.
TEST(InitialStressSettings, WeighsWhatLiesAbove) {
  SceneSettings scene = bed(2, model_index_by_name("hencky"));
  scene.objects[0].initial_stress = InitialStressSettings{};
  scene.objects[0].fields.push_back({"mass_scale", {0, "3 - 5*y"}});
  const auto world = World::create(scene, Precision::double_);
  ASSERT_TRUE(world) << world.errors().front();
  const PointTable frame = (*world)->snapshot({"stress"});
  const auto y = frame.as_double("y"), v = frame.as_double("stress_yy");
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double above =
        3 * (kHeight - y[i]) - 2.5 * (kHeight * kHeight - y[i] * y[i]);  // integral of the scale
    ASSERT_NEAR(v[i], -kDensity * kGravity * above, 1e-5 * kDensity * kGravity);
  }
}

// On an endless slope the layers above pull: shear is their weight along the slope. One that is too
// steep for the sand starts with the most that it bears.
TEST(InitialStressSettings, AnEndlessSlopeIsUnderShear) {
  for (const int dimension : {2, 3})
    for (const char* model : {"hencky", "sand"}) {
      SceneSettings scene = bed(dimension, model_index_by_name(model));
      scene.colliders.clear();
      scene.grid.periodic.axes[0] = Interval{0, dimension == 2 ? 0.8 : 0.4};
      const double slope = 20 * kPi / 180;
      scene.gravity = {{kGravity * std::sin(slope), -kGravity * std::cos(slope), 0}};
      scene.objects[0].initial_stress = InitialStressSettings{};
      const auto world = World::create(scene, Precision::double_);
      ASSERT_TRUE(world) << world.errors().front();
      const PointTable frame = (*world)->snapshot({"stress"});
      const auto y = frame.as_double("y"), v = frame.as_double("stress_yy"),
                 shear = frame.as_double("stress_xy");
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double weight = kDensity * kGravity * (kHeight - y[i]);
        ASSERT_NEAR(v[i], -weight * std::cos(slope), 1e-5 * weight) << model;
        ASSERT_NEAR(shear[i], weight * std::sin(slope), 1e-5 * weight) << model;
      }
      scene.gravity = {{kGravity * std::sin(0.8), -kGravity * std::cos(0.8), 0}};
      EXPECT_TRUE(World::create(scene, Precision::double_)) << model;
    }
}

// One object whose volume is estimated leaves another of its material, which bears a stress, alone.
TEST(EstimatedVolume, ActsOnItsObjectAlone) {
  SceneSettings scene = bed(2, model_index_by_name("hencky"));
  scene.objects[0].initial_stress = InitialStressSettings{};
  add_box(scene, 0, kDensity, {{0, 0.6, 0}}, {{0.6, 0.8, 0}}).volume = VolumeKind::estimated;
  const auto world = World::create(scene, Precision::double_);
  ASSERT_TRUE(world) << world.errors().front();
  const PointTable frame = (*world)->snapshot({"volume"});
  const auto y = frame.as_double("y"), volume = frame.as_double("volume");
  const double expected = 0.25 * kSpacing * kSpacing;
  double largest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] < kHeight) {
      ASSERT_NEAR(volume[i], expected, 1e-5 * expected);
    }
    largest = std::max(largest, volume[i]);
  }
  EXPECT_GT(largest, 1.2 * expected);  // at the faces of the other, whose kernels are half empty
}

TEST(InitialStressSettings, WhatCannotBeIsAnError) {
  SceneSettings scene = bed(2, model_index_by_name("sand"));
  scene.objects[0].initial_stress = InitialStressSettings{InitialStressKind::k0, NAN, 0.1, 0};
  const auto sand = World::create(scene, Precision::double_);
  ASSERT_FALSE(sand);
  EXPECT_EQ(sand.errors()[0].rfind("/objects/0/initial_stress: the material yields", 0), 0u)
      << sand.errors()[0];
}

}  // namespace
}  // namespace firn
