// What a run that exists allows: to continue it, the scene must still be the same, and so must the
// one that its checkpoint was made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "frames/run_folder.h"
#include "run/checkpoint.h"
#include "scene/settings.h"
#include "sim/world.h"

namespace firn {

struct ResumePoint {
  SceneSettings scene;                   // as the run was started
  std::optional<Checkpoint> checkpoint;  // none: the run was killed before the first one

  std::optional<Precision> precision() const;
};

// None when the run was killed before it wrote anything.
Result<std::optional<ResumePoint>> find_resume_point(const RunFolder& folder);

// What differs between two scenes that matters to a simulation, as "/pointer: ..."; "" when
// nothing does. Number of frames, output, view and names do not matter.
std::string scene_difference(const SceneSettings& running, const SceneSettings& given);

}  // namespace firn
