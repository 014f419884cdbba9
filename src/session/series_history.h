// Numbers that came one after the other under their names, for graphs.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace firn {

// What graphs show of one moment: titles, with their units, and values.
using Figures = std::vector<std::pair<std::string, double>>;

class SeriesHistory {
 public:
  struct Series {
    std::string name;
    std::vector<float> values;  // oldest first
    double mean() const;
  };

  explicit SeriesHistory(std::size_t capacity = 240) : capacity_(capacity) {}
  // A series that has no value in one of them has 0 there.
  void add(const Figures& figures);
  void clear() { series_.clear(); }
  const std::vector<Series>& series() const { return series_; }

 private:
  std::size_t capacity_;
  std::vector<Series> series_;
};

}  // namespace firn
