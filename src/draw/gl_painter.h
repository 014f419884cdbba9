// The frames of a run drawn by OpenGL, without a display.
#pragma once

#include <memory>
#include <optional>

#include "draw/grid_slice.h"
#include "render/frame_painter.h"

namespace firn {

// A slice of the grid that is shown in place of the particles.
struct SliceView {
  GridSliceOptions options;  // a position that is no number: the middle of the scene
  double low = 0, high = 0;  // of the colours; equal: the range of each slice
  ColorMap map = ColorMap::viridis;
  bool legend = true;
};

struct GlPainterOptions {
  std::optional<PointStyle> style;  // none: as the scene says
  std::optional<SliceView> slice;
};

// The error says in one sentence why OpenGL cannot be used.
Result<std::unique_ptr<FramePainter>> make_gl_painter(const SceneSettings& settings,
                                                      const RenderRunOptions& options,
                                                      const GlPainterOptions& more = {});

// "velocity_x", "pressure:y", "mass:z=0.25": a field, the axis across the slice and its place. The
// grid is the scene's; what is not given is z and the middle of the scene.
Result<GridSliceOptions> parse_slice(const std::string& text, const SceneSettings& settings);

}  // namespace firn
