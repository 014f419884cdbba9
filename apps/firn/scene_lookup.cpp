#include "scene_lookup.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "expr/nearest_name.h"
#include "frames/run_folder.h"
#include "mesh_io/atomic_file.h"
#include "scene/line_text.h"
#include "scene_io/scene_document.h"

namespace firn::cli {
namespace fs = std::filesystem;

namespace {

fs::path scenes_folder() {
  if (const char* given = std::getenv("FIRN_SCENES")) return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"../scenes", "scenes", "../share/firn/scenes"})
    if (const fs::path folder = (program / place).lexically_normal();
        fs::is_directory(folder, error))
      return folder;
  return {};
}

// Relative to where the user is, when below that.
fs::path shortened(const fs::path& path) {
  std::error_code error;
  const fs::path relative = fs::proximate(path, error);
  return error || relative.empty() || *relative.begin() == ".." ? path : relative;
}

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::vector<ShippedScene> shipped_scenes() {
  std::vector<ShippedScene> scenes;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(scenes_folder(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    const Result<std::string> text = read_whole_file(entry->path());
    if (!text) continue;
    const Result<Json> json = parse_document(*text, entry->path().string());
    if (!json || !json->is_object() || !json->contains("objects")) continue;
    scenes.push_back(
        {entry->path().stem().string(), shortened(entry->path()), text_of(*json, "description")});
  }
  std::sort(scenes.begin(), scenes.end(), [](const ShippedScene& a, const ShippedScene& b) {
    return std::tie(a.name, a.path) < std::tie(b.name, b.path);
  });
  return scenes;
}

Result<std::string> find_scene(const std::string& argument) {
  std::error_code error;
  if (fs::is_directory(argument, error)) {
    const RunFolder folder{argument};
    if (fs::exists(folder.scene(), error)) return folder.scene().string();
  }
  if (fs::exists(argument, error)) return argument;
  std::vector<std::string> names;
  for (const ShippedScene& scene : shipped_scenes()) {
    if (scene.name == argument) return scene.path.string();
    names.push_back(scene.name);
  }
  std::string line = printable(argument) + ": no such file";
  if (argument.find('/') == std::string::npos && !argument.ends_with(".json")) {
    const std::string near = nearest_name(argument, names);
    line += ", and no scene of this name ships; ";
    line += near.empty() ? "firn scenes lists them" : "did you mean " + in_quotes(near) + "?";
  }
  return Result<std::string>::failure(line);
}

std::string folder_name(const std::string& scene_name) {
  std::string name = scene_name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' && c != '.') c = '_';
  const bool only_dots = name.find_first_not_of('.') == std::string::npos;
  return only_dots ? "scene" : name.substr(0, 100);
}

}  // namespace firn::cli
