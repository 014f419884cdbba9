// Pictures beside those that were looked at and kept in tests/draw/references.
#include <gtest/gtest.h>

#include "draw_test.h"
#include "picture_compare.h"
#include "render/splatter.h"

namespace firn {
namespace {

class References : public Draw {
 protected:
  void SetUp() override {
    Draw::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    view_.width = 240, view_.height = 160;
    view_.supersampling = 2;
    view_.camera = {{{3.4, 2.2, 4.2}}, {{0, -0.25, 0}}, {{0, 1, 0}}, 40, 0};
    scene_.bounds = Bounds{{{-1.4, -1, -1.4}}, {{1.4, 1, 1.4}}};
    scene_.ground_height = -1;
    scene_.light = look_.light = {{-0.5, 1, 0.6}};
  }
  // A cube of balls, blue at the back, with a box before it.
  void set_up_cube() {
    fill_cube(frame_, 14, kRed);
    for (DrawnPoint& p : frame_.points)
      if (p.position[2] < 0) std::copy_n(kBlue, 3, p.color), p.group = 1;
    Shape box;
    box.size = {{0.35, 0.35, 0.35}};
    box.center = {{1.5, -0.65, 0.5}};
    box.rotation = rotation_from_degrees({{0, 30, 0}});
    scene_.colliders = {box};
  }
};

TEST_F(References, SpheresWithShadowAndABox) {
  set_up_cube();
  expect_like_reference("tests/draw/references/spheres.png", draw());
}

TEST_F(References, PointsAndHalfTransparentOnes) {
  set_up_cube();
  look_.style = PointStyle::points;
  look_.groups[0].opacity = 0.4;
  expect_like_reference("tests/draw/references/points.png", draw());
}

TEST_F(References, IcosahedraByTheirDeformation) {
  fill_cube(frame_, 6, kRed);
  for (const DrawnPoint& p : frame_.points) {
    const float r = 0.9f * p.radius;
    frame_.frames.push_back({{1.3f * r, 0.4f * r, 0, 0, r, 0, 0, 0, 0.6f * r}});
  }
  look_.style = PointStyle::icosahedra;
  expect_like_reference("tests/draw/references/icosahedra.png", draw());
}

TEST_F(References, AContainerOfGlassWithASlice) {
  Shape tank;
  tank.size = {{1.3, 0.9, 1.3}};
  tank.inside = true;
  scene_.colliders = {tank};
  SlicePicture slice;
  slice.width = slice.height = 4;
  for (int k = 0; k < 16; ++k)
    for (const int c : {16 * k, 255 - 16 * k, 80, 255}) slice.rgba.push_back(std::uint8_t(c));
  slice.corner = {{-1, -0.8, 0}};
  slice.along_width = {{2, 0, 0}};
  slice.along_height = {{0, 1.5, 0}};
  renderer_->upload_slice(slice);
  expect_like_reference("tests/draw/references/glass.png", draw());
}

TEST_F(References, AFlatScene) {
  scene_.dimension = frame_.dimension = 2;
  view_.camera = {{{0, 0, 1}}, {{0, 0, 0}}, {{0, 1, 0}}, 40, 3};
  for (int i = 0; i < 40; ++i)
    add({{-1.2 + 0.06 * i, 0.5 * std::sin(0.4 * i), 0}}, 0.12, i % 2 == 0 ? kRed : kBlue);
  Shape floor;
  floor.kind = ShapeKind::plane;
  floor.dimension = 2;
  floor.center = {{0, -1, 0}};
  Shape ball;
  ball.kind = ShapeKind::ball;
  ball.dimension = 2;
  ball.size = {{0.4, 0.4, 0.4}};
  ball.center = {{0.9, -0.7, 0}};
  scene_.colliders = {floor, ball};
  expect_like_reference("tests/draw/references/flat.png", draw());
}

// The same cube by the renderer of the CPU.
TEST_F(References, TheSplatter) {
  set_up_cube();
  PointCloud cloud;
  for (const DrawnPoint& p : frame_.points) {
    cloud.points.push_back({p.position, p.radius});
    cloud.colors.push_back({p.color[0], p.color[1], p.color[2]});
  }
  RenderOptions options;
  options.width = view_.width, options.height = view_.height;
  expect_like_reference("tests/draw/references/splatter.png",
                        render_points(cloud, scene_, view_.camera, options));
}

}  // namespace
}  // namespace firn
