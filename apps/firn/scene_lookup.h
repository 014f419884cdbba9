// Scenes by name: those that ship with the program, and files of the user.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace firn::cli {

struct ShippedScene {
  std::string name;
  std::filesystem::path path;
  std::string description;
};

// From $FIRN_SCENES, or the folder beside the program, sorted by name.
std::vector<ShippedScene> shipped_scenes();

// The file that an argument names: a path, the folder of a run, or the name of a shipped scene.
Result<std::string> find_scene(const std::string& argument);

// A folder name made of a scene's name.
std::string folder_name(const std::string& scene_name);

}  // namespace firn::cli
