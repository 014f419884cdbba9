// By what a driver is known again: its words, its files, the processor, the environment.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string_view>

#include "draw/driver_trial.h"

namespace firn {

namespace {

// Settings that change which driver is loaded and what it does. A display may be another one at
// every call and leads to a driver with words of its own, so it counts before there is one only.
constexpr std::array<std::string_view, 12> kPrefixes = {"MESA_", "GALLIUM_", "LIBGL_", "LP_",
                                                        "ST_",   "EGL_",     "__EGL_", "__GL",
                                                        "DRI_",  "LD_",      "VK_",    "NVIDIA_"};
constexpr std::array<std::string_view, 2> kDisplays = {"DISPLAY=", "WAYLAND_DISPLAY="};

// What tells processors apart, the same for each core or not.
constexpr std::array<std::string_view, 10> kProcessorKeys = {
    "vendor_id",       "cpu family",  "model",    "stepping",     "flags",
    "CPU implementer", "CPU variant", "CPU part", "CPU revision", "Features"};

bool starts_with_any(std::string_view text, const auto& list) {
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view start) { return text.starts_with(start); });
}

void add_environment(bool has_context, std::set<std::string>& lines) {
  for (char** entry = environ; *entry; ++entry)
    if (starts_with_any(*entry, kPrefixes) || (!has_context && starts_with_any(*entry, kDisplays)))
      lines.insert("environment " + std::string(*entry));
}

void add_processor(std::set<std::string>& lines) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (starts_with_any(line, kProcessorKeys)) lines.insert("processor " + line);
}

// Programs and libraries in memory, by size and time: an update of a package changes them even
// where its words stay the same.
void add_loaded_files(std::set<std::string>& lines) {
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> paths;
  for (std::string line; std::getline(maps, line);)
    if (const auto at = line.find('/');
        at != std::string::npos && line.find(" r-xp ") != std::string::npos)
      paths.insert(line.substr(at));
  for (const std::string& path : paths) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    lines.insert("file " + path + " " + std::to_string(status.st_size) + " " +
                 std::to_string(status.st_mtim.tv_sec) + "." +
                 std::to_string(status.st_mtim.tv_nsec));
  }
}

}  // namespace

std::string driver_identity(bool has_context) {
  std::set<std::string> lines;
  add_environment(has_context, lines);
  add_processor(lines);
  add_loaded_files(lines);
  std::string text = has_context ? driver_name() + "\n" : "no driver yet\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace firn
