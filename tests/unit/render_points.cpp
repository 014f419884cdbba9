// The renderer: spheres where they belong, nearest in front, shadows where light is blocked, and
// the same bytes for any number of threads.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>
#include <random>

#include "exec/parallel.h"
#include "render/font.h"
#include "render/legend.h"
#include "render/splatter.h"
#include "render/visibility.h"

namespace firn {
namespace {

constexpr Rgb8 kRed{200, 20, 20}, kBlue{20, 20, 200};

PointCloud cloud_of(std::vector<Point> points, Rgb8 color) {
  PointCloud cloud;
  cloud.colors.assign(points.size(), color);
  cloud.points = std::move(points);
  return cloud;
}

bool is_reddish(const std::uint8_t* p) {
  return p[0] > 2 * p[1] && p[0] > 2 * p[2];
}
bool is_bluish(const std::uint8_t* p) {
  return p[2] > 2 * p[1] && p[2] > 2 * p[0];
}
int brightness(const Image& image, int x, int y) {
  const std::uint8_t* p = image.pixel(x, y);
  return p[0] + p[1] + p[2];
}

// Looks along -z at the origin from z = 4; at 90 degrees the plane z = 0 is 8 m high.
Camera front_camera() {
  return {{{0, 0, 4}}, {{0, 0, 0}}, {{0, 1, 0}}, 90, 0};
}

RenderOptions small_picture(int size, int supersampling = 2) {
  RenderOptions options;
  options.width = options.height = size;
  options.supersampling = supersampling;
  return options;
}

TEST(Visibility, SphereCoversItsOutlineAtItsDepth) {
  const Projection projection = make_projection(front_camera(), {{0, 0, 0}}, 400, 400);
  VisibilityBuffer buffer(400, 400);
  const float r = 1.0f;
  splat_points({{{{1, 0.5f, 0}}, r}}, projection, buffer);
  // 50 pixels a metre at z = 0; x to the right, y up.
  const float cx = 250, cy = 175, outline = 200 * r / std::sqrt(16 - r * r);
  int covered = 0;
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 400; ++x) {
      const float d =
          std::hypot(static_cast<float>(x) + 0.5f - cx, static_cast<float>(y) + 0.5f - cy);
      EXPECT_EQ(buffer.id[buffer.index(x, y)], d < outline ? 0u : kNothing) << x << " " << y;
      covered += buffer.id[buffer.index(x, y)] == 0;
    }
  EXPECT_NEAR(covered, kPi * outline * outline, 0.01 * covered);
  EXPECT_NEAR(buffer.depth[buffer.index(250, 175)], 3.0f, 1e-3f);      // its front
  EXPECT_NEAR(buffer.depth[buffer.index(250 + 50, 175)], 4.0f, 0.3f);  // near its edge
}

// Prints splats a second; run it by hand on a machine that has nothing else to do.
TEST(Visibility, DISABLED_Speed) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> unit(-1, 1);
  std::vector<Point> points(2'000'000);
  const float radius = 1.15f * std::cbrt(1 / static_cast<float>(points.size()));
  for (Point& p : points) p = {{{unit(random), unit(random), unit(random)}}, radius};
  const Projection projection =
      make_projection(framing_camera(corners_of({{{-1, -1, -1}}, {{1, 1, 1}}}), 16.0 / 9, 35),
                      {{0, 0, 0}}, 1280, 720);
  for (int round = 0; round < 4; ++round) {
    VisibilityBuffer buffer(1280, 720);
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t busy = std::clock();
    splat_points(points, projection, buffer);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double work = static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC;
    std::cout << 2 / seconds << " million splats a second, " << 2 / work
              << " for each second of one core\n";
  }
}

TEST(Visibility, NearestWinsInAnyOrderAndAmongMany) {
  std::vector<Point> points;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> unit(-1, 1);
  for (int i = 0; i < 2000; ++i)
    points.push_back({{{unit(random), unit(random), unit(random)}}, 0.05f});
  const Projection projection = make_projection(front_camera(), {{0, 0, 0}}, 300, 300);
  VisibilityBuffer buffer(300, 300);
  splat_points(points, projection, buffer);
  // A plain loop without tiles, sorting or early tests.
  std::vector<float> nearest(300 * 300, kFar);
  for (const Point& point : points) {
    const Spot s = projection.project(point.position, point.radius);
    for (int y = 0; y < 300; ++y)
      for (int x = 0; x < 300; ++x) {
        const float dx = static_cast<float>(x) + 0.5f - s.x,
                    dy = static_cast<float>(y) + 0.5f - s.y;
        const float left = s.radius * s.radius - dy * dy - dx * dx;
        if (left < 0) continue;
        const float z = s.depth - point.radius / s.radius * std::sqrt(left);
        nearest[y * 300 + x] = std::min(nearest[y * 300 + x], z);
      }
  }
  int wrong = 0;
  for (std::size_t i = 0; i < nearest.size(); ++i)
    wrong += !(nearest[i] == buffer.depth[i] || std::abs(nearest[i] - buffer.depth[i]) < 1e-5f);
  EXPECT_LE(wrong, 3);  // a pixel exactly on an outline may fall on either side
}

TEST(Visibility, TinyPointsCoverTheirAreaOnAverage) {
  // 20000 points of 0.3 pixels radius far apart: single pixels, as many as their area says.
  std::vector<Point> points;
  const Projection projection = make_projection(front_camera(), {{0, 0, 0}}, 2000, 2000);
  const float pixel = projection.pixel_size(4);
  for (int i = 0; i < 20000; ++i)
    points.push_back({{{(static_cast<float>(i % 200) - 100) * 9 * pixel,
                        (static_cast<float>(i / 200) - 50) * 9 * pixel, 0}},
                      0.3f * pixel});
  VisibilityBuffer buffer(2000, 2000);
  splat_points(points, projection, buffer);
  double covered = 0;
  for (const std::uint32_t id : buffer.id) covered += id != kNothing;
  EXPECT_NEAR(covered / 20000, kPi * 0.09, 0.02);
}

TEST(Visibility, IgnoresNonsenseAndWhatIsBehindTheEye) {
  const Projection projection = make_projection(front_camera(), {{0, 0, 0}}, 64, 64);
  VisibilityBuffer buffer(64, 64);
  splat_points({{{{0, 0, 6}}, 0.5f},
                {{{NAN, 0, 0}}, 0.5f},
                {{{0, INFINITY, 0}}, 0.5f},
                {{{1e30f, 0, 0}}, 1}},
               projection, buffer);
  for (const std::uint32_t id : buffer.id) EXPECT_EQ(id, kNothing);
}

TEST(Render, FrontSphereHidesTheOneBehind) {
  PointCloud cloud = cloud_of({{{{0, 0, 0}}, 1.0f}, {{{0.5f, 0, 1.5f}}, 0.5f}}, kBlue);
  cloud.colors[1] = kRed;
  const Image image = render_points(cloud, {}, front_camera(), small_picture(200));
  EXPECT_TRUE(is_reddish(image.pixel(100 + 20, 100)));
  EXPECT_TRUE(is_bluish(image.pixel(100 - 20, 100)));
  EXPECT_FALSE(is_bluish(image.pixel(20, 20)));
}

TEST(Render, ShadowFallsAwayFromTheLightOnTheGround) {
  RenderScene scene;
  scene.ground_height = 0;
  scene.light = {{1, 1, 0}};
  const Camera above{{{0, 8, 0.01}}, {{0, 0, 0}}, {{0, 0, -1}}, 90, 0};
  const PointCloud ball = cloud_of({{{{0, 1.5f, 0}}, 0.5f}}, kRed);
  // 25 pixels a metre on the ground; the light leans along +x, so the shadow lies at x = -1.5.
  const Image lit = render_points(ball, scene, above, small_picture(400));
  const int shadow = brightness(lit, 200 - 37, 200), mirrored = brightness(lit, 200 + 37, 200);
  EXPECT_LT(shadow, 0.8 * mirrored);
  scene.ground_shadow = false;
  const Image plain = render_points(ball, scene, above, small_picture(400));
  EXPECT_GT(brightness(plain, 200 - 37, 200), 0.95 * mirrored);
}

TEST(Render, ParticlesShadowEachOtherAndColliders) {
  RenderScene scene;
  scene.light = {{0, 1, 0}};
  Shape table;
  table.size = {{2, 0.1, 2}};
  table.center = {{0, -1, 0}};
  scene.colliders = {table};
  const Camera side{{{0, 3, 6}}, {{0, -0.5, 0}}, {{0, 1, 0}}, 40, 0};
  RenderOptions options = small_picture(300);
  options.ambient_occlusion = false;
  PointCloud below = cloud_of({{{{0, -0.5f, 0}}, 0.3f}}, kRed);
  const Image open = render_points(below, scene, side, options);
  below.points.push_back({{{0, 2.2f, 0}}, 0.8f});  // out of the picture, above
  below.colors.push_back(kBlue);
  const Image covered = render_points(below, scene, side, options);
  const Projection p = make_projection(side, {{0, 0, 0}}, 300, 300);
  const auto at = [&](const Image& image, Vec3f place) {
    const Spot s = p.project(place, 0);
    return brightness(image, static_cast<int>(s.x), static_cast<int>(s.y));
  };
  EXPECT_LT(at(covered, {{0, -0.25f, 0.15f}}), 0.85 * at(open, {{0, -0.25f, 0.15f}}));  // the ball
  EXPECT_LT(at(covered, {{0.6f, -0.9f, 0}}), 0.85 * at(open, {{0.6f, -0.9f, 0}}));      // the table
  EXPECT_EQ(at(covered, {{1.8f, -0.9f, 0}}), at(open, {{1.8f, -0.9f, 0}}));             // beside
}

TEST(Render, SolidsHideAndContainersDoNot) {
  RenderScene scene;
  Shape box;
  box.size = {{1, 1, 0.5}};
  box.center = {{0, 0, 1.5}};
  scene.colliders = {box};
  const PointCloud ball = cloud_of({{{{0, 0, 0}}, 0.5f}}, kRed);
  EXPECT_FALSE(
      is_reddish(render_points(ball, scene, front_camera(), small_picture(100)).pixel(50, 50)));
  scene.colliders[0].inside = true;
  EXPECT_TRUE(
      is_reddish(render_points(ball, scene, front_camera(), small_picture(100)).pixel(50, 50)));
}

TEST(Render, SameBytesForAnyNumberOfThreads) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<Point> points;
  for (int i = 0; i < 60000; ++i)
    points.push_back({{{normal(random), std::abs(normal(random)), normal(random)}},
                      0.01f + 0.02f * static_cast<float>(i % 3)});
  const PointCloud cloud = cloud_of(std::move(points), kBlue);
  RenderScene scene;
  scene.ground_height = 0;
  Shape ball;
  ball.kind = ShapeKind::ball;
  ball.size = {{0.7, 0, 0}};
  ball.center = {{1.5, 0.7, 1.5}};
  scene.colliders = {ball};
  const int threads = thread_count();
  std::vector<Image> images;
  for (const int n : {1, 2, 3}) {
    set_thread_count(n);
    images.push_back(render_points(cloud, scene, front_camera(), small_picture(240)));
  }
  set_thread_count(threads);
  EXPECT_EQ(images[0].rgb, images[1].rgb);
  EXPECT_EQ(images[0].rgb, images[2].rgb);
}

TEST(Render, FarFromTheOriginLooksTheSame) {
  RenderScene scene;
  scene.ground_height = 0;
  PointTable table;
  table.count = 2;
  table.columns = {{"x", std::vector<double>{0, 0.25}},
                   {"y", std::vector<double>{0.5, 1}},
                   {"z", std::vector<double>{0, 0.25}}};
  Camera camera{{{0, 2, 4}}, {{0, 0.5, 0}}, {{0, 1, 0}}, 40, 0};
  const auto draw = [&](const Vec3d& shift) {
    const auto cloud = make_point_cloud(table, shift, 0.25, {});
    return render_points(*cloud, scene, camera, small_picture(120)).rgb;
  };
  const auto near = draw({{0, 0, 0}});
  const double km = 1048576;  // a power of two: coordinates shift without rounding
  table.columns[0].values = std::vector<double>{km, km + 0.25};
  camera.eye[0] += km, camera.target[0] += km;
  EXPECT_EQ(near, draw({{km, 0, 0}}));
}

TEST(Render, FlatSceneShowsDiscsAndFilledColliders) {
  RenderScene scene;
  scene.dimension = 2;
  Shape floor;
  floor.kind = ShapeKind::plane;
  floor.center = {{0, -1, 0}};
  floor.dimension = 2;
  scene.colliders = {floor};
  const Camera camera = flat_camera({{{-2, -2, 0}}, {{2, 2, 0}}}, 1);
  const Image image =
      render_points(cloud_of({{{{0, 0, 0}}, 0.5f}}, kRed), scene, camera, small_picture(200));
  EXPECT_TRUE(is_reddish(image.pixel(100, 100)));
  EXPECT_FALSE(is_reddish(image.pixel(100, 60)));
  EXPECT_LT(brightness(image, 100, 190), 0.95 * brightness(image, 100, 30));  // inside the floor
}

TEST(Camera, FramesEverythingAndIgnoresStrays) {
  PointTable table;
  table.count = 10001;
  for (const char* name : {"x", "y", "z"}) {
    auto& v = table.add<float>(name);
    for (std::size_t i = 0; i < table.count; ++i) v[i] = 5 + 0.001f * static_cast<float>(i % 1000);
    v[10000] = 1e6f;
  }
  const Bounds box = robust_bounds(table);
  EXPECT_NEAR(box.low[0], 5, 0.02);
  EXPECT_NEAR(box.high[0], 6, 0.02);
  for (const std::string& name : camera_names()) {
    const Camera camera = framing_camera(corners_of(box), 1.5, 35, name);
    const Projection p = make_projection(camera, {{0, 0, 0}}, 300, 200);
    float widest = 0;
    for (const Vec3d& corner : corners_of(box)) {
      const Spot s = p.project(corner.cast<float>(), 0);
      EXPECT_GT(s.depth, 0);
      widest = std::max({widest, std::abs(s.x - 150) / 150, std::abs(s.y - 100) / 100});
    }
    EXPECT_LE(widest, 0.93f) << name;
    EXPECT_GE(widest, 0.75f) << name;  // and fills the picture
  }
}

TEST(Colors, ScaleRisesInLightnessAndCoversItsRange) {
  int last = -1;
  for (int i = 0; i <= 64; ++i) {
    const Rgb8 c = scale_color(static_cast<float>(i) / 64);
    const int light = 2 * c.r + 7 * c.g + c.b;
    EXPECT_GT(light, last);
    last = light;
  }
  for (int v = 0; v < 256; ++v)
    EXPECT_EQ(srgb_from_linear(linear_from_srgb(static_cast<std::uint8_t>(v))), v);
}

TEST(Colors, SpeedComesFromVelocityAndMissingColumnsAreNamed) {
  PointTable table;
  table.count = 2;
  table.columns = {{"vx", std::vector<float>{3, 0}}, {"vy", std::vector<float>{4, 1}}};
  EXPECT_EQ(*color_values(table, "speed"), (std::vector<float>{5, 1}));
  const auto missing = color_values(table, "pressure");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.errors()[0].find("vx, vy"), std::string::npos);
}

TEST(Legend, DrawsABarAndText) {
  Image image(200, 200);
  std::fill(image.rgb.begin(), image.rgb.end(), 240);
  draw_legend(image, {"speed (m/s)", 0, 12.5, {}});
  int changed = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) {
      changed += brightness(image, x, y) != 720;
      EXPECT_TRUE(x <= 100 || brightness(image, x, y) == 720);
    }
  EXPECT_GT(changed, 70 * 9);
  Image tiny(3, 3);
  draw_legend(tiny, {"a very long title", 0, 1, {{"one", kRed}, {"two", kBlue}}});
  draw_text(tiny, -50, 1, "clipped \x01", kRed, 2);
}

TEST(Points, RadiusFromVolumeOrFromDensity) {
  PointTable table;
  table.count = 20 * 20 * 20;
  for (const int axis : {0, 1, 2}) {
    auto& v = table.add<float>(std::string(1, static_cast<char>('x' + axis)));
    for (std::size_t i = 0; i < table.count; ++i)
      v[i] = 0.1f * static_cast<float>(axis == 0 ? i % 20 : axis == 1 ? i / 20 % 20 : i / 400);
  }
  EXPECT_NEAR(estimate_radius(table, 3), kSphereOverlap * 0.05, 0.02);
  for (float& v : table.add<float>("volume")) v = 0.008f;
  EXPECT_NEAR(estimate_radius(table, 3), kSphereOverlap * 0.1, 1e-6);
}

}  // namespace
}  // namespace firn
