// Whether OpenGL draws on this machine, found out by another process of this program.
#pragma once

#include "base/result.h"

namespace CLI {
class App;
}

namespace firn::cli {

// What the program asks itself in a process of its own; no help lists it.
void add_driver_command(CLI::App& app);

// `window`: by the driver of windows on the display, which may be another one than that of pictures
// without a display. Empty, or one line on why it cannot be used.
Errors check_own_driver(bool window);

}  // namespace firn::cli
