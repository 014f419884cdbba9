#include "session/phase_history.h"

#include <algorithm>
#include <numeric>

namespace firn {

double PhaseHistory::Series::mean() const {
  if (milliseconds.empty()) return 0;
  return std::accumulate(milliseconds.begin(), milliseconds.end(), 0.0) /
         static_cast<double>(milliseconds.size());
}

void PhaseHistory::add(const std::vector<std::pair<std::string, double>>& seconds) {
  const std::size_t length = series_.empty() ? 0 : series_.front().milliseconds.size();
  for (const auto& [name, value] : seconds)
    if (std::none_of(series_.begin(), series_.end(),
                     [&name = name](const Series& s) { return s.name == name; }))
      series_.push_back({name, std::vector<float>(length, 0.0f)});
  for (Series& series : series_) {
    const auto found = std::find_if(seconds.begin(), seconds.end(),
                                    [&](const auto& entry) { return entry.first == series.name; });
    series.milliseconds.push_back(found == seconds.end() ? 0.0f
                                                         : static_cast<float>(1e3 * found->second));
    if (series.milliseconds.size() > capacity_)
      series.milliseconds.erase(series.milliseconds.begin());
  }
}

}  // namespace firn
