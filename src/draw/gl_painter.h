// The frames of a run drawn by OpenGL, without a display.
#pragma once

#include <memory>

#include "draw/slice_view.h"
#include "render/frame_painter.h"

namespace firn {

// The error says in one sentence why OpenGL cannot be used.
Result<std::unique_ptr<FramePainter>> make_gl_painter(const SceneSettings& settings,
                                                      const RenderRunOptions& options,
                                                      const PainterOptions& more = {});

}  // namespace firn
