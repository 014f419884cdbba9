// The scene that is being edited: where it is saved, and how to go back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "scene/settings.h"

namespace firn::viewer {

class Document {
 public:
  // A scene that was read from a file, or one without a file yet (an empty path).
  void set(SceneSettings scene, const std::filesystem::path& path);

  SceneSettings& scene() { return scene_; }
  const SceneSettings& scene() const { return scene_; }
  const std::filesystem::path& path() const { return path_; }
  // What error lines call it, and what file names in it are relative to.
  std::string label() const;
  bool modified() const { return modified_; }
  std::uint64_t revision() const { return revision_; }  // grows with every change

  // The scene was changed by a widget. What was there before can be undone once the change is
  // complete: a number that is dragged makes one step, not hundreds.
  void touch();
  void complete_change();
  bool is_changing() const { return changing_; }
  // The same scene with defaults filled in, as a reader of the file sees it; no step to undo.
  void adopt(const SceneSettings& scene);

  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo();
  void redo();

  // Files that the scene names keep their places when it moves to another folder.
  Result<std::filesystem::path> save(const std::filesystem::path& path);

 private:
  SceneSettings scene_, before_;  // before_: as of the last complete change
  std::filesystem::path path_;
  std::vector<SceneSettings> undo_, redo_;
  bool changing_ = false, modified_ = false;
  std::uint64_t revision_ = 0;
};

// What "new" begins with: a floor and one material.
SceneSettings new_scene();

}  // namespace firn::viewer
