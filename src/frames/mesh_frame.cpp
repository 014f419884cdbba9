#include "frames/mesh_frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "frames/frame_points.h"
#include "scene/defaults.h"

namespace firn {
namespace {

// Distances must hold beyond the reach of the smoothing.
constexpr int kMeshBand = 4;  // voxels

void keep_chosen(std::vector<Vec3f>& vectors, const std::vector<bool>& chosen) {
  std::size_t kept = 0;
  for (std::size_t p = 0; p < vectors.size(); ++p)
    if (chosen[p]) vectors[kept++] = vectors[p];
  vectors.resize(kept);
}

}  // namespace

double particle_radius(const SceneSettings& scene, int material) {
  double spacing = 0;
  for (const ObjectSettings& object : scene.objects)
    if (material < 0 || object.material == material)
      spacing = std::max(spacing, particle_spacing(scene, object));
  if (spacing <= 0) spacing = 0.5 * scene.grid.spacing;
  return std::cbrt(0.75 / std::numbers::pi) * spacing;
}

Result<SurfaceMesh> mesh_of_frame(const Frame& table, const MeshOptions& options) {
  using Made = Result<SurfaceMesh>;
  if (is_flat(table)) return Made::failure("is of a 2D scene; surface meshes are for 3D scenes");
  for (const char* axis : {"x", "y", "z"})
    if (!table.has(axis)) return Made::failure(std::string("no column ") + axis);
  std::vector<Vec3f> positions = positions_of(table);
  std::vector<Vec3f> velocity;
  if (table.has("vx") && table.has("vy") && table.has("vz")) velocity = velocities_of(table);
  std::vector<bool> chosen = points_in_cells(table);
  chosen.flip();
  if (options.material >= 0) {
    if (!table.has("material"))
      return Made::failure("does not say materials; add \"material\" to /output/fields");
    const auto material = table.as<std::int32_t>("material");
    for (std::size_t p = 0; p < chosen.size(); ++p)
      chosen[p] = chosen[p] && material[p] == options.material;
  }
  keep_chosen(positions, chosen);
  if (!velocity.empty()) keep_chosen(velocity, chosen);
  const std::string problem = bin_problem(positions, options.voxel);
  if (!problem.empty()) return Made::failure(problem);
  const PointBins bins = bin_points(positions, options.voxel);
  LevelSet level_set = make_level_set(bins, options.voxel, options.radius);
  if (options.smooth > 0) {
    make_signed_distance(level_set, kMeshBand);
    smooth_level_set(level_set, 0.5 * options.radius, options.smooth);
  }
  SurfaceMesh mesh = make_mesh(level_set);
  if (!velocity.empty()) add_velocity(mesh, bins, velocity, options.voxel, options.radius);
  return mesh;
}

}  // namespace firn
