// Frames on their way to disk: written while the next one is computed.
#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "frames/run_folder.h"
#include "particles/frame.h"
#include "run/frame_files.h"
#include "run/stats.h"
#include "scene/settings.h"

namespace firn {

class FrameWriter {
 public:
  FrameWriter(RunFolder folder, StatsFile stats, const SceneSettings& scene);
  ~FrameWriter() { finish(); }

  // What to take of the world for a frame: its fields and what its formats need besides.
  const std::vector<std::string>& fields_to_take() const { return fields_; }

  // Writes the frame and, once it is complete, its statistics. At most one frame is on its way: the
  // errors are those of the frame before this one.
  // `grains`: fine ones, where the scene has them.
  Errors submit(Frame frame, std::optional<Frame> grains, FrameStats stats, int dimension);

  // Waits for the frame on its way; everything submitted is on disk when there are no errors.
  Errors finish();

 private:
  Errors write(Frame& frame, std::optional<Frame>& grains, const FrameStats& stats, int dimension);
  // The line of probes.csv; the file begins with the names of its columns.
  Errors write_probes(const FrameStats& stats);

  RunFolder folder_;
  StatsFile stats_;
  std::optional<StatsFile> probes_;  // where the scene has probes, from the first frame on
  FileFormats formats_, grain_formats_;
  std::vector<std::string> fields_;
  std::future<Errors> pending_;
};

}  // namespace firn
