#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "material/presets.h"
#include "output.h"
#include "scene/line_text.h"

namespace firn::cli {
namespace {

using Json = nlohmann::ordered_json;

// The visitor that lists the parameters of a model (base/describe.h).
class ParameterList {
 public:
  void number(const char* name, double value, const NumberInfo& info) {
    Json entry{{"name", name}, {"type", "number"}, {"unit", info.unit}};
    entry["default"] = info.contains(value) ? Json(value) : Json();
    entry["min"] = std::isfinite(info.min) ? Json(info.min) : Json();
    entry["max"] = std::isfinite(info.max) ? Json(info.max) : Json();
    entry["meaning"] = info.meaning;
    list.push_back(entry);
  }
  void integer(const char* name, std::int64_t value, const IntegerInfo& info) {
    list.push_back({{"name", name},
                    {"type", "integer"},
                    {"unit", ""},
                    {"default", value},
                    {"min", info.min},
                    {"max", info.max},
                    {"meaning", info.meaning}});
  }
  void flag(const char* name, bool value, const char* meaning) {
    list.push_back({{"name", name}, {"type", "flag"}, {"default", value}, {"meaning", meaning}});
  }
  void text(const char* name, const std::string& value, const char* meaning) {
    list.push_back({{"name", name}, {"type", "text"}, {"default", value}, {"meaning", meaning}});
  }
  template <class Enum, class Names>
  void choice(const char* name, Enum value, const Names& names, const char* meaning) {
    Json words = Json::array();
    for (const auto& word : names) words.push_back(word);
    const Json chosen = words[static_cast<std::size_t>(value)];
    list.push_back({{"name", name},
                    {"type", "choice"},
                    {"choices", words},
                    {"default", chosen},
                    {"meaning", meaning}});
  }

  Json list = Json::array();
};

Json parameters_of(ModelParameters parameters) {
  ParameterList visitor;
  visit_model(parameters, [&](auto& own) { own.describe(visitor); });
  return visitor.list;
}

// What a preset sets otherwise than the model's defaults.
Json preset_values(int model, const Preset& preset) {
  const Json defaults = parameters_of(default_parameters(model));
  const Json own = parameters_of(preset.parameters);
  Json values = Json::object();
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i]["default"] != defaults[i]["default"])
      values[own[i]["name"].get<std::string>()] = own[i]["default"];
  return values;
}

Json model_json(int model) {
  Json scalars = Json::array();
  for (const ScalarField& field : model_scalar_fields(model))
    scalars.push_back(
        {{"name", field.name}, {"initial", field.initial}, {"meaning", field.meaning}});
  Json named = Json::array();
  for (const Preset& preset : presets(model))
    named.push_back({{"name", preset.name},
                     {"description", preset.description},
                     {"density", preset.density},
                     {"values", preset_values(model, preset)}});
  return {{"name", model_name(model)},
          {"description", model_description(model)},
          {"parameters", parameters_of(default_parameters(model))},
          {"state", scalars},
          {"presets", named}};
}

std::string short_value(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

std::string range_text(const Json& parameter) {
  if (parameter["type"] == "choice") {
    std::string words;
    for (const Json& word : parameter["choices"])
      words += (words.empty() ? "" : " | ") + word.get<std::string>();
    return words;
  }
  if (!parameter.contains("min")) return parameter["type"].get<std::string>();
  const Json& min = parameter["min"];
  const Json& max = parameter["max"];
  if (min.is_null() && max.is_null()) return "any number";
  if (max.is_null()) return "from " + short_value(min);
  if (min.is_null()) return "up to " + short_value(max);
  return short_value(min) + " to " + short_value(max);
}

std::string model_text(int model) {
  const Json json = model_json(model);
  std::string text = fmt::format("{}: {}\n", model_name(model), model_description(model));
  for (const Json& p : json["parameters"])
    text += fmt::format("  {:22} {:>10} {:8} {:18} {}\n", p["name"].get<std::string>(),
                        short_value(p["default"]),
                        p.contains("unit") ? p["unit"].get<std::string>() : "", range_text(p),
                        p["meaning"].get<std::string>());
  for (const Json& preset : json["presets"])
    text += fmt::format("  preset {:15} {:>10} kg/m^3   {}\n", preset["name"].get<std::string>(),
                        short_value(preset["density"]), preset["description"].get<std::string>());
  return text;
}

std::string model_line(int model) {
  std::string names;
  for (const std::string& name : preset_names(model)) names += (names.empty() ? "" : ", ") + name;
  return fmt::format("{:20} {}; presets {}\n", model_name(model), model_description(model), names);
}

int list_materials(const std::string& name, bool as_json, bool details) {
  const int chosen = name.empty() ? -1 : model_index_by_name(name);
  if (!name.empty() && chosen < 0)
    return report("no model " + in_quotes(name) + suggestion(name, model_names()), kBadInput);
  Json list = Json::array();
  std::string lines;
  for (int model = 0; model < model_count; ++model) {
    if (chosen >= 0 && model != chosen) continue;
    if (as_json)
      list.push_back(model_json(model));
    else
      lines += details || chosen >= 0 ? model_text(model) : model_line(model);
  }
  put(as_json ? list.dump(2) + "\n" : lines);
  return kDone;
}

}  // namespace

void add_materials_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("materials", "List the material models, their parameters and presets");
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto details = std::make_shared<bool>(false);
  command->add_option("MODEL", *name, "Everything about this model");
  command->add_flag("--details", *details,
                    "Every parameter with default, unit, range and meaning, and every preset");
  command->add_flag("--json", *json, "As JSON");
  command->footer("Examples:\n  firn materials\n  firn materials sand\n");
  command->callback(
      [name, json, details, &status] { status = list_materials(*name, *json, *details); });
}

}  // namespace firn::cli
