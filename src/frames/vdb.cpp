#include "frames/vdb.h"

#include <algorithm>
#include <cstdlib>

#include "frames/frame_points.h"
#include "mesh_io/atomic_file.h"
#include "surface/fog.h"
#include "surface/level_set.h"
#include "volume/vdb_file.h"

namespace firn {
namespace {

constexpr int kVolumeBand = 3;  // voxels on each side of a level set, as other programs expect

std::string text_of(const PointTable& table, const char* key) {
  const auto found = table.metadata.find(key);
  return found == table.metadata.end() ? "" : found->second;
}

std::string table_problem(const PointTable& table, double voxel) {
  if (is_flat(table)) return "vdb is for 3D scenes";
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "mass", "volume"}) {
    const Column* column = table.find(name);
    if (!column || column->size() != table.count)
      return std::string("column ") + name + " does not have a value for each point";
  }
  return voxel > 0 ? "" : "voxels must have a size";
}

}  // namespace

Result<std::filesystem::path> write_vdb(const std::filesystem::path& path, const PointTable& table,
                                        double voxel) {
  using Written = Result<std::filesystem::path>;
  std::string problem = table_problem(table, voxel);
  const std::vector<Vec3f> positions = positions_of(table);
  if (problem.empty()) problem = bin_problem(positions, voxel);
  if (!problem.empty()) return Written::failure(path.string() + ": " + problem);
  const PointBins bins = bin_points(positions, voxel);
  const Fog fog = make_fog(bins, table.as_float("mass"), velocities_of(table), voxel);
  // Within what voxels of this size resolve; a gas of a few particles shall not fill the memory.
  const double radius = std::clamp(mean_radius(table), 0.25 * voxel, 2 * voxel);
  LevelSet surface = make_level_set(bins, voxel, radius);
  make_signed_distance(surface, kVolumeBand);
  const VdbFrame frame{text_of(table, "scene"), std::atoll(text_of(table, "frame").c_str()),
                       std::atof(text_of(table, "time").c_str())};
  const Result<std::string> bytes = vdb_bytes(fog, surface, frame);
  if (!bytes) return Written::failure(path.string() + ": cannot write: " + bytes.errors().front());
  return write_whole_file(path, *bytes);
}

}  // namespace firn
