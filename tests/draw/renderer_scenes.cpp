// The OpenGL renderer: colliders, flat scenes, surfaces, slices, many particles.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>
#include <random>

#include "draw_test.h"
#include "render/surfaces.h"

namespace firn {
namespace {

TEST_F(Draw, CollidersAreSolidGlassOrHidden) {
  add({{0, 0, -1}}, 0.5, kRed);
  Shape box;
  box.size = {{1, 1, 0.2}};
  box.center = {{0, 0, 1}};
  scene_.colliders = {box};
  EXPECT_FALSE(is_reddish(draw().pixel(100, 100)));
  look_.colliders = ColliderStyle::hidden;
  EXPECT_TRUE(is_reddish(draw().pixel(100, 100)));
  look_.colliders = ColliderStyle::outline;
  EXPECT_TRUE(is_reddish(draw().pixel(100, 100)));
  look_.colliders = ColliderStyle::transparent;
  const Image glass = draw();
  const std::uint8_t* p = glass.pixel(100, 100);
  EXPECT_GT(p[0], p[1] + 25);  // red shines through
}

TEST_F(Draw, EyesInsideAndOutsideOfAContainerSeeItsContent) {
  add({{0, 0, -1}}, 0.5, kRed);
  Shape tank;
  tank.size = {{3, 3, 3}};
  tank.inside = true;
  scene_.colliders = {tank};
  for (const double z : {2.0, 6.0}) {
    view_.camera.eye = {{0, 0, z}};
    EXPECT_TRUE(is_reddish(draw().pixel(100, 100))) << z;
  }
}

// Every kind of shape has a surface, and it lies where the signed distance says.
TEST_F(Draw, ShapesOfAllKindsAreSeen) {
  Shape base;
  base.size = {{0.9, 0.6, 0.35}};
  for (const ShapeKind kind :
       {ShapeKind::box, ShapeKind::ball, ShapeKind::cylinder, ShapeKind::capsule, ShapeKind::cone,
        ShapeKind::torus, ShapeKind::ellipsoid, ShapeKind::compound}) {
    Shape shape = base;
    shape.kind = kind;
    if (kind == ShapeKind::compound) {
      Shape hole;
      hole.kind = ShapeKind::ball;
      hole.size = {{0.5, 0.5, 0.5}};
      shape.kind = ShapeKind::box;
      shape = make_compound(SetOperation::subtract, {shape, hole}, 3);
    }
    shape = transformed(shape, rotation_from_degrees({{20, 30, 10}}), 1, {{0.3, 0.2, 0}});
    scene_.colliders = {shape};
    look_.background = {{0, 0, 0}};
    const Image image = draw();
    const std::vector<Surface> surfaces = make_surfaces(scene_.colliders, {{0, 0, 0}});
    const Projection p = make_projection(view_.camera, {{0, 0, 0}}, 200, 200);
    VisibilityBuffer buffer(200, 200);
    draw_solids(surfaces, p, buffer);
    int wrong = 0, seen = 0;
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 200; ++x) {
        const bool expected = buffer.id[buffer.index(x, y)] != kNothing;
        seen += expected;
        wrong += expected != (brightness(image, x, y) > 10);
      }
    EXPECT_GT(seen, 300) << int(kind);
    EXPECT_LT(wrong, 0.04 * seen + 10) << int(kind);
  }
}

TEST_F(Draw, PicksWhatIsSeen) {
  add({{0.5, 0.3, 0}}, 0.6, kRed);
  draw();
  const Projection p = make_projection(view_.camera, {{0, 0, 0}}, 200, 200);
  const Vec3f front = Vec3f{{0.5f, 0.3f, 0}} +
                      (p.eye - Vec3f{{0.5f, 0.3f, 0}}) * (0.6f / std::sqrt(0.25f + 0.09f + 16.0f));
  const Spot spot = p.project(front, 0);
  const auto picked = renderer_->pick(int(spot.x), int(spot.y));
  ASSERT_TRUE(picked);
  EXPECT_TRUE(picked->is_particle);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(picked->position[k], front[k], 0.03);
  EXPECT_FALSE(renderer_->pick(2, 2));
  EXPECT_FALSE(renderer_->pick(-1, 5000));
}

TEST_F(Draw, FlatScenesShowDiscsAndSolids) {
  scene_.dimension = frame_.dimension = 2;
  view_.camera = {{{0, 0, 1}}, {{0, 0, 0}}, {{0, 1, 0}}, 40, 4};
  add({{0.5, 0.5, 0}}, 0.4, kRed);
  Shape floor;
  floor.kind = ShapeKind::plane;
  floor.dimension = 2;
  floor.center = {{0, -1, 0}};
  scene_.colliders = {floor};
  const Image image = draw();
  EXPECT_NEAR(count(image, is_reddish), kPi * 0.16 * 2500, 60);  // 50 pixels a metre
  EXPECT_TRUE(is_reddish(image.pixel(125, 75)));
  EXPECT_LT(brightness(image, 50, 170), brightness(image, 50, 50) - 100);
  look_.colliders = ColliderStyle::hidden;
  EXPECT_NEAR(brightness(draw(), 50, 170), brightness(image, 50, 50), 40);
}

TEST_F(Draw, SurfaceMeshesCoverTheirParticles) {
  fill_cube(frame_, 12, kRed);
  FrameOptions options;
  options.radius = 2.0 / 12 * 0.62;
  PointTable table;
  table.count = frame_.points.size();
  const char* names[] = {"x", "y", "z"};
  for (int a = 0; a < 3; ++a) {
    auto& column = table.add<float>(names[a]);
    for (std::size_t i = 0; i < table.count; ++i) column[i] = frame_.points[i].position[a];
  }
  options.mesh = true;
  Result<FrameData> made = make_frame_data(table, options);
  ASSERT_TRUE(made) << made.errors()[0];
  EXPECT_GT(made->mesh.indices.size(), 3000u);
  frame_.mesh = made->mesh;
  for (std::size_t v = 0; v < frame_.mesh.vertices.size(); ++v)
    std::copy_n(kBlue, 3, &frame_.mesh.colors[4 * v]);
  look_.style = PointStyle::mesh;
  const Image image = draw();
  EXPECT_EQ(count(image, is_reddish), 0);
  // Without rounded edges it is the face at z = 1, where 200 pixels are 6 m.
  EXPECT_LT(count(image, is_bluish), 67 * 67);
  EXPECT_GT(count(image, is_bluish), 56 * 56);
}

TEST_F(Draw, SlicesLieInTheScene) {
  SlicePicture slice;
  slice.width = slice.height = 2;
  for (int k = 0; k < 4; ++k) {
    slice.rgba.insert(slice.rgba.end(), kRed, kRed + 3);
    slice.rgba.push_back(k == 3 ? 0 : 255);
  }
  slice.corner = {{-1, -1, 0}};
  slice.along_width = {{2, 0, 0}};
  slice.along_height = {{0, 2, 0}};
  renderer_->upload_slice(slice);
  const Image image = draw();
  EXPECT_NEAR(count(image, is_reddish), 0.75 * 50 * 50, 60);
  EXPECT_FALSE(is_reddish(image.pixel(110, 90)));  // the clear one, top right
  renderer_->upload_slice(std::nullopt);
  EXPECT_EQ(count(draw(), is_reddish), 0);
}

TEST_F(Draw, SmallestPicturesAndNoParticles) {
  for (const int size : {1, 3}) {
    view_.width = size, view_.height = 1;
    for (const int samples : {1, 2}) {
      if (size == 3 && samples == 2) continue;
      view_.supersampling = samples;
      const Image image = draw();
      EXPECT_EQ(image.width, size);
      EXPECT_EQ(image.height, 1);
      EXPECT_GT(brightness(image, 0, 0), 300);  // the background
    }
  }
  scene_.bounds.reset();
  EXPECT_GT(brightness(draw(), 0, 0), 300);
}

FrameData random_frame(int count) {
  FrameData frame;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> unit(-1, 1);
  frame.points.resize(static_cast<std::size_t>(count));
  for (DrawnPoint& p : frame.points) {
    p.position = {{unit(random), unit(random), unit(random)}};
    p.radius = 1.15f * std::cbrt(1 / static_cast<float>(count));
    std::copy_n(kRed, 3, p.color);
  }
  frame.bounds = {{{-1, -1, -1}}, {{1, 1, 1}}};
  return frame;
}

TEST_F(Draw, AMillionPointsInOneCall) {
  frame_ = random_frame(1'000'000);
  scene_.bounds = frame_.bounds;
  EXPECT_GT(count(draw(), is_reddish), 3000);
}

// Prints what a picture takes; run it by hand on a machine that has nothing else to do.
TEST_F(Draw, DISABLED_Speed) {
  std::cout << context->description() << "\n";
  view_.camera = framing_camera(corners_of({{{-1, -1, -1}}, {{1, 1, 1}}}), 16.0 / 9, 35);
  scene_.ground_height = -1;
  view_.width = 1280, view_.height = 720;
  for (const int count : {200'000, 1'000'000, 2'000'000}) {
    frame_ = random_frame(count);
    scene_.bounds = frame_.bounds;
    draw();
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t busy = std::clock();
    constexpr int kRounds = 5;
    for (int k = 0; k < kRounds; ++k) draw();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double work = static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC;
    std::cout << count << " spheres, upload, draw and read: " << 1e3 * seconds / kRounds << " ms, "
              << 1e3 * work / kRounds << " ms of all cores together\n";
  }
}

}  // namespace
}  // namespace firn
