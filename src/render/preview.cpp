#include "render/preview.h"

#include <cmath>

#include "mesh_io/png.h"
#include "render/survey.h"
#include "scene/collider_place.h"

namespace firn {
namespace {

Rgb8 paler(const Rgb8& color) {
  const auto half_white = [](std::uint8_t c) { return static_cast<std::uint8_t>((c + 255) / 2); };
  return {half_white(color.r), half_white(color.g), half_white(color.b)};
}

void append_paler(const PointCloud& more, PointCloud& cloud) {
  cloud.points.insert(cloud.points.end(), more.points.begin(), more.points.end());
  for (const Rgb8& color : more.colors) cloud.colors.push_back(paler(color));
}

}  // namespace

std::vector<Vec3d> landmarks(Bounds core, const RenderScene& around) {
  std::vector<Vec3d> places;
  const auto add_box = [&](Shape shape, double largest) {
    shape.inside = false;
    if (!is_bounded(shape)) return;
    const Bounds box = bounding_box(shape);
    if (diagonal_of(united(box, core)) > largest) return;
    for (const Vec3d& corner : corners_of(box)) places.push_back(corner);
  };
  constexpr double kMuchLarger = 12;
  for (const RegionMark& mark : around.marks)
    if (!mark.shape.inside) add_box(mark.shape, INFINITY);
  for (const Vec3d& place : places) core = united(core, {place, place});
  const double largest = kMuchLarger * diagonal_of(core);
  for (const Shape& shape : around.colliders) {
    add_box(shape, largest);
    if (shape.kind != ShapeKind::plane) continue;
    for (const Vec3d& corner : corners_of(core)) {
      const auto near = signed_distance(shape, corner);
      if (std::abs(near.distance) < largest) places.push_back(corner - near.normal * near.distance);
    }
  }
  return places;
}

std::vector<Vec3d> landmarks_at_start(const SceneSettings& scene, const PointTable& start) {
  RenderScene around;
  around.colliders = shown_colliders(scene, 0);
  around.marks = region_marks(scene);
  // Sinks may be as large as they like; emitters come first.
  around.marks.erase(around.marks.begin() + static_cast<std::ptrdiff_t>(scene.emitters.size()),
                     around.marks.end());
  Bounds core = bounds_of_samples({start});
  if (start.count == 0 && !around.marks.empty() && is_bounded(around.marks[0].shape))
    core = bounding_box(around.marks[0].shape);
  return landmarks(core, around);
}

Result<std::filesystem::path> render_preview(const PointTable& start, const PointTable& mouths,
                                             const SceneSettings& scene,
                                             const RenderRunOptions& options) {
  std::vector<PointTable> samples{start};
  if (mouths.count > 0) samples.push_back(mouths);
  RenderScene around;
  around.colliders = shown_colliders(scene, 0);
  around.marks = region_marks(scene);
  Result<Survey> survey =
      survey_run(samples, scene, options, landmarks(bounds_of_samples(samples), around));
  if (!survey) return survey.errors();
  const Vec3d origin = center_of(*survey->scene.bounds);
  Result<PointCloud> cloud = make_point_cloud(start, origin, survey->radius, survey->colors);
  if (!cloud) return cloud.errors();
  if (mouths.count > 0) {
    const Result<PointCloud> more =
        make_point_cloud(mouths, origin, survey->radius, survey->colors);
    if (!more) return more.errors();
    append_paler(*more, *cloud);
  }
  survey->scene.marks = around.marks;
  Image image = render_points(*cloud, survey->scene, survey->camera,
                              {options.width, options.height, options.supersampling, true});
  if (survey->legend) draw_legend(image, *survey->legend);
  return write_png(options.output, image);
}

}  // namespace firn
