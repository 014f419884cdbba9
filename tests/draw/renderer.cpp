// The OpenGL renderer, by properties of its pictures.
#include "draw/renderer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <random>

#include "draw/gl_context.h"
#include "render/surfaces.h"

namespace firn {
namespace {

constexpr std::uint8_t kRed[3] = {200, 20, 20}, kBlue[3] = {20, 20, 200};

bool is_reddish(const std::uint8_t* p) {
  return p[0] > 2 * p[1] && p[0] > 2 * p[2];
}
bool is_bluish(const std::uint8_t* p) {
  return p[2] > 2 * p[1] && p[2] > 2 * p[0];
}

// Looks along -z at the origin from z = 4; at 90 degrees the plane z = 0 is 8 m high.
Camera front_camera() {
  return {{{0, 0, 4}}, {{0, 0, 0}}, {{0, 1, 0}}, 90, 0};
}

class Draw : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::unique_ptr<GlContext>> made = GlContext::create();
    if (made) context = std::move(*made);
  }
  static void TearDownTestSuite() { context.reset(); }
  void SetUp() override {
    ASSERT_TRUE(context) << "no OpenGL: install what packages.txt lists";
    Result<std::unique_ptr<Renderer>> made = Renderer::create();
    ASSERT_TRUE(made) << made.errors()[0];
    renderer_ = std::move(*made);
    scene_.bounds = Bounds{{{-2, -2, -2}}, {{2, 2, 2}}};
    view_.camera = front_camera();
    view_.width = view_.height = 200;
    look_.by_material.resize(2);
  }
  void TearDown() override {
    EXPECT_EQ(Renderer::error_count(), 0);
    renderer_.reset();
  }

  void add(const Vec3d& place, double radius, const std::uint8_t* color, int material = 0) {
    DrawnPoint point;
    point.position = place.cast<float>();
    point.radius = static_cast<float>(radius);
    std::copy_n(color, 3, point.color);
    point.material = static_cast<std::uint8_t>(material);
    frame_.points.push_back(point);
  }
  Image draw() {
    frame_.bounds = *scene_.bounds;
    renderer_->upload(frame_);
    renderer_->draw(scene_, look_, view_);
    return renderer_->read();
  }
  template <class Test>
  int count(const Image& image, Test test) {
    int n = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) n += test(image.pixel(x, y));
    return n;
  }
  static std::unique_ptr<GlContext> context;
  std::unique_ptr<Renderer> renderer_;
  FrameData frame_;
  RenderScene scene_;
  Look look_;
  DrawView view_;
};
std::unique_ptr<GlContext> Draw::context;

int brightness(const Image& image, int x, int y) {
  const std::uint8_t* p = image.pixel(x, y);
  return p[0] + p[1] + p[2];
}

// A lattice of balls that fills a cube of 2 m.
void fill_cube(FrameData& frame, int side, const std::uint8_t* color) {
  const float step = 2.0f / static_cast<float>(side);
  for (int k = 0; k < side * side * side; ++k) {
    DrawnPoint point;
    for (int a = 0, rest = k; a < 3; ++a, rest /= side)
      point.position[a] = -1 + step * (static_cast<float>(rest % side) + 0.5f);
    point.radius = 0.57f * step;
    std::copy_n(color, 3, point.color);
    frame.points.push_back(point);
  }
}

double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int(a.rgb[i]) - int(b.rgb[i]));
  return sum / static_cast<double>(a.rgb.size());
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
  look_.by_material[0].casts_shadow = false;
  image = draw();
  EXPECT_NEAR(ground_at(image, 2), ground_at(image, -2), 12);
  look_.by_material[0].casts_shadow = true;
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
  look_.by_material[0].receives_shadow = false;
  EXPECT_NEAR(middle(draw()), alone, 3);
  look_.by_material[0].receives_shadow = true;
  look_.by_material[1].casts_shadow = false;
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
    look_.by_material[0].opacity = opacity;
    EXPECT_NEAR(count(draw(), is_reddish), opacity * solid, 0.03 * solid);
  }
  look_.by_material[0].opacity = 0;
  EXPECT_EQ(count(draw(), is_reddish), 0);
  look_.by_material[0].opacity = 1;
  look_.by_material[0].visible = false;
  EXPECT_EQ(count(draw(), is_reddish), 0);
}

// An opacity just below one hides as much but keeps all particles in the picture.
TEST_F(Draw, LeavingOutHiddenParticlesChangesNothing) {
  fill_cube(frame_, 24, kRed);
  view_.camera = {{{2.2, 1.9, 3.1}}, {{0, 0, 0}}, {{0, 1, 0}}, 45, 0};
  for (const int size : {120, 480}) {
    view_.width = view_.height = size;
    look_.by_material[0].opacity = 1;
    const Image few = draw();
    look_.by_material[0].opacity = 0.999;
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
    constexpr int kRounds = 5;
    for (int k = 0; k < kRounds; ++k) draw();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::cout << count << " spheres, upload, draw and read: " << 1e3 * seconds / kRounds << " ms\n";
  }
}

}  // namespace
}  // namespace firn
