// Lines of stats.jsonl read back.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "mesh_io/atomic_file.h"
#include "run/stats.h"

namespace firn {
namespace {

using Json = nlohmann::ordered_json;

double number_in(const Json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number() ? found->get<double>() : 0;
}

std::int64_t count_in(const Json& line, const char* key) {
  const double number = number_in(line, key);
  return std::abs(number) < 1e15 ? static_cast<std::int64_t>(number) : 0;
}

FrameStats stats_of(const Json& line) {
  FrameStats stats;
  stats.frame = count_in(line, "frame");
  stats.time = number_in(line, "time");
  stats.steps = count_in(line, "steps");
  stats.wall = number_in(line, "wall");
  if (const auto phases = line.find("phases"); phases != line.end() && phases->is_object())
    for (const auto& [name, seconds] : phases->items())
      if (seconds.is_number()) stats.phases.emplace_back(name, seconds.get<double>());
  if (line.contains("newton_iterations")) {
    stats.solves.emplace();
    stats.solves->newton_iterations = count_in(line, "newton_iterations");
    stats.solves->krylov_iterations = count_in(line, "krylov_iterations");
    stats.solves->residual = number_in(line, "residual");
  }
  if (line.contains("shift_iterations"))
    stats.grains =
        GrainTotals{count_in(line, "iterations"),         count_in(line, "shift_iterations"),
                    count_in(line, "missed_steps"),       number_in(line, "mean_density_error"),
                    number_in(line, "max_density_error"), number_in(line, "strain_rate_error")};
  return stats;
}

}  // namespace

std::vector<FrameStats> read_stats(const std::filesystem::path& path) {
  std::vector<FrameStats> frames;
  const Result<std::string> text = read_whole_file(path);
  if (!text) return frames;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const Json line = Json::parse(text->begin() + static_cast<std::ptrdiff_t>(begin),
                                  text->begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (line.is_object() && line.contains("frame")) frames.push_back(stats_of(line));
    begin = end + 1;
  }
  return frames;
}

}  // namespace firn
