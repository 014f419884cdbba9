// The two painters beside each other: whatever is asked for, OpenGL and the CPU show the same, up
// to the way they shade.
#include "../opengl/driver.h"
#include "draw/cpu_painter.h"
#include "draw/gl_painter.h"
#include "painted_runs.h"

namespace firn {
namespace {

double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int(a.rgb[i]) - int(b.rgb[i]));
  return sum / static_cast<double>(a.rgb.size());
}

void expect_alike(const PaintedRun& run, const PainterOptions& more, const std::string& name) {
  Result<std::unique_ptr<FramePainter>> gl = make_gl_painter(run.scene, run.options, more);
  ASSERT_TRUE(gl) << gl.errors()[0];
  const Image theirs = run.paint(**gl),
              ours = run.paint(*make_cpu_painter(run.scene, run.options, more));
  EXPECT_LT(mean_difference(theirs, ours), 8) << name;
  int differ = 0, red = 0;
  for (int y = 0; y < ours.height; ++y)
    for (int x = 0; x < ours.width; ++x) {
      red += is_reddish(theirs.pixel(x, y));
      differ += is_reddish(theirs.pixel(x, y)) != is_reddish(ours.pixel(x, y));
    }
  EXPECT_LT(differ, 0.04 * red + 60) << name << " of " << red;
}

TEST(Painters, DrawEveryStyleAlike) {
  FIRN_NEEDS_OPENGL();
  const PaintedRun run = stretched_ball();
  for (const PointStyle style :
       {PointStyle::points, PointStyle::spheres, PointStyle::icosahedra, PointStyle::mesh})
    expect_alike(run, {style, {}}, point_style_names()[static_cast<std::size_t>(style)]);
}

TEST(Painters, DrawSlicesAlike) {
  FIRN_NEEDS_OPENGL();
  for (const int dimension : {3, 2}) {
    const PaintedRun run = sheared_block(dimension);
    PainterOptions more;
    more.slice = SliceView{run.slice("velocity_x"), -1, 1, ColorMap::plasma, true};
    expect_alike(run, more, "slice in " + std::to_string(dimension) + "D");
  }
}

TEST(Painters, FollowHiddenMaterialsAndColliders) {
  FIRN_NEEDS_OPENGL();
  PaintedRun run = stretched_ball();
  run.scene.view.look.materials.resize(1);
  run.scene.view.look.materials[0].visible = false;
  expect_alike(run, {}, "hidden particles");
  run = stretched_ball();
  for (const char* style : {"hidden", "outline", "solid"}) {
    run.scene.colliders[1].look.emplace();
    run.scene.colliders[1].look->style = style;
    run.scene.colliders[1].look->color = Vec3d{{0.2, 0.4, 0.9}};
    expect_alike(run, {}, style);
  }
}

}  // namespace
}  // namespace firn
