#include "scene_io/scene_assets.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "frames/point_file.h"
#include "geometry/mesh_field.h"
#include "mesh_io/field_cache.h"
#include "mesh_io/image_file.h"
#include "mesh_io/mesh_file.h"
#include "scene/defaults.h"
#include "scene/line_text.h"
#include "scene_io/scene_cells.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

// work(shape, pointer, spacing) for every shape of the scene, those within others included; the
// spacing is how finely it is sampled, m.
template <class Work>
class ShapeVisitor {
 public:
  ShapeVisitor(SceneSettings& scene, Work work) : scene_(scene), work_(std::move(work)) {}

  void run() {
    const double coarse = 0.5 * scene_.grid.spacing;
    for (std::size_t i = 0; i < scene_.objects.size(); ++i) {
      ObjectSettings& object = scene_.objects[i];
      const std::string pointer = "/objects/" + std::to_string(i);
      visit(object.shape, pointer + "/shape", particle_spacing(scene_, object.sampling));
      if (object.scatter) visit(object.scatter->region, pointer + "/scatter/region", coarse);
    }
    for (std::size_t i = 0; i < scene_.emitters.size(); ++i)
      visit(scene_.emitters[i].shape, "/emitters/" + std::to_string(i) + "/shape",
            particle_spacing(scene_, scene_.emitters[i].sampling));
    for (std::size_t i = 0; i < scene_.sinks.size(); ++i)
      visit(scene_.sinks[i].shape, "/sinks/" + std::to_string(i) + "/shape", coarse);
    for (std::size_t i = 0; i < scene_.colliders.size(); ++i) {
      const std::string pointer = "/colliders/" + std::to_string(i);
      visit(scene_.colliders[i].shape, pointer + "/shape", coarse);
      auto& keys = scene_.colliders[i].deformation;
      for (std::size_t k = 0; k < keys.size(); ++k)
        visit(keys[k].shape, pointer + "/deformation/" + std::to_string(k) + "/shape", coarse);
    }
  }

 private:
  void visit(ShapeSettings& shape, const std::string& pointer, double spacing) {
    work_(shape, pointer, spacing);
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
      visit(shape.parts[i], pointer + "/shapes/" + std::to_string(i), spacing);
  }

  SceneSettings& scene_;
  Work work_;
};

using Asset = std::shared_ptr<const ShapeAsset>;

Result<Asset> with_field(Result<std::shared_ptr<const DistanceField>> field) {
  if (!field) return field.errors();
  auto asset = std::make_shared<ShapeAsset>();
  asset->field = std::move(*field);
  return Asset(std::move(asset));
}

Result<std::shared_ptr<const DistanceField>> shared(Result<DistanceField> field) {
  if (!field) return field.errors();
  return std::shared_ptr<const DistanceField>(
      std::make_shared<const DistanceField>(std::move(*field)));
}

// A mesh of given longest extent is measured first.
Result<Asset> load_mesh(const ShapeSettings& shape, const fs::path& path, double spacing,
                        std::vector<std::string>& warnings) {
  Bounds box{{{0, 0, 0}}, {{1, 1, 1}}};
  if (shape.longest > 0) {
    const Result<LoadedMesh> loaded = read_mesh(path);
    if (!loaded) return loaded.errors();
    box = mesh_bounds(loaded->mesh);
  }
  const MeshPlacement placement = mesh_placement(shape, box);
  const double fine = shape.resolution > 0 ? shape.resolution : spacing;
  return with_field(cached_mesh_field(path, fine, placement, warnings));
}

Errors add_colors(const fs::path& path, ShapeAsset& asset) {
  const Result<Picture> picture = read_image(path);
  if (!picture) return picture.errors();
  asset.color_width = picture->width;
  asset.color_height = picture->height;
  for (std::size_t i = 0; i < picture->rgb.size(); i += 3) {
    std::uint32_t rgb = 0;
    for (int c = 0; c < 3; ++c)
      rgb = rgb << 8 | static_cast<std::uint32_t>(std::lround(255 * picture->rgb[i + c]));
    asset.colors.push_back(rgb);
  }
  return {};
}

Result<Asset> load_bitmap(const ShapeSettings& shape, const fs::path& path,
                          const fs::path& color_path, double spacing) {
  const Result<Picture> picture = read_image(path);
  if (!picture) return picture.errors();
  const GrayImage image = gray_of(*picture);
  auto field = shared(bitmap_distance_field(
      image, {shape.width, shape.threshold, shape.invert, shape.filter}, 0.5 * spacing));
  if (!field) return field.errors();
  auto asset = std::make_shared<ShapeAsset>();
  asset->field = std::move(*field);
  const double half_width = 0.5 * shape.width;
  const double half_height = half_width * image.height / image.width;
  asset->picture = {{{-half_width, -half_height, 0}}, {{half_width, half_height, 0}}};
  if (!shape.color_file.empty())
    if (const Errors errors = add_colors(color_path, *asset); !errors.empty()) return errors;
  return Asset(std::move(asset));
}

Result<Asset> load_heightfield(const ShapeSettings& shape, const fs::path& path, double spacing) {
  const Result<Picture> picture = read_image(path);
  if (!picture) return picture.errors();
  const GrayImage image = gray_of(*picture);
  const double depth = shape.width * image.height / image.width;
  const double base = shape.base > 0 ? shape.base : 0.1 * shape.height;
  const Result<TriangleMesh> mesh = height_mesh(image, shape.width, depth, shape.height, base);
  if (!mesh) return mesh.errors();
  return with_field(shared(mesh_distance_field(*mesh, spacing)));
}

Result<Asset> load_points(const ShapeSettings& shape, const fs::path& path) {
  const Result<PointTable> table = read_points(path);
  if (!table) return table.errors();
  if (table->count == 0) return Result<Asset>::failure(path.string() + ": has no points");
  auto asset = std::make_shared<ShapeAsset>();
  const std::vector<double> x = table->as_double("x"), y = table->as_double("y"),
                            z = table->as_double("z");
  const Mat<double, 3> rotation = shape.rotation.matrix() * shape.scale;
  for (std::size_t i = 0; i < table->count; ++i)
    asset->points.push_back(rotation * Vec3d{{x[i], y[i], z[i]}} + shape.center);
  return Asset(std::move(asset));
}

// What decides the content of an asset.
std::string key_of(const ShapeSettings& s, const fs::path& path, double spacing) {
  std::string key = path.string() + "\n" + s.color_file;
  for (const double number :
       {double(static_cast<int>(s.kind)), spacing, s.scale, s.longest, double(s.up == UpAxis::z),
        s.resolution, s.width, s.threshold, double(s.invert),
        double(s.filter == PixelFilter::nearest), s.height, s.base})
    key += "\n" + std::to_string(number);
  if (s.kind == ShapeType::points) {
    const Mat<double, 3> r = s.rotation.matrix();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) key += "\n" + std::to_string(r(i, j));
    for (int i = 0; i < 3; ++i) key += "\n" + std::to_string(s.center[i]);
  }
  return key;
}

}  // namespace

MeshPlacement mesh_placement(const ShapeSettings& shape, const Bounds& box) {
  MeshPlacement placement;
  if (shape.up == UpAxis::z) placement.matrix = rotation_from_degrees({{-90, 0, 0}});
  double scale = shape.scale;
  if (shape.longest > 0) {
    const Vec3d extent = box.high - box.low;
    scale = shape.longest / std::max({extent[0], extent[1], extent[2]});
    placement.shift = placement.matrix * ((box.low + box.high) * (-0.5 * scale));
  }
  placement.matrix = placement.matrix * scale;
  return placement;
}

void load_assets(SceneSettings& scene,
                 const std::function<void(const std::string&, const std::string&)>& fail) {
  const fs::path folder(scene.folder);
  std::map<std::string, Asset> loaded;
  const auto load = [&](ShapeSettings& shape, const std::string& pointer, double spacing) {
    if (!shape.is_from_file()) return;
    const bool solid_only = shape.kind == ShapeType::mesh || shape.kind == ShapeType::heightfield;
    if (scene.dimension == 2 && solid_only)
      return fail(pointer + "/type", "is for 3D scenes; in 2D use a bitmap");
    if (shape.file.empty()) return fail(pointer + "/file", "is empty");
    const fs::path path = folder / shape.file;
    std::error_code error;
    if (!fs::is_regular_file(path, error))
      return fail(pointer + "/file", "no file " + in_quotes(path.string()));
    Asset& asset = loaded[key_of(shape, path, spacing)];
    if (!asset) {
      std::vector<std::string> warnings;
      Result<Asset> fresh =
          shape.kind == ShapeType::mesh ? load_mesh(shape, path, spacing, warnings)
          : shape.kind == ShapeType::bitmap
              ? load_bitmap(shape, path, folder / shape.color_file, spacing)
          : shape.kind == ShapeType::heightfield ? load_heightfield(shape, path, spacing)
                                                 : load_points(shape, path);
      for (const std::string& line : warnings)
        scene.load_warnings.push_back({pointer + "/file", line});
      if (!fresh) {
        for (const std::string& line : fresh.errors()) fail(pointer + "/file", line);
        return;
      }
      asset = std::move(*fresh);
    }
    shape.asset = asset;
  };
  ShapeVisitor(scene, load).run();
  if (scene.solver == SolverKind::fem) load_object_cells(scene, fail);
}

void rebase_files(SceneSettings& scene, const fs::path& folder) {
  std::error_code error;
  const fs::path to = fs::weakly_canonical(folder, error);
  const auto moved = [&](std::string& file) {
    if (file.empty() || fs::path(file).is_absolute()) return;
    const fs::path from = fs::weakly_canonical(fs::path(scene.folder) / file, error);
    const fs::path relative = from.lexically_relative(to);
    file = relative.empty() ? from.string() : relative.string();
  };
  ShapeVisitor(scene, [&](ShapeSettings& shape, const std::string&, double) {
    moved(shape.file);
    moved(shape.color_file);
  }).run();
  for (ObjectSettings& object : scene.objects)
    if (object.mesh) moved(object.mesh->file);
  scene.folder = folder.string();
}

}  // namespace firn
