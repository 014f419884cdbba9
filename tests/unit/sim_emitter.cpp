// What an emitter says it will make is what it makes.
#include "sim/emitter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/check.h"
#include "scene/defaults.h"
#include "scene/stream.h"

namespace firn {
namespace {

SceneSettings scene_with_emitter(std::int64_t dimension, ShapeType shape) {
  SceneSettings scene;
  scene.dimension = dimension;
  scene.materials.emplace_back();
  EmitterSettings& emitter = scene.emitters.emplace_back();
  emitter.shape.kind = shape;
  emitter.shape.size = {{0.3, 0.2, 0.24}};  // whole rows of particles across the stream
  emitter.shape.radius = 0.15;
  emitter.velocity = {{1.2, -0.9, 0}};  // 1.5 m/s, oblique to the box
  emitter.density = 500;
  emitter.sampling.spacing = 0.02;
  fill_defaults(scene);
  return scene;
}

TEST(Emitter, RateIsThatOfItsParticles) {
  for (const std::int64_t dimension : {2, 3})
    for (const ShapeType shape : {ShapeType::box, ShapeType::ball}) {
      const SceneSettings scene = scene_with_emitter(dimension, shape);
      const Emitter emitter(scene, 0);
      constexpr double kTime = 0.5;
      const auto made = static_cast<double>(emitter.positions(0, kTime).size());
      EXPECT_NEAR(made / kTime, emitter.particles_per_second(), 0.03 * made / kTime)
          << dimension << "D, shape " << static_cast<int>(shape);
    }
}

// A scene made in code need not have colours; picking one of none used to read outside of memory.
TEST(Emitter, NeedsNoColours) {
  SceneSettings scene = scene_with_emitter(2, ShapeType::box);
  scene.emitters[0].colors.clear();
  const Emitter emitter(scene, 0);
  const std::vector<Vec3d> places = emitter.positions(0, 0.1);
  ASSERT_FALSE(places.empty());
  const ObjectParticles made = emitter.particles(places, 0);
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(made.color(i), 0x808080u);
}

double mass_per_second(const SceneSettings& scene) {
  const Emitter emitter(scene, 0);
  const ObjectParticles like = emitter.particles({}, 0);
  return emitter.particles_per_second() * like.volume * like.density;
}

// A ball is a disc to the stream, so that its mass flow is known; a given one is met exactly.
TEST(Emitter, RateIsThatOfMouthAndVelocity) {
  SceneSettings scene = scene_with_emitter(3, ShapeType::ball);
  const double expected = 500 * kPi * 0.15 * 0.15 * 1.5;
  EXPECT_NEAR(mass_per_second(scene), expected, 0.005 * expected);
  scene.emitters[0].rate = 10;
  EXPECT_NEAR(mass_per_second(scene), 10, 1e-8);
}

// Mouths of any width, of whole spacings or not, let out as much as their area holds.
TEST(Emitter, WidthOfTheMouthNeedNotFitTheSpacing) {
  for (const double half : {0.05, 0.055, 0.0583, 0.0611, 0.07}) {
    SceneSettings scene = scene_with_emitter(3, ShapeType::box);
    scene.emitters[0].shape.size = {{2 * half, 0.1, 2 * half}};
    scene.emitters[0].velocity = {{0, -1.5, 0}};
    const Emitter emitter(scene, 0);
    const double seconds = 2, speed = 1.5;
    const ObjectParticles out = emitter.particles(emitter.positions(0, seconds), 0);
    const double expected = 500 * 4 * half * half * speed * seconds;
    EXPECT_NEAR(double(out.size()) * out.volume * out.density, expected, 0.015 * expected) << half;
  }
}

// Particles that come apart say by how much: the full flow fills the mouth, and no rate exceeds it.
TEST(Emitter, ARateBelowTheFullFlowComesLoose) {
  SceneSettings scene = scene_with_emitter(3, ShapeType::box);
  scene.emitters[0].velocity = {{0, -1.5, 0}};
  const double full = full_flow(scene, scene.emitters[0]);
  EXPECT_NEAR(full, 500 * 0.3 * 0.24 * 1.5, 0.01 * full);
  EXPECT_EQ(Emitter(scene, 0).particles({}, 0).dilation, 0);
  scene.emitters[0].rate = 0.25 * full;
  EXPECT_NEAR(Emitter(scene, 0).particles({}, 0).dilation, std::log(4.0), 1e-6);
}

// |mean of exp(2 pi i s / spacing)| over the places s of particles along an axis: 1 where they come
// in rows of a lattice, 0 where they come evenly.
double rows_of(SamplingKind kind, std::int64_t dimension, int axis) {
  SceneSettings scene = scene_with_emitter(dimension, ShapeType::box);
  scene.emitters[0].velocity = {{0, -1.5, 0}};
  scene.emitters[0].sampling.kind = kind;
  double even = 0, odd = 0;
  const std::vector<Vec3d> stream = Emitter(scene, 0).positions(0, 0.2);
  for (const Vec3d& p : stream) {
    even += std::cos(2 * kPi * p[axis] / 0.02);
    odd += std::sin(2 * kPi * p[axis] / 0.02);
  }
  return std::hypot(even, odd) / static_cast<double>(stream.size());
}

TEST(Emitter, StreamsComeNeitherInRowsNorInColumns) {
  for (const std::int64_t dimension : {2, 3})
    for (int axis = 0; axis < dimension; ++axis) {
      EXPECT_LT(rows_of(SamplingKind::poisson, dimension, axis), 0.1) << dimension << " " << axis;
      EXPECT_LT(rows_of(SamplingKind::random, dimension, axis), 0.1) << dimension << " " << axis;
      EXPECT_GT(rows_of(SamplingKind::grid, dimension, axis), 0.99) << dimension;  // as asked for
    }
}

// Nowhere do two particles of a full stream come closer than their jitter allows.
TEST(Emitter, ParticlesOfAStreamStandApart) {
  for (const std::int64_t dimension : {2, 3}) {
    SceneSettings scene = scene_with_emitter(dimension, ShapeType::box);
    scene.emitters[0].velocity = {{0, -1.5, 0}};
    const std::vector<Vec3d> stream = Emitter(scene, 0).positions(0, 0.1);
    ASSERT_GT(stream.size(), 100u);
    double least = 1;
    for (std::size_t i = 0; i < stream.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3d d = stream[i] - stream[j];
        least = std::min(least, std::sqrt(dot(d, d)));
      }
    EXPECT_GE(least, 0.4999 * 0.02) << dimension;
  }
}

TEST(Emitter, ARateAboveTheFullFlowIsRefused) {
  for (const std::int64_t dimension : {2, 3}) {
    SceneSettings scene = scene_with_emitter(dimension, ShapeType::ball);
    const double full = full_flow(scene, scene.emitters[0]);
    scene.emitters[0].rate = 0.99 * full;
    EXPECT_TRUE(check_scene(scene).empty());
    for (const double share : {1.05, 1e8}) {
      scene.emitters[0].rate = share * full;
      const auto issues = check_scene(scene);
      ASSERT_EQ(issues.size(), 1u);
      EXPECT_EQ(issues[0].pointer, "/emitters/0/rate");
      EXPECT_NE(issues[0].what.find("more than the full flow"), std::string::npos);
    }
  }
}

TEST(Emitter, MouthsAreFilledInside) {
  SceneSettings scene = scene_with_emitter(3, ShapeType::ball);
  scene.emitters.push_back(scene.emitters[0]);
  scene.emitters[1].shape.radius = 0.004;  // smaller than the spacing: one particle
  const auto mouths = filled_mouths(scene);
  ASSERT_TRUE(mouths);
  ASSERT_EQ(mouths->size(), 2u);
  const ObjectParticles& first = (*mouths)[0];
  const double expected = 4.0 / 3.0 * kPi * 0.15 * 0.15 * 0.15 / (0.02 * 0.02 * 0.02);
  EXPECT_NEAR(static_cast<double>(first.size()), expected, 0.05 * expected);
  for (const Vec3d& p : first.position) EXPECT_LE(dot(p, p), 0.15 * 0.15);
  EXPECT_EQ((*mouths)[1].size(), 1u);
  EXPECT_EQ((*mouths)[1].first_id, first.size());
}

}  // namespace
}  // namespace firn
