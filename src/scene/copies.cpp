#include "scene/copies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>

#include "base/random.h"
#include "scene/mesh_asset.h"
#include "scene/object_seed.h"

namespace firn {
namespace {

// Uniform among all rotations (a unit quaternion), or of the plane.
Mat<double, 3> random_rotation(RandomStream& random, int dimension) {
  if (dimension == 2) return rotation_from_degrees({{0, 0, 360 * random.next_double()}});
  const double u = random.next_double();
  const double a = 2 * kPi * random.next_double(), b = 2 * kPi * random.next_double();
  const double w = std::sqrt(1 - u) * std::sin(a), x = std::sqrt(1 - u) * std::cos(a);
  const double y = std::sqrt(u) * std::sin(b), z = std::sqrt(u) * std::cos(b);
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

// Turned about its own centre and moved.
Shape copy_of(const Shape& shape, const Mat<double, 3>& rotation, const Vec3d& shift) {
  const Vec3d back = shape.center - rotation * shape.center;
  return transformed(shape, rotation, 1, back + shift);
}

std::vector<Shape> repeated(const Shape& shape, const RepeatSettings& repeat, int dimension,
                            RandomStream& random) {
  std::vector<Shape> copies;
  const std::int64_t layers = dimension == 3 ? repeat.count[2] : 1;
  for (std::int64_t k = 0; k < layers; ++k)
    for (std::int64_t j = 0; j < repeat.count[1]; ++j)
      for (std::int64_t i = 0; i < repeat.count[0]; ++i) {
        const Vec3d shift{
            {double(i) * repeat.step[0], double(j) * repeat.step[1], double(k) * repeat.step[2]}};
        const Mat<double, 3> rotation =
            repeat.turn ? random_rotation(random, dimension) : Mat<double, 3>::identity();
        copies.push_back(copy_of(shape, rotation, shift));
      }
  return copies;
}

// Places that keep a distance from each other, found by the cell of that size that they lie in.
class SparsePlaces {
 public:
  explicit SparsePlaces(double distance) : distance_(distance) {}

  bool is_free(const Vec3d& x) const {
    for (int code = 0; code < 27; ++code) {
      const auto found = cells_.find(key(x, {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1}));
      if (found == cells_.end()) continue;
      for (const Vec3d& other : found->second)
        if (dot(other - x, other - x) < distance_ * distance_) return false;
    }
    return true;
  }
  void add(const Vec3d& x) { cells_[key(x, {0, 0, 0})].push_back(x); }

 private:
  // Cells that share a key by chance cost a comparison, no more.
  std::uint64_t key(const Vec3d& x, const std::array<int, 3>& offset) const {
    std::uint64_t bits = 0;
    for (int i = 0; i < 3; ++i) {
      const double cell = std::floor(x[i] / distance_) + offset[i];
      bits = mix_bits(
          bits ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(clamp(cell, -1e15, 1e15))));
    }
    return bits;
  }

  double distance_;
  std::unordered_map<std::uint64_t, std::vector<Vec3d>> cells_;
};

// Darts at the region: a copy lies in it with its whole bounding ball.
Result<std::vector<Shape>> scattered(const Shape& shape, const ScatterSettings& scatter,
                                     int dimension, RandomStream& random) {
  constexpr std::int64_t kTriesPerCopy = 2000, kMostTries = 2'000'000;
  const Shape region = placed(scatter.region, dimension);
  const Bounds box = bounding_box(region);
  const double radius = bounding_radius(shape);
  const double distance = scatter.distance > 0 ? scatter.distance : 2 * radius;
  std::vector<Shape> copies;
  SparsePlaces taken(distance);
  for (std::int64_t tries = std::min(scatter.count * kTriesPerCopy, kMostTries);
       tries > 0 && static_cast<std::int64_t>(copies.size()) < scatter.count; --tries) {
    Vec3d center{{0, 0, 0}};
    for (int i = 0; i < dimension; ++i)
      center[i] = box.low[i] + (box.high[i] - box.low[i]) * random.next_double();
    const bool free = signed_distance(region, center).distance <= -radius && taken.is_free(center);
    if (!free) continue;
    taken.add(center);
    const Mat<double, 3> rotation =
        scatter.turn ? random_rotation(random, dimension) : Mat<double, 3>::identity();
    copies.push_back(copy_of(shape, rotation, center - shape.center));
  }
  if (static_cast<std::int64_t>(copies.size()) == scatter.count) return copies;
  return Result<std::vector<Shape>>::failure(
      "/scatter: only " + std::to_string(copies.size()) + " of " + std::to_string(scatter.count) +
      " copies fit into the region; enlarge it or lower count or distance");
}

}  // namespace

namespace {

// Of what a mesh file gives only the box around it is known as a shape.
template <int D>
Shape box_of(const SimplexMesh<D>& mesh) {
  Vec3d low = Vec3d::zero(), high = Vec3d::zero();
  for (int a = 0; a < D && !mesh.points.empty(); ++a) {
    low[a] = high[a] = mesh.points[0][a];
    for (const auto& x : mesh.points) {
      low[a] = std::min(low[a], x[a]);
      high[a] = std::max(high[a], x[a]);
    }
  }
  ShapeSettings box;
  box.size = high - low;
  box.center = (low + high) * 0.5;
  return placed(box, D);
}

Shape shape_before_transform(const SceneSettings& scene, const ObjectSettings& object) {
  if (object.has_mesh_file() && object.mesh->asset) {
    if (const auto* flat = object.mesh->asset->get<SimplexMesh<2>>()) return box_of(*flat);
    if (const auto* solid = object.mesh->asset->get<SimplexMesh<3>>()) return box_of(*solid);
  }
  return placed(object.shape, static_cast<int>(scene.dimension));
}

}  // namespace

Shape single_shape(const SceneSettings& scene, const ObjectSettings& object) {
  const TransformSettings& t = object.transform;
  return transformed(measured(shape_before_transform(scene, object)), t.rotation.matrix(), t.scale,
                     t.translation);
}

double copy_count(const SceneSettings& scene, const ObjectSettings& object) {
  if (object.scatter) return double(object.scatter->count);
  if (!object.repeat) return 1;
  const std::int64_t* n = object.repeat->count;
  return double(n[0]) * double(n[1]) * (scene.dimension == 3 ? double(n[2]) : 1.0);
}

Result<std::vector<Shape>> object_shapes(const SceneSettings& scene, std::size_t index) {
  const ObjectSettings& object = scene.objects[index];
  const Shape shape = single_shape(scene, object);
  const int dimension = static_cast<int>(scene.dimension);
  RandomStream random(random_bits(object_seed(scene, index), kCopyStream, 0), 0);
  if (object.repeat) return repeated(shape, *object.repeat, dimension, random);
  if (object.scatter) return scattered(shape, *object.scatter, dimension, random);
  return std::vector<Shape>{shape};
}

}  // namespace firn
