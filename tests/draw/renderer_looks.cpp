// The OpenGL renderer: colliders that differ from the rest, and those with the looks of their
// files.
#include <gtest/gtest.h>

#include "draw_test.h"

namespace firn {
namespace {

Shape box_at(const Vec3d& center, const Vec3d& half) {
  Shape box;
  box.size = half;
  box.center = center;
  return box;
}

TEST_F(Draw, CollidersHaveStylesAndColoursOfTheirOwn) {
  scene_.colliders = {box_at({{-1, 0, 0}}, {{0.5, 0.5, 0.5}}),
                      box_at({{1, 0, 0}}, {{0.5, 0.5, 0.5}})};
  scene_.collider_paints.resize(2);
  ColliderLook& look = scene_.collider_paints[1].look;
  const Image alike = draw();
  EXPECT_NEAR(brightness(alike, 75, 100), brightness(alike, 125, 100), 60);
  look.color = Vec3d{{0.8, 0.1, 0.1}};
  const Image red = draw();
  EXPECT_TRUE(is_reddish(red.pixel(125, 100)));
  EXPECT_FALSE(is_reddish(red.pixel(75, 100)));
  look.style = "transparent";
  look.opacity = 0.2;
  EXPECT_FALSE(is_reddish(draw().pixel(125, 100)));
  look.style = "hidden";
  const Image hidden = draw();
  EXPECT_GT(brightness(hidden, 125, 100), brightness(hidden, 75, 100) + 30);
  // What differs may also be shown where the rest is hidden.
  look_.colliders = ColliderStyle::hidden;
  look.style = "solid";
  EXPECT_TRUE(is_reddish(draw().pixel(125, 100)));
}

// A plate above a floor, lit from above.
TEST_F(Draw, CollidersCastAndReceiveShadowsAsTheyAreTold) {
  view_.camera.eye = {{0, 2.5, 4}};
  look_.light = {{0, 1, 0}};
  look_.ambient_occlusion = false;
  scene_.colliders = {box_at({{0, -1.5, 0}}, {{1.8, 0.2, 1.8}}),
                      box_at({{0, 1, 0}}, {{0.7, 0.05, 0.7}})};
  scene_.collider_paints.resize(2);
  const Projection p = make_projection(view_.camera, {{0, 0, 0}}, 200, 200);
  const Spot below = p.project({{0, -1.3f, 0}}, 0);
  const auto light = [&] { return brightness(draw(), int(below.x), int(below.y)); };
  const int dark = light();
  scene_.collider_paints[1].look.casts_shadow = false;
  const int lit = light();
  EXPECT_GT(lit, dark + 100);
  scene_.collider_paints[1].look.casts_shadow = true;
  scene_.collider_paints[0].look.receives_shadow = false;
  EXPECT_NEAR(light(), lit, 12);
}

// A square of two parts: the left one red by its vertices, the right one with a picture whose upper
// half is blue.
TEST_F(Draw, MeshesAreShownWithTheLooksOfTheirFiles) {
  auto mesh = std::make_shared<PaintedMesh>();
  mesh->vertices = {{{-1, -1, 0}}, {{0, -1, 0}}, {{0, 1, 0}}, {{-1, 1, 0}},
                    {{0, -1, 0}},  {{1, -1, 0}}, {{1, 1, 0}}, {{0, 1, 0}}};
  mesh->normals.assign(8, {{0, 0, 1}});
  mesh->places = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0};
  for (int v = 0; v < 8; ++v) {
    const std::uint8_t rest = v < 4 ? 20 : 255;
    mesh->colors.insert(mesh->colors.end(), {255, rest, rest, 255});
  }
  mesh->indices = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
  mesh->parts = {{0, 6, -1}, {6, 6, 0}};
  Image picture(64, 64);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) std::copy_n(y < 32 ? kBlue : kRed, 3, picture.pixel(x, y));
  mesh->pictures = {picture};
  scene_.colliders = {box_at({{0, 0.2, 0}}, {{1, 1, 0.01}})};
  scene_.collider_paints.resize(1);
  scene_.collider_paints[0].mesh = mesh;
  const Image image = draw();  // 25 pixels a metre
  EXPECT_TRUE(is_reddish(image.pixel(88, 95)));
  EXPECT_TRUE(is_bluish(image.pixel(112, 80)));
  EXPECT_TRUE(is_reddish(image.pixel(112, 110)));
  EXPECT_NEAR(count(image, is_bluish), 25 * 25, 60);
  // Its place is that of the shape, whichever size the file has.
  scene_.collider_paints[0].placement.matrix = Mat<double, 3>::identity() * 0.5;
  EXPECT_NEAR(count(draw(), is_bluish), 12.5 * 12.5, 40);
  scene_.collider_paints[0].look.color = Vec3d{{0.1, 0.7, 0.1}};
  EXPECT_EQ(count(draw(), is_bluish), 0);
}

}  // namespace
}  // namespace firn
