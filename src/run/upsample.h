// Fine grains of the frames of any run: particles are followed from frame to frame by their ids,
// along cubic curves through their places with their velocities, and grains follow them.
#pragma once

#include <functional>

#include "base/result.h"
#include "frames/run_folder.h"
#include "grains/grain_settings.h"
#include "scene/settings.h"

namespace firn {

struct UpsampleOptions {
  RunFolder folder;
  SceneSettings scene;  // of the run, with the section `grains`
  bool overwrite = false;
  double memory = 0;  // bytes that there are
};

struct UpsampleReport {
  std::int64_t frames = 0;
  std::size_t grains = 0;  // in the last frame
  bool stopped = false;
};

// Called after each frame with frames done and in all; false stops.
using UpsampleProgress = std::function<bool(std::int64_t done, std::int64_t total, std::size_t)>;

// What is wrong before anything was written is `refused`; the rest failed on the way.
struct UpsampleOutcome {
  bool refused = false;
  Errors errors;
  UpsampleReport report;
};
UpsampleOutcome upsample_run(const UpsampleOptions& options, const UpsampleProgress& progress);

}  // namespace firn
