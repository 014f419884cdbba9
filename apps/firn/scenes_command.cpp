#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "output.h"
#include "scene_lookup.h"

namespace firn::cli {
namespace {

std::string as_json(const std::vector<ShippedScene>& scenes) {
  auto list = nlohmann::ordered_json::array();
  for (const ShippedScene& scene : scenes)
    list.push_back(
        {{"name", scene.name}, {"path", scene.path.string()}, {"description", scene.description}});
  return list.dump(2) + "\n";
}

std::string as_text(const std::vector<ShippedScene>& scenes) {
  std::size_t width = 0;
  for (const ShippedScene& scene : scenes) width = std::max(width, scene.name.size());
  std::string text;
  for (const ShippedScene& scene : scenes)
    text += fmt::format("{:{}}  {}\n", scene.name, width, scene.description);
  return text;
}

}  // namespace

void add_scenes_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("scenes", "List the scenes that ship with firn");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As a JSON array of {name, path, description}");
  command->footer("Examples:\n  firn scenes\n  firn run snowball_drop\n");
  command->callback([json, &status] {
    const std::vector<ShippedScene> scenes = shipped_scenes();
    if (scenes.empty() && !*json) {
      status = report("no scenes found; set FIRN_SCENES to the folder that holds them", kFailed);
      return;
    }
    put(*json ? as_json(scenes) : as_text(scenes));
  });
}

}  // namespace firn::cli
