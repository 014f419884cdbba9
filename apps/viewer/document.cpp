#include "document.h"

#include "mesh_io/atomic_file.h"
#include "scene_io/scene_assets.h"
#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"

namespace firn::viewer {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostSteps = 100;

constexpr const char* kNewScene = R"({
  "format": 1, "name": "new_scene", "dimension": 3, "frames": 90, "fps": 30,
  "grid": {"spacing": 0.05},
  "materials": {"snow": {"model": "snow"}},
  "objects": [{"name": "ball", "material": "snow",
               "shape": {"type": "ball", "radius": 0.4, "center": [0, 1.2, 0]}}],
  "colliders": [{"name": "floor", "friction": 0.5,
                 "shape": {"type": "plane", "point": [0, 0, 0], "normal": [0, 1, 0]}}]
})";

}  // namespace

SceneSettings new_scene() {
  Result<SceneSettings> scene = parse_scene(kNewScene, "new_scene.json");
  return scene ? std::move(*scene) : SceneSettings{};
}

void Document::set(SceneSettings scene, const fs::path& path) {
  scene_ = std::move(scene);
  before_ = scene_;
  path_ = path;
  undo_.clear();
  redo_.clear();
  changing_ = modified_ = false;
  ++revision_;
}

std::string Document::label() const {
  return path_.empty() ? (fs::path(scene_.folder) / "new scene").string() : path_.string();
}

void Document::touch() {
  changing_ = true;
  modified_ = true;
  ++revision_;
}

void Document::complete_change() {
  if (!changing_) return;
  changing_ = false;
  undo_.push_back(std::move(before_));
  if (undo_.size() > kMostSteps) undo_.erase(undo_.begin());
  redo_.clear();
  before_ = scene_;
}

void Document::adopt(const SceneSettings& scene) {
  if (changing_) return;
  scene_ = scene;
  before_ = scene_;
  ++revision_;
}

void Document::undo() {
  complete_change();
  if (undo_.empty()) return;
  redo_.push_back(std::move(scene_));
  scene_ = std::move(undo_.back());
  undo_.pop_back();
  before_ = scene_;
  modified_ = true;
  ++revision_;
}

void Document::redo() {
  if (redo_.empty()) return;
  undo_.push_back(std::move(scene_));
  scene_ = std::move(redo_.back());
  redo_.pop_back();
  before_ = scene_;
  modified_ = true;
  ++revision_;
}

Result<fs::path> Document::save(const fs::path& path) {
  SceneSettings moved = scene_;
  const fs::path folder = path.parent_path();
  if (folder != fs::path(scene_.folder)) rebase_files(moved, folder);
  Result<fs::path> written = write_whole_file(path, write_scene(moved));
  if (!written) return written;
  scene_ = std::move(moved);
  scene_.folder = folder.string();
  path_ = path;
  modified_ = false;
  return written;
}

}  // namespace firn::viewer
