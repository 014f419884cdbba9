#include "scene_io/scene_cells.h"

#include <filesystem>
#include <map>

#include "mesh_io/simplex_file.h"
#include "scene/line_text.h"
#include "scene/mesh_asset.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

using MeshContent = std::shared_ptr<const MeshAsset>;

template <int D>
Result<MeshContent> load_cells(const fs::path& path, std::vector<std::string>& warnings) {
  Result<LoadedSimplexMesh<D>> loaded = read_simplex_mesh<D>(path);
  if (!loaded) return loaded.errors();
  warnings = std::move(loaded->warnings);
  auto asset = std::make_shared<MeshAsset>();
  asset->content = std::move(loaded->mesh);
  return MeshContent(std::move(asset));
}

}  // namespace

void load_object_cells(SceneSettings& scene,
                       const std::function<void(const std::string&, const std::string&)>& fail) {
  std::map<std::string, MeshContent> loaded;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    ObjectSettings& object = scene.objects[i];
    if (!object.has_mesh_file() || object.mesh->file.empty()) continue;
    const std::string pointer = "/objects/" + std::to_string(i) + "/mesh/file";
    const fs::path path = fs::path(scene.folder) / object.mesh->file;
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
      fail(pointer, "no file " + in_quotes(path.string()));
      continue;
    }
    MeshContent& content = loaded[path.string()];
    if (!content) {
      std::vector<std::string> warnings;
      Result<MeshContent> fresh =
          scene.dimension == 2 ? load_cells<2>(path, warnings) : load_cells<3>(path, warnings);
      for (const std::string& line : warnings) scene.load_warnings.push_back({pointer, line});
      if (!fresh) {
        for (const std::string& line : fresh.errors()) fail(pointer, line);
        continue;
      }
      content = std::move(*fresh);
    }
    object.mesh->asset = content;
  }
}

}  // namespace firn
