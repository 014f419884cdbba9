// Progress on standard output: a bar on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace firn::cli {

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();

  // `done` of `total` frames, with more to say about the newest.
  void show(std::int64_t done, std::int64_t total, const std::string& details, double seconds_left);
  // A line of its own.
  void say(const std::string& line);

 private:
  void clear_bar();

  bool quiet_, terminal_;
  bool bar_shown_ = false;
  bool any_shown_ = false;
  std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace firn::cli
