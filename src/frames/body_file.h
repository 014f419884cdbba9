// Where the bodies of a frame are, as JSON beside the PLY file: frames/bodies_0000.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "particles/frame.h"

namespace firn {

// {"frame", "time", "bodies": [{"name", "position", "rotation": [w, x, y, z], "scale", "velocity",
// "spin"}]}, numbers with all their digits.
Result<std::filesystem::path> write_bodies(const std::filesystem::path& path, std::int64_t frame,
                                           double time, const std::vector<BodyPose>& bodies);

// The reader on bytes in memory; `name` is what error lines call the file.
Result<std::vector<BodyPose>> parse_bodies(std::string_view text, const std::string& name);

// The file of the bodies that belongs to a PLY file of the name frame_NNNN.ply or grains_NNNN.ply;
// empty for others.
std::filesystem::path bodies_beside(const std::filesystem::path& ply);

// A PLY frame with the bodies beside it. A damaged file of these is left aside: `notes`, where it
// is given, tells of it.
Result<Frame> read_frame(const std::filesystem::path& ply,
                         std::vector<std::string>* notes = nullptr);

}  // namespace firn
