#include "session/series_history.h"

#include <algorithm>
#include <numeric>

namespace firn {

double SeriesHistory::Series::mean() const {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void SeriesHistory::add(const Figures& figures) {
  const std::size_t length = series_.empty() ? 0 : series_.front().values.size();
  for (const auto& [name, value] : figures)
    if (std::none_of(series_.begin(), series_.end(),
                     [&name = name](const Series& s) { return s.name == name; }))
      series_.push_back({name, std::vector<float>(length, 0.0f)});
  for (Series& series : series_) {
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const auto& entry) { return entry.first == series.name; });
    series.values.push_back(found == figures.end() ? 0.0f : static_cast<float>(found->second));
    if (series.values.size() > capacity_) series.values.erase(series.values.begin());
  }
}

}  // namespace firn
