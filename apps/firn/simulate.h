// Running a scene from the command line: options, progress, signals, exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "run/run.h"

namespace firn::cli {

// Options of commands that compute.
struct MachineOptions {
  int threads = 0;  // 0: all
  std::string device = "cpu";
  bool deterministic = false;  // on a device too; the CPU always is
  std::string precision;       // empty: as usual, or that of the run that is resumed

  void add_to(CLI::App& command);
  // What this build cannot do; sets the number of threads.
  Errors apply() const;
  std::optional<Precision> chosen_precision() const;
  Device chosen_device() const {
    if (device != "cuda") return Device::cpu;
    return deterministic ? Device::cuda_deterministic : Device::cuda;
  }
};

// Options of commands that read a scene.
struct SceneOptions {
  std::string scene;
  std::vector<std::string> overrides;
  std::int64_t frames = 0;  // 0: as the scene says

  void add_to(CLI::App& command, const char* meaning);
  // For commands that compute no frames.
  void add_scene_to(CLI::App& command, const char* meaning);
  bool overrides_start_with(const std::string& pointer) const;
  // The frames asked for here or by an override.
  std::optional<std::int64_t> chosen_frames(const SceneSettings& scene_read) const;
};

struct LoadedScene {
  std::string path;
  SceneSettings settings;
};
Result<LoadedScene> load_scene(const SceneOptions& options);

// Frames carry what a picture shows, where the scene does not say so already.
void carry_shown_field(const std::string& color_by, SceneSettings& scene);

// out/NAME
std::string default_folder(const SceneSettings& scene);

// Called with the number of each new frame, which may still be on its way to the disk; false ends
// the run.
using FrameListener = std::function<bool(std::int64_t frame)>;

// Runs with a progress display until done or interrupted; gives the exit status.
int simulate(const RunOptions& options, bool quiet, const FrameListener& on_frame = {});

}  // namespace firn::cli
