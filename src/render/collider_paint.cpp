#include <map>
#include <mutex>

#include "render/survey.h"
#include "scene_io/scene_assets.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

// A window surveys its scene after every edit: the mesh that the scene before still holds is taken
// again, as long as the file is the same.
std::shared_ptr<const PaintedMesh> painted_mesh(const fs::path& path) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const PaintedMesh>> known;
  std::error_code error;
  const auto written = fs::last_write_time(path, error).time_since_epoch().count();
  const std::string key = path.string() + "\n" + std::to_string(written);
  const std::lock_guard lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = known.find(key); found != known.end())
    if (auto mesh = found->second.lock()) return mesh;
  Result<PaintedMesh> read = read_painted_mesh(path);
  if (!read) return nullptr;
  auto mesh = std::make_shared<const PaintedMesh>(std::move(*read));
  known[key] = mesh;
  return mesh;
}

}  // namespace

std::vector<ColliderPaint> collider_paints(const SceneSettings& settings) {
  std::vector<ColliderPaint> paints;
  for (const ColliderSettings& collider : settings.colliders) {
    if (!collider.visible || collider.contact == ContactKind::pin) continue;
    ColliderPaint paint;
    if (collider.look) paint.look = *collider.look;
    const bool stays = collider.deformation.empty();
    if (collider.shape.kind == ShapeType::mesh && stays)
      paint.mesh = painted_mesh(fs::path(settings.folder) / collider.shape.file);
    if (paint.mesh) paint.placement = mesh_placement(collider.shape, bounds_of(*paint.mesh));
    paints.push_back(std::move(paint));
  }
  return paints;
}

}  // namespace firn
