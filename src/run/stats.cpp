#include "run/stats.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "mesh_io/atomic_file.h"

namespace firn {
namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

namespace {

Json vector_json(const Vec3d& v, int dimension) {
  Json list = Json::array();
  for (int i = 0; i < dimension; ++i) list.push_back(v[i]);
  return list;
}

// Of what turns about an axis, which in 2D is z.
Json axial_json(const Vec3d& v, int dimension) {
  Json list = Json::array();
  for (int i = dimension == 2 ? 2 : 0; i < 3; ++i) list.push_back(v[i]);
  return list;
}

}  // namespace

std::string stats_line(const FrameStats& stats, int dimension) {
  Json colliders = Json::object();
  for (const ColliderLoad& load : stats.colliders)
    colliders[load.name] = {{"force", vector_json(load.force, dimension)},
                            {"torque", axial_json(load.torque, dimension)}};
  Json phases = Json::object();
  for (const auto& [name, seconds] : stats.phases) phases[name] = seconds;
  Json line{{"frame", stats.frame},
            {"time", stats.time},
            {"steps", stats.steps},
            {"dt_min", stats.dt_min},
            {"dt_max", stats.dt_max},
            {"particles", stats.particles},
            {"mass", stats.mass},
            {"momentum", vector_json(stats.momentum, dimension)},
            {"angular_momentum", axial_json(stats.angular_momentum, dimension)},
            {"kinetic", stats.kinetic},
            {"elastic", stats.elastic},
            {"gravity_potential", stats.gravity_potential},
            {"max_speed", stats.max_speed},
            {"grid_nodes", stats.grid_nodes},
            {"plastic_fraction", stats.plastic_fraction},
            {"colliders", colliders},
            {"wall", stats.wall},
            {"phases", phases}};
  if (stats.fine_grains) line["grains"] = *stats.fine_grains;
  if (stats.solves) {
    line["newton_iterations"] = stats.solves->newton_iterations;
    line["krylov_iterations"] = stats.solves->krylov_iterations;
    line["line_search_steps"] = stats.solves->line_search_steps;
    line["residual"] = stats.solves->residual;
    line["halved_steps"] = stats.solves->halved_steps;
    line["missed_steps"] = stats.solves->missed_steps;
  }
  if (stats.grains) {
    line["iterations"] = stats.grains->iterations;
    line["shift_iterations"] = stats.grains->shift_iterations;
    line["mean_density_error"] = stats.grains->mean_density_error;
    line["max_density_error"] = stats.grains->max_density_error;
    line["strain_rate_error"] = stats.grains->strain_rate_error;
    line["missed_steps"] = stats.grains->missed_steps;
  }
  if (stats.flow) {
    line["emitted"] = stats.flow->emitted;
    line["removed"] = stats.flow->removed;
    line["emitted_mass"] = stats.flow->emitted_mass;
    line["removed_mass"] = stats.flow->removed_mass;
  }
  for (const SpeciesStats& species : stats.species)
    line["species"][species.name] = {{"particles", species.particles},
                                     {"mass", species.mass},
                                     {"momentum", vector_json(species.momentum, dimension)},
                                     {"kinetic", species.kinetic},
                                     {"phi", species.phi ? Json(*species.phi) : Json()}};
  for (const auto& [name, count] : stats.transitions) line["transitions"][name] = count;
  for (const ProbeReading& probe : stats.probes) {
    Json values = Json::object();
    for (const auto& [name, value] : probe.values) values[name] = value ? Json(*value) : Json();
    line["probes"][probe.name] = std::move(values);
  }
  if (!stats.has_gravity_potential) line.erase("gravity_potential");
  return line.dump();
}

StatsFile::StatsFile(fs::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

StatsFile::StatsFile(StatsFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

StatsFile::~StatsFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<StatsFile> StatsFile::open(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return Result<StatsFile>::failure(path.string() + ": cannot write: " + std::strerror(errno));
  return StatsFile(path, descriptor);
}

Errors StatsFile::append(const std::string& line) {
  const std::string text = line + "\n";
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  ssize_t written = 0;
  do {
    written = write(descriptor_, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(text.size())) return {};
  // A disk that took a part of the line has no room for the rest.
  const int error = written < 0 ? errno : ENOSPC;
  if (ftruncate(descriptor_, before) != 0) {
    // The part of a line that stays is left out when the run is resumed.
  }
  return {path_.string() + ": cannot write: " + std::strerror(error)};
}

void StatsFile::sync() {
  (void)fsync(descriptor_);
}

Errors keep_lines(const fs::path& path,
                  const std::function<bool(const std::string& line, bool is_first)>& keeps) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  const Result<std::string> text = read_whole_file(path);
  if (!text) return text.errors();
  std::string kept;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = text->find('\n', begin);
    if (end == std::string::npos) break;  // a line that was cut off
    const std::string line = text->substr(begin, end + 1 - begin);
    if (keeps(line, begin == 0)) kept += line;
    begin = end + 1;
  }
  if (kept == *text) return {};
  const Result<fs::path> written = write_whole_file(path, kept);
  return written ? Errors{} : written.errors();
}

Errors truncate_stats(const fs::path& path, std::int64_t last_frame) {
  return keep_lines(path, [&](const std::string& line, bool) {
    const Json entry = Json::parse(line, nullptr, false);
    return entry.is_object() && entry.contains("frame") && entry["frame"].is_number_integer() &&
           entry["frame"].get<std::int64_t>() <= last_frame;
  });
}

}  // namespace firn
