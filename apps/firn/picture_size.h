// The size of pictures on the command line.
#pragma once

#include <string>

#include "render/render_run.h"

namespace firn::cli {

inline constexpr const char* kDefaultSize = "1280x720";

// WIDTHxHEIGHT into the options; gives what is wrong with it, or "".
std::string parse_size(const std::string& text, RenderRunOptions& options);

}  // namespace firn::cli
