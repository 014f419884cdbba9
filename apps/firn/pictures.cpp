#include "pictures.h"

#include <algorithm>
#include <cmath>

#include "io/ply.h"
#include "scene/check.h"
#include "scene/defaults.h"

namespace firn::cli {
namespace {

constexpr std::size_t kSampledFrames = 7;

// First, last and some between.
std::vector<std::int64_t> sampled(const std::vector<std::int64_t>& frames) {
  if (frames.size() <= kSampledFrames) return frames;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < kSampledFrames; ++i)
    some.push_back(frames[i * (frames.size() - 1) / (kSampledFrames - 1)]);
  return some;
}

// Mean over the particles, so that one fine object does not thin out the others.
double common_radius(const SceneSettings& scene) {
  if (scene.view.point_radius > 0) return scene.view.point_radius;
  double sum = 0, count = 0;
  for (const ObjectSettings& object : scene.objects) {
    const double particles = estimated_particles(scene, object);
    sum += particles * particle_spacing(scene, object);
    count += particles;
  }
  return kSphereOverlap * 0.5 * sum / count;
}

bool is_floor(const Shape& shape, const ColliderSettings& collider) {
  return shape.kind == ShapeKind::plane && collider.shape.normal[1] > 0;
}

// The bottom of a container is drawn as a floor: its walls are lines only.
std::optional<double> container_floor(const SceneSettings& scene,
                                      const std::vector<Shape>& colliders) {
  std::optional<double> height;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    if (is_floor(colliders[i], scene.colliders[i])) return {};
    if (colliders[i].kind == ShapeKind::plane || !scene.colliders[i].shape.inside) continue;
    Shape solid = colliders[i];
    solid.inside = false;
    const double bottom = bounding_box(solid).low[1];
    height = std::min(height.value_or(bottom), bottom);
  }
  return height;
}

RenderScene render_scene(const SceneSettings& scene, const Bounds& box) {
  RenderScene result;
  result.dimension = static_cast<int>(scene.dimension);
  for (const ColliderSettings& collider : scene.colliders)
    result.colliders.push_back(placed(collider.shape, result.dimension));
  if (result.dimension == 3) result.ground_height = container_floor(scene, result.colliders);
  result.bounds = box;
  result.light = scene.view.light;
  result.background = scene.view.background;
  result.ground_shadow = scene.view.ground_shadow;
  return result;
}

Camera choose_camera(const SceneSettings& scene, const Bounds& box,
                     const std::vector<Vec3d>& places, double aspect, const std::string& name) {
  const auto& given = scene.view.camera;
  if (scene.dimension == 2) {
    Camera camera = flat_camera(box, aspect);
    if (!given || !name.empty()) return camera;
    const Vec3d shift = given->eye - camera.target;
    for (int i = 0; i < 2; ++i) {
      camera.eye[i] += shift[i];
      camera.target[i] += shift[i];
    }
    return camera;
  }
  constexpr double kFieldOfView = 35;  // degrees
  if (!name.empty()) return framing_camera(places, aspect, kFieldOfView, name);
  if (!given) return framing_camera(places, aspect, kFieldOfView);
  Camera camera;
  camera.eye = given->eye;
  camera.target = given->target;
  camera.field_of_view = given->field_of_view;
  return camera;
}

}  // namespace

Result<PictureMaker::Samples> PictureMaker::look_at_frames(const RunFolder& folder,
                                                           const std::vector<std::int64_t>& frames,
                                                           const std::string& color_by) {
  Samples samples;
  for (const std::int64_t frame : sampled(frames)) {
    const Result<PointTable> table = read_ply(folder.frame(frame));
    if (!table) return table.errors();
    const Bounds box = robust_bounds(*table);
    samples.box = samples.box ? united(*samples.box, box) : box;
    const std::vector<Vec3d> places = places_inside(*table, box);
    samples.places.insert(samples.places.end(), places.begin(), places.end());
    if (color_by == "color" || is_categorical(color_by)) continue;
    const Result<std::vector<float>> values = color_values(*table, color_by);
    if (!values) {
      Errors errors = values.errors();
      for (std::string& line : errors) line = folder.frame(frame).string() + ": " + line;
      return errors;
    }
    const ValueRange range = robust_value_range(*values);
    if (!samples.values) samples.values = range;
    samples.values->low = std::min(samples.values->low, range.low);
    samples.values->high = std::max(samples.values->high, range.high);
  }
  return samples;
}

Result<PictureMaker> PictureMaker::create(const SceneSettings& scene, const RunFolder& folder,
                                          const std::vector<std::int64_t>& frames,
                                          const PictureOptions& options) {
  PictureMaker maker;
  maker.folder_ = folder;
  maker.color_.by = options.color_by.empty() ? scene.view.color_by : options.color_by;
  const Result<Samples> samples = look_at_frames(folder, frames, maker.color_.by);
  if (!samples) return samples.errors();
  if (samples->values) {
    maker.color_.low = samples->values->low;
    maker.color_.high = samples->values->high;
  }
  const Bounds box = samples->box.value_or(Bounds{});
  maker.scene_ = render_scene(scene, box);
  maker.options_.width = options.width;
  maker.options_.height = options.height;
  maker.camera_ = choose_camera(scene, box, samples->places, double(options.width) / options.height,
                                options.camera);
  maker.radius_ = common_radius(scene);
  return maker;
}

Result<Image> PictureMaker::picture(std::int64_t frame) const {
  const Result<PointTable> table = read_ply(folder_.frame(frame));
  if (!table) return table.errors();
  const Result<PointCloud> cloud =
      make_point_cloud(*table, center_of(*scene_.bounds), radius_, color_);
  if (!cloud) return cloud.errors();
  return render_points(*cloud, scene_, camera_, options_);
}

}  // namespace firn::cli
