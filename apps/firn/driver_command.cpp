#include "driver_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "draw/driver_check.h"
#include "draw/driver_trial.h"
#include "draw/gl_context.h"
#include "window.h"

namespace firn::cli {
namespace {

constexpr const char* kName = "try-driver";

void answer_without_display() {
  std::unique_ptr<GlContext> context;
  const auto make = [&]() -> Errors {
    Result<std::unique_ptr<GlContext>> made = GlContext::create();
    if (!made) return made.errors();
    context = std::move(*made);
    return {};
  };
  const auto draw = [&]() -> Errors {
    const Errors errors = try_renderer();
    context.reset();
    return errors;
  };
  answer_driver_check(make, draw);
}

}  // namespace

Errors check_own_driver(bool window) {
  std::vector<std::string> command{"/proc/self/exe", kName};
  if (window) command.push_back("--window");
  return check_driver(command);
}

void add_driver_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(kName, "Draw a few pixels and say whether it went well");
  command->group("");
  auto window = std::make_shared<bool>(false);
  command->add_flag("--window", *window, "On the display");
  command->callback([window] {
    if (*window)
      viewer::answer_window_check();
    else
      answer_without_display();
  });
}

}  // namespace firn::cli
