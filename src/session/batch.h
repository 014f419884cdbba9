// A benchmark of several scenes, one after the other, in a thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"

namespace firn {

struct BatchResult {
  std::string scene;  // path
  std::string error;  // "": it ran
  std::size_t particles = 0;
  std::int64_t steps = 0;
  double seconds = 0;                                  // in all of the steps
  std::vector<std::pair<std::string, double>> phases;  // s, in all of the steps

  double particle_steps_per_second() const;
};

class Batch {
 public:
  // Each scene makes `steps` steps. With an output (.json or .csv) the results go there at the end.
  Batch(std::vector<std::string> scenes, std::int64_t steps, std::filesystem::path output);
  ~Batch();  // stops between two steps

  bool done() const { return done_; }
  void cancel() { cancelled_ = true; }
  std::vector<BatchResult> results() const;  // so far
  std::string words() const;                 // what it is doing, or where the results went

 private:
  void work();
  BatchResult measure(const std::string& path);
  void say(std::string words);

  const std::vector<std::string> scenes_;
  const std::int64_t steps_;
  const std::filesystem::path output_;
  std::atomic<bool> cancelled_{false}, done_{false};
  mutable std::mutex mutex_;
  std::vector<BatchResult> results_;
  std::string words_;
  std::thread thread_;
};

// As JSON, or as CSV when the name ends so: a line for each scene, a column for each phase.
Result<std::filesystem::path> write_batch(const std::filesystem::path& path,
                                          const std::vector<BatchResult>& results);

}  // namespace firn
