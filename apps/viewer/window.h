// The window of the program, from its opening to its end.
#pragma once

#include <string>

#include "app.h"

namespace firn::viewer {

// Shows the interface until the user closes it, or for some seconds (0: no limit). `path`: a scene,
// the folder of a run, or "" for a new scene. The error is one sentence on why no window could be
// opened.
Errors run_window(const std::string& path, AppOptions options, double seconds = 0);

// $XDG_CONFIG_HOME/firn or ~/.config/firn, made when it is not there; empty when that fails.
std::filesystem::path user_config_folder();

}  // namespace firn::viewer
