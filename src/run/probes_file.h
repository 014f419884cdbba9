// probes.csv: the readings of all probes, one line a frame.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "sim/world.h"

namespace firn {

// "frame,time,NAME.VALUE,..." and the line of one frame; a cell is empty where nothing was found.
std::string probes_header(const FrameStats& stats);
std::string probes_line(const FrameStats& stats);

// Keeps the header and the lines of frames up to `last_frame`. No file is no error.
Errors truncate_probes(const std::filesystem::path& path, std::int64_t last_frame);

}  // namespace firn
