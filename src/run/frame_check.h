// Which frames of a run are really there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frames/run_folder.h"

namespace firn {

// Whether a PLY frame is as long as its header says; only the header is read.
bool is_whole_frame(const std::filesystem::path& path);

// Those of frames 0 to `last` that are missing or cut off.
std::vector<std::int64_t> lost_frames(const RunFolder& folder, std::int64_t last);

// "frame 3" or "frames 3, 5 to 9"; long lists are cut short.
std::string frame_list(const std::vector<std::int64_t>& numbers);

}  // namespace firn
