#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/validate.h"
#include "commands.h"
#include "exec/parallel.h"
#include "mesh_io/atomic_file.h"
#include "mesh_io/png.h"
#include "output.h"
#include "scene/line_text.h"

namespace firn::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ValidateArguments {
  std::vector<std::string> cases;
  bool fine = false, list = false;
  int threads = 0;
  std::string json, pictures;
};

Json check_json(const Check& check) {
  return {{"case", check.case_name},    {"quantity", check.quantity},
          {"measured", check.measured}, {"reference", check.reference},
          {"error", check.error},       {"tolerance", check.tolerance},
          {"pass", check.pass}};
}

std::string check_text(const Check& check) {
  const char* verdict = check.tolerance == 0 && check.pass ? "-" : check.pass ? "ok" : "FAILED";
  return fmt::format("{:22} {:52} {:>12.6g} {:>12.6g} {:>10.3g} {:>10.3g}  {}\n", check.case_name,
                     check.quantity, check.measured, check.reference, check.error, check.tolerance,
                     verdict);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const ValidationCase& entry : validation_cases()) names.emplace_back(entry.name);
  return names;
}

int list_cases() {
  for (const ValidationCase& entry : validation_cases())
    put(fmt::format("{:22} {}\n", entry.name, entry.description));
  return kDone;
}

int validate(const ValidateArguments& arguments) {
  if (arguments.list) return list_cases();
  const auto asked = [&](const char* name) {
    return arguments.cases.empty() ||
           std::find(arguments.cases.begin(), arguments.cases.end(), name) != arguments.cases.end();
  };
  const std::vector<std::string> names = all_names();
  Errors errors;
  for (const std::string& name : arguments.cases)
    if (std::find(names.begin(), names.end(), name) == names.end())
      errors.push_back("no validation case " + in_quotes(name) + suggestion(name, names));
  if (!errors.empty()) return report(errors, kBadInput);
  if (arguments.threads > 0) set_thread_count(arguments.threads);
  ValidateOptions options;
  options.fine = arguments.fine;
  options.progress = put_passing;
  if (!arguments.pictures.empty()) {
    std::error_code wrong;
    std::filesystem::create_directories(arguments.pictures, wrong);
    if (wrong) return report({arguments.pictures + ": " + wrong.message()}, kFailed);
    options.picture = [&](const std::string& name, const Image& picture) {
      const auto written =
          write_png(std::filesystem::path(arguments.pictures) / (name + ".png"), picture);
      if (!written) errors.insert(errors.end(), written.errors().begin(), written.errors().end());
    };
  }
  put(fmt::format("{:22} {:52} {:>12} {:>12} {:>10} {:>10}\n", "case", "quantity", "measured",
                  "reference", "error", "tolerance"));
  Json list = Json::array();
  int failed = 0;
  for (const ValidationCase& entry : validation_cases()) {
    if (!asked(entry.name)) continue;
    const std::vector<Check> checks = entry.run(options);
    put_passing("");
    for (const Check& check : checks) {
      put(check_text(check));
      list.push_back(check_json(check));
      failed += check.pass ? 0 : 1;
    }
  }
  put(fmt::format("{} checks, {} failed\n", list.size(), failed));
  if (!arguments.json.empty()) {
    const auto written = write_whole_file(arguments.json, list.dump(2) + "\n");
    if (!written) return report(written.errors(), kFailed);
  }
  if (!errors.empty()) return report(errors, kFailed);
  return failed > 0 ? kFailed : kDone;
}

}  // namespace

void add_validate_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("validate", "Compare simulations with exact solutions and experiments");
  auto arguments = std::make_shared<ValidateArguments>();
  command->add_option("CASE", arguments->cases, "Cases to run (default: all)");
  command->add_flag("--list", arguments->list, "List the cases and stop");
  command->add_flag("--fine", arguments->fine, "Finer grids: slower, closer");
  command->add_option("--threads", arguments->threads, "Number of threads (default: all)")
      ->check(CLI::Range(1, 1024));
  command->add_option("--json", arguments->json, "Also write the results to this file");
  command->add_option("--pictures", arguments->pictures,
                      "Also write the pictures that cases have into this folder");
  command->footer("Examples:\n  firn validate --list\n  firn validate dam_break --json dam.json\n");
  command->callback([arguments, &status] { status = validate(*arguments); });
}

}  // namespace firn::cli
