// The OpenGL renderer: particles, shadows, opacity, by properties of its pictures.
#include <gtest/gtest.h>

#include <cmath>

#include "draw_test.h"

namespace firn {
namespace {

// Also one whose middle lies outside of the picture.
TEST_F(Draw, SmallBallsAreSeenBeyondTheBorder) {
  add({{-4.1, 0, 0}}, 0.3, kRed);  // 2.5 pixels outside, 7.5 wide
  const Image image = draw();
  EXPECT_TRUE(is_reddish(image.pixel(2, 100)));
  EXPECT_FALSE(is_reddish(image.pixel(8, 100)));
}

// Also near the corner, where the outline is an ellipse: every line of sight that meets the ball.
TEST_F(Draw, BallCoversExactlyItsOutline) {
  for (const double radius : {1.0, 0.12}) {
    for (const Vec3d& middle : {Vec3d{{0.3, -0.2, 0}}, Vec3d{{2.4, 2.1, 0.5}}}) {
      frame_.points.clear();
      add(middle, radius, kRed);
      const Image image = draw();
      int wrong = 0, inside = 0;
      for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x) {
          const Vec3d ray{{(x + 0.5) / 25 - 4, 4 - (y + 0.5) / 25, -4}};
          const Vec3d to = middle - Vec3d{{0, 0, 4}};
          const double along = dot(to, ray) / std::sqrt(dot(ray, ray));
          const bool hit = dot(to, to) - along * along < radius * radius;
          inside += hit;
          wrong += hit != is_reddish(image.pixel(x, y));
        }
      EXPECT_GT(inside, 15);
      // Small ones are discs: some pixels of the rim may differ.
      EXPECT_LE(wrong, radius > 0.5 ? 0.004 * inside : 16) << radius << " " << middle[0];
    }
  }
}

// The frame's own meshes, in any style, from both sides; hidden groups are not drawn.
TEST_F(Draw, MeshesOfFramesAreDrawnInAnyStyle) {
  frame_.cells.vertices = {{{-1, -1, 0}}, {{1, -1, 0}}, {{1, 1, 0}}, {{-1, 1, 0}}};
  frame_.cells.normals.assign(4, {{0, 0, 1}});
  for (int v = 0; v < 4; ++v)
    frame_.cells.colors.insert(frame_.cells.colors.end(), {200, 20, 20, 0});
  look_.light = {{0, 0, 1}};
  int brightest[2] = {};
  for (const bool turned : {false, true}) {
    frame_.cells.indices = turned ? std::vector<std::uint32_t>{2, 1, 0, 3, 2, 0}
                                  : std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3};
    frame_.cells.normals.assign(4, {{0, 0, turned ? -1.0f : 1.0f}});
    for (const PointStyle style : {PointStyle::spheres, PointStyle::mesh}) {
      look_.style = style;
      const Image image = draw();
      EXPECT_NEAR(count(image, is_reddish), 2500, 130);  // 50 pixels a side
      brightest[turned] = image.pixel(100, 100)[0];
    }
  }
  EXPECT_NEAR(brightest[0], brightest[1], 2);
  scene_.dimension = 2;
  EXPECT_NEAR(count(draw(), is_reddish), 2500, 130);
  look_.groups[0].visible = false;
  EXPECT_EQ(count(draw(), is_reddish), 0);
}

TEST_F(Draw, NearerHidesFarther) {
  for (const double radius : {1.0, 0.2}) {
    for (const bool near_first : {true, false}) {
      frame_.points.clear();
      add({{0, 0, near_first ? 1.0 : -1.0}}, radius, near_first ? kRed : kBlue);
      add({{0, 0, near_first ? -1.0 : 1.0}}, radius, near_first ? kBlue : kRed);
      EXPECT_TRUE(is_reddish(draw().pixel(100, 100)));
    }
  }
}

TEST_F(Draw, ShadowFallsAwayFromTheLight) {
  scene_.ground_height = -2;
  view_.camera = {{{0, 6, 8}}, {{0, -1, 0}}, {{0, 1, 0}}, 60, 0};
  add({{0, 0, 0}}, 0.7, kRed);
  look_.ambient_occlusion = false;
  const auto ground_at = [&](const Image& image, double x) {
    const Projection p = make_projection(view_.camera, {{0, 0, 0}}, 200, 200);
    const Spot spot = p.project(Vec3d{{x, -2, 0}}.cast<float>(), 0);
    return brightness(image, int(spot.x), int(spot.y));
  };
  // At 45 degrees the shadow lies 2 m beside the ball.
  look_.light = {{1, 1, 0}};
  Image image = draw();
  EXPECT_LT(ground_at(image, -2), ground_at(image, 2) - 40);
  look_.light = {{-1, 1, 0}};
  image = draw();
  EXPECT_LT(ground_at(image, 2), ground_at(image, -2) - 40);
  look_.groups[0].casts_shadow = false;
  image = draw();
  EXPECT_NEAR(ground_at(image, 2), ground_at(image, -2), 12);
  look_.groups[0].casts_shadow = true;
  look_.shadows = false;
  image = draw();
  EXPECT_NEAR(ground_at(image, 2), ground_at(image, -2), 12);
}

TEST_F(Draw, ShadowsFallOnOtherParticlesThatReceiveThem) {
  look_.light = {{0, 0, 1}};
  look_.ambient_occlusion = false;
  view_.camera = {{{3, 0, 4}}, {{0, 0, -1}}, {{0, 1, 0}}, 60, 0};
  add({{0, 0, -1.5}}, 0.6, kRed);
  const auto middle = [&](const Image& image) {
    const Projection p = make_projection(view_.camera, {{0, 0, 0}}, 200, 200);
    const Spot spot = p.project({{0, 0, -0.9f}}, 0);
    return int(image.pixel(int(spot.x), int(spot.y))[0]);
  };
  const int alone = middle(draw());
  add({{0, 0, 1}}, 0.5, kBlue, 1);
  const int shaded = middle(draw());
  EXPECT_LT(shaded, alone - 30);
  look_.groups[0].receives_shadow = false;
  EXPECT_NEAR(middle(draw()), alone, 3);
  look_.groups[0].receives_shadow = true;
  look_.groups[1].casts_shadow = false;
  EXPECT_NEAR(middle(draw()), alone, 3);
}

TEST_F(Draw, IcosahedraFollowTheDeformation) {
  look_.style = PointStyle::icosahedra;
  const auto extent = [&](const Mat<double, 3>& f) {
    frame_.points.clear();
    add({{0, 0, 0}}, 0.8, kRed);
    frame_.frames.assign(1, {});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) frame_.frames[0].axes[3 * j + i] = float(0.8 * f(i, j));
    const Image image = draw();
    int low[2] = {999, 999}, high[2] = {-1, -1};
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 200; ++x)
        if (is_reddish(image.pixel(x, y)))
          for (const int a : {0, 1}) {
            low[a] = std::min(low[a], a ? y : x);
            high[a] = std::max(high[a], a ? y : x);
          }
    return std::pair(high[0] - low[0] + 1, high[1] - low[1] + 1);
  };
  const auto ball = extent(Mat<double, 3>::identity());
  EXPECT_NEAR(ball.first, ball.second, 6);
  EXPECT_NEAR(ball.first, 2 * 0.8 * 25, 8);
  const Mat<double, 3> wide = Mat<double, 3>::diagonal({{3, 1, 1}});
  const auto along_x = extent(wide);
  EXPECT_NEAR(along_x.first, 3 * ball.first, 8);
  EXPECT_NEAR(along_x.second, ball.second, 4);
  const auto along_y = extent(rotation_from_degrees({{0, 0, 90}}) * wide);
  EXPECT_NEAR(along_y.first, ball.second, 4);
  EXPECT_NEAR(along_y.second, 3 * ball.first, 8);
}

TEST_F(Draw, OpacityLetsShareOfThePixelsThrough) {
  add({{0, 0, 0}}, 1.5, kRed);
  const int solid = count(draw(), is_reddish);
  for (const double opacity : {0.25, 0.5, 0.75}) {
    look_.groups[0].opacity = opacity;
    EXPECT_NEAR(count(draw(), is_reddish), opacity * solid, 0.03 * solid);
  }
  look_.groups[0].opacity = 0;
  EXPECT_EQ(count(draw(), is_reddish), 0);
  look_.groups[0].opacity = 1;
  look_.groups[0].visible = false;
  EXPECT_EQ(count(draw(), is_reddish), 0);
}

// An opacity just below one hides as much but keeps all particles in the picture.
TEST_F(Draw, LeavingOutHiddenParticlesChangesNothing) {
  fill_cube(frame_, 24, kRed);
  view_.camera = {{{2.2, 1.9, 3.1}}, {{0, 0, 0}}, {{0, 1, 0}}, 45, 0};
  for (const int size : {120, 480}) {
    view_.width = view_.height = size;
    look_.groups[0].opacity = 1;
    const Image few = draw();
    look_.groups[0].opacity = 0.999;
    const Image all = draw();
    EXPECT_LT(mean_difference(few, all), 0.02) << size;
    EXPECT_GT(count(few, is_reddish), size * size / 8);
  }
}

TEST_F(Draw, LooksLikeTheCpuRenderer) {
  fill_cube(frame_, 20, kRed);
  scene_.ground_height = -1;
  Shape ball;
  ball.kind = ShapeKind::ball;
  ball.size = {{0.5, 0.5, 0.5}};
  ball.center = {{1.7, -0.5, 0.4}};
  scene_.colliders = {ball};
  view_.camera = {{{3, 2.5, 5}}, {{0, -0.2, 0}}, {{0, 1, 0}}, 40, 0};
  view_.width = 320, view_.height = 240, view_.supersampling = 2;
  PointCloud cloud;
  for (const DrawnPoint& p : frame_.points) {
    cloud.points.push_back({p.position, p.radius});
    cloud.colors.push_back({p.color[0], p.color[1], p.color[2]});
  }
  const Image reference = render_points(cloud, scene_, view_.camera, {320, 240, 2, true});
  const Image image = draw();
  EXPECT_LT(mean_difference(image, reference), 7);
  // The same pixels are red, up to the rims.
  int differ = 0;
  for (int y = 0; y < 240; ++y)
    for (int x = 0; x < 320; ++x)
      differ += is_reddish(image.pixel(x, y)) != is_reddish(reference.pixel(x, y));
  EXPECT_LT(differ, 0.02 * count(reference, is_reddish) + 40);
}

}  // namespace
}  // namespace firn
