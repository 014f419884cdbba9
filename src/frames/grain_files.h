// Fine grains of a run: frames/grains_0000.ply beside the frames, which firn run writes for scenes
// with the section and firn upsample for any run.
#pragma once

#include "base/result.h"
#include "frames/run_folder.h"
#include "particles/point_table.h"
#include "scene/settings.h"

namespace firn {

// The files, by number of their frames.
std::vector<std::filesystem::path> grain_files(const RunFolder& folder);

// How many grains are made of a particle, as a frame of grains says; 0: it does not.
double grains_per_particle(const PointTable& grains);

// The scene with particles as fine as grains, so many made of one, so that what is drawn or meshed
// with it has their size.
SceneSettings finer_scene(const SceneSettings& scene, double per_particle);

// That of a run which has grains. An error where there are none.
Result<SceneSettings> scene_of_grains(const RunFolder& folder, const SceneSettings& scene);

}  // namespace firn
