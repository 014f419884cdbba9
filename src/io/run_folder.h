// The folder of a run: where its files lie, what may be done to a folder that exists, and how it is
// brought back to an earlier frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace firn {

// What to do when a run is there already.
enum class ExistingRun { refuse, resume, overwrite };

struct RunFolder {
  std::filesystem::path root;

  std::filesystem::path scene() const { return root / "scene.json"; }
  std::filesystem::path stats() const { return root / "stats.jsonl"; }
  std::filesystem::path probes() const { return root / "probes.csv"; }
  std::filesystem::path checkpoint() const { return root / "checkpoint.h5"; }
  std::filesystem::path log() const { return root / "log.txt"; }
  std::filesystem::path frames() const { return root / "frames"; }
  std::filesystem::path frame(std::int64_t number, const std::string& format = "ply") const;
  std::filesystem::path collection() const { return root / "run.pvd"; }

  // Whether a run of Firn is there, finished or not.
  bool holds_run() const;
};

// The numbers of the complete frames in a run's folder, ascending.
std::vector<std::int64_t> frame_numbers(const RunFolder& folder, const std::string& format = "ply");

// Why a run may not go to this folder; nothing is changed.
Errors check_run_folder(const RunFolder& folder, ExistingRun existing);

// Removes the files of a run but its log, and nothing that Firn did not write.
Errors remove_run(const RunFolder& folder);

// Removes what lies after a frame: later frames, their statistics, and temporary files that a
// killed run left.
Errors rewind_run(const RunFolder& folder, std::int64_t last_frame);

}  // namespace firn
