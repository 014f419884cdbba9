// What a change of a scene means for the world that runs it: taken over at once, or at reset.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "scene/settings.h"

namespace firn {

enum class EditEffect { none, at_once, at_reset };

struct EditVerdict {
  EditEffect effect = EditEffect::none;  // at_reset: at least a part of the change
  std::vector<std::string> at_once;      // JSON pointers of what changed
  std::vector<std::string> at_reset;
  bool concerns_world = false;  // at_once: more than names, pictures and files

  // One line for the user.
  std::string words() const;
};

EditVerdict classify_edit(const SceneSettings& running, const SceneSettings& edited);

// The running scene with that part of the edited one that holds at once.
Result<SceneSettings> with_changes_at_once(const SceneSettings& running,
                                           const SceneSettings& edited);

// An edited scene as its file would be read: checked, defaults filled in, files loaded. `label` is
// the path of the scene, which error lines name and file names are relative to.
Result<SceneSettings> checked_scene(const SceneSettings& edited, const std::string& label);

}  // namespace firn
