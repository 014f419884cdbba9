#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "file_info.h"
#include "output.h"

namespace firn::cli {
namespace {

std::string value_text(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.9g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& entry : value) text += (text.empty() ? "" : "  ") + value_text(entry);
  return text;
}

// Objects are blocks of their own, and so is each of a list.
std::string as_text(const Json& info, const std::string& indent = "") {
  std::string text;
  const auto add_block = [&](const std::string& key, const Json& value) {
    text += fmt::format("{}{}\n{}", indent, key, as_text(value, indent + "  "));
  };
  for (const auto& [key, value] : info.items())
    if (value.is_object())
      add_block(key, value);
    else if (value.is_array() && !value.empty() && value[0].is_object())
      for (const Json& entry : value) add_block(key, entry);
    else
      text += fmt::format("{}{:<{}} {}\n", indent, key, 20 - indent.size(), value_text(value));
  return text;
}

int show_info(const std::string& file, bool as_json) {
  const Result<Json> info = file_info(file);
  if (!info) return report(info.errors(), kBadInput);
  put(as_json ? info->dump(2) + "\n" : as_text(*info));
  return kDone;
}

}  // namespace

void add_info_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "info", "Counts, bounds, mass, momentum and energies of a frame or checkpoint");
  auto file = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("FILE", *file, "PLY frame, checkpoint, folder of a run, pack, or scene")
      ->required();
  command->add_flag("--json", *json, "As JSON");
  command->footer(
      "Examples:\n"
      "  firn info out/snowball_drop/checkpoint.h5\n"
      "  firn info out/snowball_drop/frames/frame_0010.ply --json\n");
  command->callback([file, json, &status] { status = show_info(*file, *json); });
}

}  // namespace firn::cli
