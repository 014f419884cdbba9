#include "run/probes_file.h"

#include <charconv>

#include "run/stats.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

// A name as a cell: in quotation marks where it would be taken for several.
std::string cell(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number_text(double value) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof(buffer), value).ptr);
}

}  // namespace

std::string probes_header(const FrameStats& stats) {
  std::string line = "frame,time";
  for (const ProbeReading& probe : stats.probes)
    for (const auto& [name, value] : probe.values) line += "," + cell(probe.name + "." + name);
  return line;
}

std::string probes_line(const FrameStats& stats) {
  std::string line = std::to_string(stats.frame) + "," + number_text(stats.time);
  for (const ProbeReading& probe : stats.probes)
    for (const auto& [name, value] : probe.values) line += "," + (value ? number_text(*value) : "");
  return line;
}

Errors truncate_probes(const fs::path& path, std::int64_t last_frame) {
  return keep_lines(path, [&](const std::string& line, bool is_header) {
    std::int64_t frame = -1;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), frame);
    return is_header || (read.ec == std::errc() && frame <= last_frame);
  });
}

}  // namespace firn
