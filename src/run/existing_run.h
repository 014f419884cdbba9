// What may be done to a folder that exists, and how a run is brought back to an earlier frame.
#pragma once

#include "base/result.h"
#include "frames/run_folder.h"

namespace firn {

// What to do when a run is there already.
enum class ExistingRun { refuse, resume, overwrite };

// Whether a run of Firn is there, finished or not.
bool holds_run(const RunFolder& folder);

// Why a run may not go to this folder; nothing is changed.
Errors check_run_folder(const RunFolder& folder, ExistingRun existing);

// Removes the files of a run but its log, and nothing that Firn did not write.
Errors remove_run(const RunFolder& folder);

// Removes what lies after a frame: later frames, their statistics, and temporary files that a
// killed run left.
Errors rewind_run(const RunFolder& folder, std::int64_t last_frame);

}  // namespace firn
