// The files of a frame in the formats of a run.
#pragma once

#include "frames/run_folder.h"
#include "particles/frame.h"
#include "scene/settings.h"

namespace firn {

// Of volumes, m: as fine as the finest particles, and the same for all frames.
double voxel_size(const SceneSettings& scene);

Errors write_frame_file(const RunFolder& folder, std::int64_t number, const std::string& format,
                        const Frame& frame, double voxel);

// Formats that fine grains are written as beside PLY, of those of a run. Volumes show particles:
// grains would only make them noisier.
std::vector<std::string> grain_formats(const std::vector<std::string>& formats);
Errors write_grain_files(const RunFolder& folder, std::int64_t number,
                         const std::vector<std::string>& formats, const Frame& grains);

// Where the bodies of a frame are; no file where there are none.
Errors write_bodies_file(const RunFolder& folder, std::int64_t number, double time,
                         const std::vector<BodyPose>& bodies);

// Brings the list of ParaView files up to date; they come every 1 / fps seconds.
Errors write_collection(const RunFolder& folder, double fps);

// Formats that were asked for after frames were written: made from the PLY files, as far as these
// hold what a format needs. `notes` tells of frames that stay without.
Errors add_missing_formats(const RunFolder& folder, const SceneSettings& scene,
                           std::vector<std::string>& notes);

}  // namespace firn
