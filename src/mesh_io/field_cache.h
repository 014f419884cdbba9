// Distance fields of mesh files, kept on disk between runs: in the folder $FIRN_CACHE, else
// $XDG_CACHE_HOME/firn, else $HOME/.cache/firn; FIRN_CACHE=off keeps nothing. The key is what the
// field is made of (bytes of the file, placement, spacing), so that nothing in there can be stale.
// A folder that cannot be used, a damaged or foreign file: as if there were none.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/mat.h"
#include "base/result.h"
#include "geometry/distance_field.h"

namespace firn {

// x becomes matrix x + shift, metres.
struct MeshPlacement {
  Mat<double, 3> matrix = Mat<double, 3>::identity();
  Vec3d shift{{0, 0, 0}};
};

// The field of a mesh file, from the cache or built. Appends what was mended in the mesh to
// `warnings`, one line each.
Result<std::shared_ptr<const DistanceField>> cached_mesh_field(const std::filesystem::path& path,
                                                               double spacing,
                                                               const MeshPlacement& placement,
                                                               std::vector<std::string>& warnings);

// Empty when nothing is kept.
std::filesystem::path field_cache_folder();

// Removes the files that were not used for longest until the rest takes at most this many bytes.
void trim_field_cache(const std::filesystem::path& folder, std::uintmax_t most_bytes);

}  // namespace firn
