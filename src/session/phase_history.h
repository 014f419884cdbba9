// The time that the phases of a step took lately, for graphs.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace firn {

class PhaseHistory {
 public:
  struct Series {
    std::string name;
    std::vector<float> milliseconds;  // a step, oldest first
    double mean() const;
  };

  explicit PhaseHistory(std::size_t capacity = 240) : capacity_(capacity) {}
  // Seconds a step by phase. A phase that is not there took no time.
  void add(const std::vector<std::pair<std::string, double>>& seconds);
  void clear() { series_.clear(); }
  const std::vector<Series>& series() const { return series_; }

 private:
  std::size_t capacity_;
  std::vector<Series> series_;
};

}  // namespace firn
