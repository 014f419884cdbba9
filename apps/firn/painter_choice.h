// Who draws: OpenGL where it works, else the CPU.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "render/frame_painter.h"

namespace firn::cli {

struct PainterChoice {
  std::string renderer = "auto";  // auto, gl or cpu
  std::string style;              // empty: as the scene says
  std::string slice;              // empty: particles
};

// `auto` without OpenGL says so on standard error. `frames` give the range of a slice's colours.
Result<std::unique_ptr<FramePainter>> choose_painter(
    const PainterChoice& choice, const SceneSettings& scene, const RenderRunOptions& options,
    const std::vector<std::filesystem::path>& frames);

}  // namespace firn::cli
