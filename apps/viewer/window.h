// The window of the program, from its opening to its end.
#pragma once

#include <functional>
#include <string>

#include "app.h"

namespace firn::viewer {

// Shows the interface until the user closes it or `is_over` says so; a film that is being recorded
// is then completed. `path`: a scene, the folder of a run, or "" for a new scene. The error is one
// sentence on why no window could be opened.
Errors run_window(const std::string& path, AppOptions options,
                  const std::function<bool()>& is_over);

// Tries the driver of windows and ends the process: see draw/driver_check.h.
[[noreturn]] void answer_window_check();

// $XDG_CONFIG_HOME/firn or ~/.config/firn, made when it is not there; empty when that fails.
std::filesystem::path user_config_folder();

}  // namespace firn::viewer
