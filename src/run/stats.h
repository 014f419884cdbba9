// stats.jsonl: one JSON object a frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/world.h"

namespace firn {

// The keys of a frame's statistics as one line of JSON, without line end.
std::string stats_line(const FrameStats& stats, int dimension);

// What such a file says of the steps of each frame: how many, how long the stages took, how the
// solver fared. Lines that are damaged are left out, and without a file there are none.
std::vector<FrameStats> read_stats(const std::filesystem::path& path);

// Appends whole lines: a line that does not fit on the disk is taken back.
class StatsFile {
 public:
  static Result<StatsFile> open(const std::filesystem::path& path);
  StatsFile(StatsFile&& other) noexcept;
  StatsFile& operator=(StatsFile&&) = delete;
  ~StatsFile();

  Errors append(const std::string& line);
  void sync();

 private:
  StatsFile(std::filesystem::path path, int descriptor);

  std::filesystem::path path_;
  int descriptor_;
};

// Keeps the whole lines of a file that `keeps(line, is_first)` wants, at once or not at all. No
// file is no error.
Errors keep_lines(const std::filesystem::path& path,
                  const std::function<bool(const std::string& line, bool is_first)>& keeps);

// Keeps the lines of frames up to `last_frame`, at once or not at all. No file is no error.
Errors truncate_stats(const std::filesystem::path& path, std::int64_t last_frame);

}  // namespace firn
