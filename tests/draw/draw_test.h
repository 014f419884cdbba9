// What tests of the OpenGL renderer share: a context, a scene with a few particles, pictures.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../opengl/driver.h"
#include "draw/gl_context.h"
#include "draw/renderer.h"

namespace firn {

inline constexpr std::uint8_t kRed[3] = {200, 20, 20}, kBlue[3] = {20, 20, 200};

inline bool is_reddish(const std::uint8_t* p) {
  return p[0] > 2 * p[1] && p[0] > 2 * p[2];
}
inline bool is_bluish(const std::uint8_t* p) {
  return p[2] > 2 * p[1] && p[2] > 2 * p[0];
}

// Looks along -z at the origin from z = 4; at 90 degrees the plane z = 0 is 8 m high.
inline Camera front_camera() {
  return {{{0, 0, 4}}, {{0, 0, 0}}, {{0, 1, 0}}, 90, 0};
}

class Draw : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!test::opengl_problem().empty()) return;
    Result<std::unique_ptr<GlContext>> made = GlContext::create();
    if (made) context = std::move(*made);
  }
  static void TearDownTestSuite() { context.reset(); }
  void SetUp() override {
    FIRN_NEEDS_OPENGL();
    ASSERT_TRUE(context) << "no OpenGL: install what packages.txt lists";
    Result<std::unique_ptr<Renderer>> made = Renderer::create();
    ASSERT_TRUE(made) << made.errors()[0];
    renderer_ = std::move(*made);
    scene_.bounds = Bounds{{{-2, -2, -2}}, {{2, 2, 2}}};
    view_.camera = front_camera();
    view_.width = view_.height = 200;
    look_.groups.resize(2);
  }
  void TearDown() override {
    if (!renderer_) return;
    EXPECT_EQ(Renderer::error_count(), 0);
    renderer_.reset();
  }

  void add(const Vec3d& place, double radius, const std::uint8_t* color, int material = 0) {
    DrawnPoint point;
    point.position = place.cast<float>();
    point.radius = static_cast<float>(radius);
    std::copy_n(color, 3, point.color);
    point.group = static_cast<std::uint8_t>(material);
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
  static inline std::unique_ptr<GlContext> context;
  std::unique_ptr<Renderer> renderer_;
  FrameData frame_;
  RenderScene scene_;
  Look look_;
  DrawView view_;
};
inline int brightness(const Image& image, int x, int y) {
  const std::uint8_t* p = image.pixel(x, y);
  return p[0] + p[1] + p[2];
}

// A lattice of balls that fills a cube of 2 m.
inline void fill_cube(FrameData& frame, int side, const std::uint8_t* color) {
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

inline double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int(a.rgb[i]) - int(b.rgb[i]));
  return sum / static_cast<double>(a.rgb.size());
}

}  // namespace firn
