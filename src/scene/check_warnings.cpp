#include "scene/check_warnings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "scene/defaults.h"

namespace firn {
namespace {

// One copy of an object and the box around it.
struct Placed {
  std::size_t object;
  const Shape* shape;
  Bounds box;
};

std::vector<Placed> placed_copies(const std::vector<std::vector<Shape>>& shapes) {
  std::vector<Placed> all;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (const Shape& shape : shapes[i])
      if (is_bounded(shape)) all.push_back({i, &shape, bounding_box(shape)});
  std::sort(all.begin(), all.end(),
            [](const Placed& a, const Placed& b) { return a.box.low[0] < b.box.low[0]; });
  return all;
}

// The volume that two bodies share, on a lattice over what their boxes share; 0 where these only
// touch.
double shared_volume(const Placed& a, const Placed& b, int dimension, double touching) {
  constexpr int kPerAxis = 12;
  Vec3d low{{0, 0, 0}}, step{{0, 0, 0}};
  double cell = 1;
  for (int i = 0; i < dimension; ++i) {
    low[i] = std::max(a.box.low[i], b.box.low[i]);
    const double extent = std::min(a.box.high[i], b.box.high[i]) - low[i];
    if (!(extent > touching)) return 0;
    step[i] = extent / kPerAxis;
    cell *= step[i];
  }
  const int layers = dimension == 3 ? kPerAxis : 1;
  int count = 0;
  for (int i = 0; i < kPerAxis; ++i)
    for (int j = 0; j < kPerAxis; ++j)
      for (int k = 0; k < layers; ++k) {
        const Vec3d x =
            low + Vec3d{{step[0] * (i + 0.5), step[1] * (j + 0.5), step[2] * (k + 0.5)}};
        count += signed_distance(*a.shape, x).distance < -0.5 * touching &&
                 signed_distance(*b.shape, x).distance < -0.5 * touching;
      }
  return count * cell;
}

double volume_of(const std::vector<Shape>& shapes) {
  double sum = 0;
  for (const Shape& shape : shapes) sum += volume(shape);
  return sum;
}

void warn_if_sparse(const SceneSettings& scene, const Sampling& sampling,
                    const std::string& pointer, Issues& issues) {
  const double count = std::pow(scene.grid.spacing / particle_spacing(scene, sampling),
                                static_cast<double>(scene.dimension));
  // A body of one particle a cell holds together as long as nothing stretches it.
  if (!(count < 0.999)) return;
  const double usual = scene.dimension == 2 ? 4 : 8;
  issues.push_back({pointer + "/sampling",
                    "gives " + short_number(count) +
                        " particles a grid cell: bodies fall apart between them; raise "
                        "particles_per_cell (" +
                        short_number(usual) + " are usual)",
                    true});
}

void warn_if_blind(const CameraSettings& camera, const std::string& pointer, Issues& issues) {
  const Vec3d line = camera.target - camera.eye;
  const double scale = 1e-9 * (1 + std::sqrt(dot(camera.target, camera.target)));
  if (!(dot(line, line) > scale * scale))
    issues.push_back({pointer, "its eye is at its target, so that it looks nowhere", true});
}

}  // namespace

void warn_of_overlaps(const SceneSettings& scene, const std::vector<std::vector<Shape>>& shapes,
                      Issues& issues) {
  constexpr int kMostPairs = 20'000;  // looked at, in a second or so
  const double touching = 1e-3 * scene.grid.spacing;
  const std::vector<Placed> all = placed_copies(shapes);
  std::map<std::pair<std::size_t, std::size_t>, double> shared;
  int pairs = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[j].box.low[0] < all[i].box.high[0]; ++j) {
      // Species share space, that is what they are for.
      if (scene.objects[all[i].object].species != scene.objects[all[j].object].species) continue;
      if (++pairs > kMostPairs) break;
      const double v = shared_volume(all[i], all[j], static_cast<int>(scene.dimension), touching);
      if (v > 0) shared[std::minmax(all[i].object, all[j].object)] += v;
    }
  for (const auto& [objects, v] : shared) {
    const auto [first, second] = objects;
    const double share = std::min(1.0, v / volume_of(shapes[second]));
    const std::string with =
        first == second ? "copies of itself" : "the object " + in_quotes(scene.objects[first].name);
    issues.push_back({at("objects", second),
                      "about " + short_number(std::max(1.0, std::round(100 * share))) +
                          " % of it overlaps " + with + ": that space is filled twice",
                      true});
  }
}

void warn_of_sparse_sampling(const SceneSettings& scene, Issues& issues) {
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].shape.kind != ShapeType::points)
      warn_if_sparse(scene, scene.objects[i].sampling, at("objects", i), issues);
  for (std::size_t i = 0; i < scene.emitters.size(); ++i)
    warn_if_sparse(scene, scene.emitters[i].sampling, at("emitters", i), issues);
}

void warn_of_time_steps(const IntegratorSettings& keys, Issues& issues) {
  const double longest = keys.is_explicit() ? keys.explicit_max_dt : keys.implicit_max_dt;
  const bool is_given = longest > 0 && longest != IntegratorSettings().explicit_max_dt;
  if (is_given && keys.fixed_dt > longest)
    issues.push_back({"/integrator/max_dt",
                      "has no effect: fixed_dt is longer, " + short_number(keys.fixed_dt) +
                          " s; remove one of them",
                      true});
}

void warn_of_cameras(const SceneSettings& scene, Issues& issues) {
  if (scene.view.camera) warn_if_blind(*scene.view.camera, "/view/camera", issues);
  for (const NamedCameraSettings& camera : scene.view.cameras)
    warn_if_blind(camera, "/view/cameras/" + pointer_piece(camera.name), issues);
}

}  // namespace firn
