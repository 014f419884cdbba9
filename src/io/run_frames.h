// Frames on their way to disk: written while the next one is computed.
#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/run_folder.h"
#include "io/stats.h"
#include "particles/point_table.h"

namespace firn {

class FrameWriter {
 public:
  // Frames come every 1 / fps seconds.
  FrameWriter(RunFolder folder, StatsFile stats, std::vector<std::string> formats, double fps)
      : folder_(std::move(folder)),
        stats_(std::move(stats)),
        formats_(std::move(formats)),
        fps_(fps) {}
  ~FrameWriter() { finish(); }

  // Writes the frame and, once it is complete, its statistics. At most one frame is on its way: the
  // errors are those of the frame before this one.
  Errors submit(PointTable table, FrameStats stats, int dimension);

  // Brings the list of ParaView files up to date; they come every 1 / fps seconds.
  Errors write_collection();

  // Waits for the frame on its way; everything submitted is on disk when there are no errors.
  Errors finish();

 private:
  Errors write(const PointTable& table, const FrameStats& stats, int dimension);
  // The line of probes.csv; the file begins with the names of its columns.
  Errors write_probes(const FrameStats& stats);

  // The formats besides PLY.
  Errors write_exports(std::int64_t number, const PointTable& table);

  RunFolder folder_;
  StatsFile stats_;
  std::optional<StatsFile> probes_;  // where the scene has probes, from the first frame on
  std::vector<std::string> formats_;
  double fps_;
  std::future<Errors> pending_;
};

}  // namespace firn
