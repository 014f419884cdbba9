// The run loop: a scene into a folder of frames, statistics and checkpoints. It knows nothing of
// terminals; who calls it hears about progress and may ask it to stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/existing_run.h"
#include "scene/settings.h"
#include "sim/world.h"

namespace firn {

struct RunOptions {
  SceneSettings scene;
  std::string scene_file;              // what error lines call it
  std::optional<std::int64_t> frames;  // none: the scene's, or those of the run that is resumed
  std::optional<Precision> precision;  // none: as usual, or that of the run that is resumed
  Device device = Device::cpu;
  const SolverMaker* maker = nullptr;  // none: that of the scene's solver
  // What frames are written as; none: as the scene says, or like the run that is resumed.
  std::optional<std::vector<std::string>> formats;
  std::filesystem::path folder;
  ExistingRun existing = ExistingRun::refuse;
  std::string program;  // "firn 0.1.0", for the checkpoint
  // Hears what the user should know of the run, before it begins and as it goes on; may be empty.
  std::function<void(const Note& note)> on_note;
};

struct RunProgress {
  std::int64_t frame = 0;
  std::int64_t frames = 0;
  FrameStats stats;
  double elapsed = 0;       // s, since this run or its continuation started
  double seconds_left = 0;  // s, from the frames so far
  double particle_steps_per_second = 0;
};

// May be set from a signal handler.
struct RunControl {
  std::atomic<bool> quit{false};
  std::atomic<bool> pause{false};  // stops between two time steps, for a checkpoint

  void request_quit() {
    quit = true;
    pause = true;
  }
};

enum class RunStatus { finished, interrupted, refused, failed };

struct RunReport {
  RunStatus status = RunStatus::finished;
  Errors errors;
  std::int64_t frame = 0;          // the newest complete one
  std::vector<std::string> notes;  // what to know of a run that went well
};

// `refused` means that nothing was written. After `interrupted` and `finished` the newest state is
// in the checkpoint.
RunReport run_into_folder(const RunOptions& options, RunControl& control,
                          const std::function<void(const RunProgress&)>& on_frame);

}  // namespace firn
