// Fine grains of a run: frames/grains_0000.ply beside the frames, which firn run writes for scenes
// with the section and firn upsample for any run.
#pragma once

#include "base/result.h"
#include "frames/run_folder.h"
#include "scene/settings.h"

namespace firn {

// The files, by number of their frames.
std::vector<std::filesystem::path> grain_files(const RunFolder& folder);

// The scene of a run with particles as fine as its grains, so that what is drawn or meshed with it
// has their size. An error where there are none.
Result<SceneSettings> scene_of_grains(const RunFolder& folder, const SceneSettings& scene);

}  // namespace firn
