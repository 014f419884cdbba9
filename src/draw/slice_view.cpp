#include "draw/slice_view.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "render/legend.h"
#include "scene/line_text.h"

namespace firn {

Look look_of(const SceneSettings& scene, const PainterOptions& options) {
  Look look = look_of(scene);
  if (options.style) {
    look.style = *options.style;
    for (ParticleLook& own : look.groups) own.style.clear();
  }
  return look;
}

Result<CutSlice> cut_slice(const PointTable& table, const Survey& survey, const SliceView& view) {
  GridSliceOptions options = view.options;
  if (std::isnan(options.position))
    options.position = center_of(*survey.scene.bounds)[options.axis];
  const Result<GridSlice> slice = make_grid_slice(table, options);
  if (!slice) return slice.errors();
  CutSlice cut;
  const bool given = view.high > view.low;
  cut.low = given ? view.low : slice->low;
  cut.high = given ? view.high : slice->high;
  cut.picture = picture_of(*slice, cut.low, cut.high, view.map);
  return cut;
}

void draw_slice_legend(const SliceView& view, const CutSlice& slice, Image& image) {
  if (!view.legend) return;
  draw_legend(image, {title_with_unit(view.options.field), slice.low, slice.high, {}, view.map});
}

Result<GridSliceOptions> parse_slice(const std::string& text, const SceneSettings& settings) {
  GridSliceOptions options;
  options.position = NAN;
  options.spacing = settings.grid.spacing;
  options.kernel = settings.mpm.kernel;
  options.dimension = static_cast<int>(settings.dimension);
  const std::size_t colon = text.find(':'), equal = text.find('=');
  options.field = text.substr(0, colon);
  const auto& names = grid_field_names();
  const auto wrong = [&](const std::string& what) {
    return Result<GridSliceOptions>::failure(text + ": " + what);
  };
  if (std::find(names.begin(), names.end(), options.field) == names.end())
    return wrong("no such grid field" + suggestion(options.field, names));
  if (colon == std::string::npos) return options;
  const std::string axis = text.substr(colon + 1, equal - colon - 1);
  if (axis != "x" && axis != "y" && axis != "z") return wrong("the axis must be x, y or z");
  options.axis = axis[0] - 'x';
  if (equal == std::string::npos) return options;
  const char *first = text.data() + equal + 1, *last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, options.position);
  if (error != std::errc() || end != last || !std::isfinite(options.position))
    return wrong("the place must be a number, in metres");
  return options;
}

}  // namespace firn
