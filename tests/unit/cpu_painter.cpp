// The painter without OpenGL: every style and slice is drawn where it belongs, and what is not
// followed is named.
#include "draw/cpu_painter.h"

#include "../draw/painted_runs.h"
#include "exec/parallel.h"
#include "render/icosahedron.h"
#include "render/projection.h"

namespace firn {
namespace {

Image painted(const PaintedRun& run, const PainterOptions& more = {}) {
  return run.paint(*make_cpu_painter(run.scene, run.options, more));
}

struct Extent {
  int low[2] = {9999, 9999}, high[2] = {-1, -1}, count = 0;
};
Extent red_extent(const Image& image) {
  Extent e;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      if (!is_reddish(image.pixel(x, y))) continue;
      ++e.count;
      e.low[0] = std::min(e.low[0], x), e.high[0] = std::max(e.high[0], x);
      e.low[1] = std::min(e.low[1], y), e.high[1] = std::max(e.high[1], y);
    }
  return e;
}

// Pixels of a ball of 0.5 m around (0, 0.6, 0), as the camera of the run sees it.
Extent ball_extent(const PaintedRun& run) {
  const Survey survey = run.survey();
  const Projection p =
      make_projection(survey.camera, {{0, 0, 0}}, run.options.width, run.options.height);
  const Spot spot = p.project({{0, 0.6f, 0}}, 0.5f);
  Extent e;
  e.low[0] = int(spot.x - spot.radius), e.high[0] = int(spot.x + spot.radius);
  e.low[1] = int(spot.y - spot.radius), e.high[1] = int(spot.y + spot.radius);
  e.count = int(3.14159f * spot.radius * spot.radius);
  return e;
}

TEST(CpuPainter, AMeshIsTheSurfaceOfItsParticles) {
  const PaintedRun run = stretched_ball();
  const Extent e = red_extent(painted(run, {PointStyle::mesh, {}})), ball = ball_extent(run);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(e.low[k], ball.low[k], 3);
    EXPECT_NEAR(e.high[k], ball.high[k], 3);
  }
  EXPECT_NEAR(e.count, ball.count, 0.06 * ball.count);
}

// A square of two red triangles, and a particle that is no corner of it.
PaintedRun red_square(int dimension) {
  PaintedRun run;
  const std::string text = R"({"dimension": )" + std::to_string(dimension) + R"(,
    "grid": {"spacing": 0.1}, "materials": {"a": {"model": "neo_hookean"}},
    "objects": [{"shape": {"type": "ball", "radius": 0.1}, "material": "a"}],
    "view": {"point_radius": 0.01}})";
  run.scene = scene_with({}, text.c_str());
  add_positions(
      run, {{{-1, -1, 0}}, {{1, -1, 0}}, {{1, 1, 0}}, {{-1, 1, 0}}, {{2, 2, 0}}, {{-2, -2, 0}}},
      dimension);
  run.scene.view.camera = CameraSettings{{{0, 0, 6}}, {{0, 0, 0}}, 60};
  run.table.meshes = {{"square", {0, 1, 2, 0, 2, 3}, {}, {}}};
  run.options.width = 200, run.options.height = 200;
  return run;
}

TEST(CpuPainter, MeshesOfFramesCoverTheirPixelsInAnyStyle) {
  for (const int dimension : {3, 2})
    for (const PointStyle style : {PointStyle::spheres, PointStyle::icosahedra, PointStyle::mesh}) {
      const PaintedRun run = red_square(dimension);
      const Image image = painted(run, {style, {}});
      const Projection p =
          make_projection(run.survey().camera, {{0, 0, 0}}, image.width, image.height);
      int wrong = 0, inside = 0;
      for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
          const Spot low = p.project({{-1, -1, 0}}, 0), high = p.project({{1, 1, 0}}, 0);
          const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
          const bool in = px > low.x && px < high.x && py > high.y && py < low.y;
          inside += in;
          wrong += in != is_reddish(image.pixel(x, y));
        }
      EXPECT_GT(inside, 2000);
      EXPECT_LT(wrong, 0.05 * inside) << dimension;  // rims, and the two particles beside it
    }
  PaintedRun hidden = red_square(3);
  hidden.scene.view.look.materials.emplace_back().visible = false;
  EXPECT_EQ(red_extent(painted(hidden)).count, 0);
}

// The back of an open surface is lit like its front.
TEST(CpuPainter, BothSidesOfASheetAreSeen) {
  PaintedRun run = red_square(3);
  run.scene.view.light = {{0, 0, 1}};
  const Image front = painted(run);
  run.table.meshes[0].triangles = {2, 1, 0, 3, 2, 0};
  const Image turned = painted(run);
  EXPECT_NEAR(front.pixel(100, 100)[0], turned.pixel(100, 100)[0], 2);
}

// Neighbours of a smooth surface have nearly the same shade; balls of a few pixels do not.
TEST(CpuPainter, AMeshIsSmootherThanSpheres) {
  PaintedRun run = stretched_ball();
  run.options.width = 640, run.options.height = 480;
  const auto roughness = [&](PointStyle style) {
    const Image image = painted(run, {style, {}});
    double sum = 0;
    int count = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 1; x < image.width; ++x) {
        const std::uint8_t *a = image.pixel(x - 1, y), *b = image.pixel(x, y);
        if (!is_reddish(a) || !is_reddish(b)) continue;
        sum += std::abs(int(a[0]) - int(b[0]));
        ++count;
      }
    return sum / count;
  };
  EXPECT_LT(roughness(PointStyle::mesh), 0.5 * roughness(PointStyle::spheres));
}

void set_first(PointTable& table, const std::string& name, float value) {
  for (Column& column : table.columns)
    if (column.name == name) std::get<std::vector<float>>(column.values)[0] = value;
}

TEST(CpuPainter, IcosahedraFollowTheDeformation) {
  PaintedRun run = stretched_ball();
  run.table.count = 1;
  for (Column& column : run.table.columns)
    std::visit([](auto& values) { values.resize(1); }, column.values);
  set_first(run.table, "x", 0);
  set_first(run.table, "y", 0.6f);
  set_first(run.table, "z", 0);
  run.scene.view.point_radius = 0.2;
  run.scene.view.camera = CameraSettings{{{0, 0.6, 4}}, {{0, 0.6, 0}}, 40};
  run.scene.colliders.clear();
  const auto extent = [&](float xx, float xy, float yx, float yy) {
    const float f[9] = {xx, xy, 0, yx, yy, 0, 0, 0, 1};
    const char* names[] = {"F_xx", "F_xy", "F_xz", "F_yx", "F_yy", "F_yz", "F_zx", "F_zy", "F_zz"};
    for (int k = 0; k < 9; ++k) set_first(run.table, names[k], f[k]);
    const Extent e = red_extent(painted(run, {PointStyle::icosahedra, {}}));
    return std::pair(e.high[0] - e.low[0] + 1, e.high[1] - e.low[1] + 1);
  };
  const auto ball = extent(1, 0, 0, 1), wide = extent(3, 0, 0, 1), turned = extent(0, -1, 3, 0),
             inverted = extent(-1, 0, 0, 1);
  EXPECT_NEAR(ball.first, ball.second, 4);
  EXPECT_NEAR(wide.first, 3 * ball.first, 6);
  EXPECT_NEAR(wide.second, ball.second, 3);
  EXPECT_NEAR(turned.second, 3 * ball.first, 6);
  EXPECT_NEAR(inverted.first, ball.first, 3);
}

TEST(CpuPainter, TheIcosahedronHasTheVolumeOfABall) {
  const Icosahedron& body = icosahedron();
  double volume = 0;
  for (const auto& face : body.faces) {
    Vec3d c[3];
    for (int k = 0; k < 3; ++k)
      c[k] = body.corners[std::size_t(face[std::size_t(k)])].cast<double>();
    const double part = dot(cross(c[0], c[1]), c[2]) / 6;
    EXPECT_GT(part, 0);
    volume += part;
  }
  EXPECT_NEAR(volume, 4.18879, 1e-4);
}

TEST(CpuPainter, SlicesShowTheirValuesInTheirPlaces) {
  for (const int dimension : {3, 2}) {
    const PaintedRun run = sheared_block(dimension);
    PainterOptions more;
    more.slice = SliceView{run.slice("velocity_x"), -0.5, 0.5, ColorMap::viridis, false};
    const Image image = painted(run, more);
    const Projection p =
        make_projection(run.survey().camera, {{0, 0, 0}}, image.width, image.height);
    for (const double x : {-0.3, -0.1, 0.0, 0.2, 0.4}) {
      const Spot spot = p.project(Vec3d{{x, 0.1, 0}}.cast<float>(), 0);
      const Rgb8 expected = scale_color(static_cast<float>(x + 0.5), ColorMap::viridis);
      const std::uint8_t* seen = image.pixel(int(spot.x), int(spot.y));
      EXPECT_NEAR(seen[0], expected.r, 4) << dimension << " " << x;
      EXPECT_NEAR(seen[1], expected.g, 4) << dimension << " " << x;
      EXPECT_NEAR(seen[2], expected.b, 4) << dimension << " " << x;
    }
    EXPECT_EQ(red_extent(image).count, 0);  // the particles are not shown
  }
}

TEST(CpuPainter, BodiesCastShadows) {
  PaintedRun run = stretched_ball();
  for (const PointStyle style : {PointStyle::mesh, PointStyle::icosahedra}) {
    const auto darkness = [&](bool shadows) {
      run.scene.view.look.shadows = shadows;
      const Image image = painted(run, {style, {}});
      double sum = 0;
      for (const std::uint8_t value : image.rgb) sum += value;
      return sum / double(image.rgb.size());
    };
    EXPECT_LT(darkness(true), darkness(false) - 1);
  }
}

TEST(CpuPainter, TheSameBytesForAnyNumberOfThreads) {
  const PaintedRun run = stretched_ball();
  const int threads = thread_count();
  for (const PointStyle style : {PointStyle::mesh, PointStyle::icosahedra}) {
    set_thread_count(1);
    const Image one = painted(run, {style, {}});
    set_thread_count(3);
    EXPECT_EQ(painted(run, {style, {}}).rgb, one.rgb);
  }
  set_thread_count(threads);
}

TEST(CpuPainter, NamesWhatItDoesNotFollow) {
  PaintedRun run = stretched_ball();
  EXPECT_EQ(cpu_painter_limits(run.scene), "");
  run.scene.view.look.materials.resize(1);
  run.scene.view.look.materials[0].opacity = 0.4;
  run.scene.view.look.shadow_softness = 3;
  run.scene.view.look.colliders = ColliderStyle::transparent;
  const std::string line = cpu_painter_limits(run.scene);
  for (const char* what : {"opacity", "shadow_softness", "transparent"})
    EXPECT_NE(line.find(what), std::string::npos) << line;
}

}  // namespace
}  // namespace firn
