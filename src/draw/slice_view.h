// What painters are asked for besides the scene: a style, a slice of the grid.
#pragma once

#include <optional>
#include <string>

#include "draw/grid_slice.h"
#include "draw/look.h"
#include "render/survey.h"

namespace firn {

// A slice of the grid that is shown in place of the particles.
struct SliceView {
  GridSliceOptions options;  // a position that is no number: the middle of the scene
  double low = 0, high = 0;  // of the colours; equal: the range of each slice
  ColorMap map = ColorMap::viridis;
  bool legend = true;
};

struct PainterOptions {
  std::optional<PointStyle> style;  // none: as the scene says
  std::optional<SliceView> slice;
};

// As the scene's view says, but for what the options ask for.
Look look_of(const SceneSettings& scene, const PainterOptions& options);

// The slice of one frame, and the values at the ends of its colours.
struct CutSlice {
  SlicePicture picture;
  double low = 0, high = 0;
};
Result<CutSlice> cut_slice(const PointTable& table, const Survey& survey, const SliceView& view);
// What is sliced, of which species, with its unit.
std::string slice_title(const GridSliceOptions& options);
void draw_slice_legend(const SliceView& view, const CutSlice& slice, Image& image);

// "velocity_x", "pressure:y", "mass@water:z=0.25": a field, the species that counts, the axis
// across the slice and its place. The grid is the scene's; what is not given is all species (of the
// gradient of pressure the fluids), z and the middle of the scene.
Result<GridSliceOptions> parse_slice(const std::string& text, const SceneSettings& settings);

}  // namespace firn
