// The frames of a run drawn without OpenGL: the same styles, slices and colliders, by the renderer
// of src/render.
#pragma once

#include <memory>

#include "draw/slice_view.h"
#include "render/frame_painter.h"

namespace firn {

std::unique_ptr<FramePainter> make_cpu_painter(const SceneSettings& settings,
                                               const RenderRunOptions& options,
                                               const PainterOptions& more = {});

// What a scene asks for that the CPU renderer does not follow, in one line; empty: it follows all.
std::string cpu_painter_limits(const SceneSettings& settings, const PainterOptions& more = {});

}  // namespace firn
