#include <chrono>

#include "commands.h"
#include "driver_command.h"
#include "output.h"
#include "scene_lookup.h"
#include "signals.h"
#include "simulate.h"
#include "window.h"

namespace firn::cli {
namespace {

constexpr const char* kViewExamples =
    "Examples:\n"
    "  firn view                        a new scene\n"
    "  firn view snowball_drop          a scene that ships with firn\n"
    "  firn view out/snowball_drop      play back a run\n";

// What can be done without a window, unless the line says it already.
std::string with_another_way(const std::string& line) {
  constexpr const char* kOther = "firn render";
  return line.find(kOther) != std::string::npos
             ? line
             : line + "; " + kOther + " draws without it, and firn run needs no pictures";
}

int view(const std::string& argument, double seconds, const MachineOptions& machine) {
  const Errors missing = machine.apply();
  if (!missing.empty()) return report(missing, kBadInput);
  std::string path = argument;
  std::error_code ignored;
  if (!path.empty() && !std::filesystem::is_directory(path, ignored)) {
    const Result<std::string> found = find_scene(path);
    if (!found) return report(found.errors(), kBadInput);
    path = *found;
  }
  const Errors unusable = check_own_driver(true);
  if (!unusable.empty()) return report(with_another_way(unusable.front()), kFailed);
  viewer::AppOptions options;
  options.config_folder = viewer::user_config_folder();
  options.device = machine.chosen_device();
  for (const ShippedScene& scene : shipped_scenes())
    options.shipped.push_back({scene.name, scene.path.string(), scene.description});
  RunControl control;
  const SignalScope signals(control);
  const auto opened = std::chrono::steady_clock::now();
  const auto is_over = [&] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - opened;
    return control.quit || (seconds > 0 && passed.count() > seconds);
  };
  const Errors errors = viewer::run_window(path, std::move(options), is_over);
  if (!errors.empty()) return report(errors, kFailed);
  return control.quit ? kInterrupted : kDone;
}

}  // namespace

void add_view_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("view", "Open a window: build, simulate, film, or play back a run");
  auto argument = std::make_shared<std::string>();
  command->add_option("scene", *argument, "Scene or folder of a run (default: a new scene)");
  auto seconds = std::make_shared<double>(0);
  command->add_option("--close-after", *seconds, "Close the window by itself after these seconds")
      ->check(CLI::PositiveNumber);
  auto machine = std::make_shared<MachineOptions>();
  command->add_option("--device", machine->device, "cpu or cuda (default: cpu)")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->footer(kViewExamples);
  command->callback(
      [argument, seconds, machine, &status] { status = view(*argument, *seconds, *machine); });
}

}  // namespace firn::cli
