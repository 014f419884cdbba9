#include "render/frame_blend.h"

#include <cstdio>
#include <cstdlib>

namespace firn {

namespace {

// The particle of `to` with the same id, or none. Ids ascend in frames; where they do not, fewer
// are found.
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
std::vector<std::size_t> partners(const std::vector<double>& from, const std::vector<double>& to) {
  std::vector<std::size_t> list(from.size(), kNone);
  std::size_t k = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    while (k < to.size() && to[k] < from[i]) ++k;
    if (k < to.size() && to[k] == from[i]) list[i] = k;
  }
  return list;
}

}  // namespace

double frame_time(const PointTable& table) {
  const auto found = table.metadata.find("time");
  return found == table.metadata.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

PointTable blend_frames(const PointTable& from, const PointTable& to, double share) {
  if (share <= 0) return from;
  if (!from.has("id") || !to.has("id")) return share < 0.5 ? from : to;
  const std::vector<std::size_t> partner = partners(from.as_double("id"), to.as_double("id"));
  PointTable table = from;
  for (Column& column : table.columns) {
    if (column.name != "x" && column.name != "y" && column.name != "z") continue;
    std::vector<double> place = column.as<double>();
    const std::vector<double> later = to.as_double(column.name);
    for (std::size_t i = 0; i < place.size(); ++i)
      if (partner[i] != kNone && partner[i] < later.size())
        place[i] += share * (later[partner[i]] - place[i]);
    column.values = std::move(place);
  }
  char time[40];
  std::snprintf(time, sizeof(time), "%.9g",
                frame_time(from) + share * (frame_time(to) - frame_time(from)));
  table.metadata["time"] = time;
  return table;
}

}  // namespace firn
