// The files of a frame in the formats of a run.
#pragma once

#include "frames/run_folder.h"
#include "particles/frame.h"
#include "scene/settings.h"

namespace firn {

// As what files a run writes its frames, and its fine grains where it has them.
struct FileFormats {
  std::vector<std::string> formats;  // beside PLY
  std::vector<std::string> extra;    // columns that only some of these are to have
  double fps = 0;
  double voxel = 0;  // of volumes, m

  bool has(const std::string& format) const;
};
// Volumes are as fine as the finest particles, or grains, and the same for all frames.
FileFormats frame_formats(const SceneSettings& scene);
FileFormats grain_formats(const SceneSettings& scene);  // of a scene with grains

// In all formats, PLY without what only others are to have, and the list of ParaView files.
Errors write_frame_files(const RunFolder& folder, std::int64_t number, const FileFormats& formats,
                         Frame& frame);
Errors write_grain_files(const RunFolder& folder, std::int64_t number, const FileFormats& formats,
                         Frame& grains);

// Where the bodies of a frame are; no file where there are none.
Errors write_bodies_file(const RunFolder& folder, std::int64_t number, double time,
                         const std::vector<BodyPose>& bodies);

// Formats that were asked for after frames were written: made from the PLY files, as far as these
// hold what a format needs. `notes` tells of frames that stay without.
Errors add_missing_formats(const RunFolder& folder, const SceneSettings& scene,
                           std::vector<std::string>& notes);

}  // namespace firn
