// A finished run, or one that still grows, frame by frame. Files are read in a thread of its own;
// no call waits for the disk.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "frames/run_folder.h"
#include "particles/frame.h"
#include "scene/settings.h"
#include "session/series_history.h"

namespace firn {

struct PlaybackFrame {
  std::int64_t number = 0;
  bool grains = false;  // the points are fine grains
  Frame points;         // with meshes and bodies
  std::string problem;  // why there are no points: the file is missing or damaged
};

// What stats.jsonl tells of the steps of a run, frame by frame.
struct RunFigures {
  std::vector<std::int64_t> frames;  // of the values of each series
  SeriesHistory solver{kMostFigures}, stages{kMostFigures};

  static constexpr std::size_t kMostFigures = 1'000'000;
};

class Playback {
 public:
  // The scene of the run and the numbers of its frames.
  static Result<std::unique_ptr<Playback>> open(const std::filesystem::path& folder);
  ~Playback();

  const SceneSettings& scene() const { return scene_; }
  const RunFolder& folder() const { return folder_; }
  // First and last frame on disk; those between them may be missing.
  std::int64_t first() const { return numbers_.front(); }
  std::int64_t last() const { return numbers_.back(); }
  bool has(std::int64_t number) const;
  std::size_t missing() const;  // frames between the first and the last
  // Whether there are fine grains of some frames.
  bool has_grains() const { return has_grains_; }
  const RunFigures& figures() const { return figures_; }
  // Looks for frames that came since.
  void look_again();

  // Asks for a frame, or for its fine grains; the one after it is read ahead.
  void request(std::int64_t number, bool grains = false);
  // The frame asked for last, once it was read; null before. A file that cannot be read is a frame
  // without points.
  std::shared_ptr<const PlaybackFrame> newest() const;

 private:
  using Kept = std::shared_ptr<const PlaybackFrame>;
  struct Wanted {
    std::int64_t number = -1;
    bool grains = false;
    bool operator==(const Wanted&) const = default;
  };
  Playback(RunFolder folder, SceneSettings scene, std::vector<std::int64_t> numbers);
  void look_at_files();
  void work();
  Kept read(const Wanted& wanted) const;
  Kept find(const Wanted& wanted) const;  // in the cache, under the mutex
  void keep(Kept frame);

  const RunFolder folder_;
  const SceneSettings scene_;
  // Of the caller's thread.
  std::vector<std::int64_t> numbers_;  // ascending
  bool has_grains_ = false;
  RunFigures figures_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::list<Kept> cache_;  // newest first
  Wanted wanted_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace firn
