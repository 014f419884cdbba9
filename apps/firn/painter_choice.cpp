#include "painter_choice.h"

#include <algorithm>

#include "draw/cpu_painter.h"
#include "draw/gl_painter.h"
#include "driver_command.h"
#include "frames/ply.h"
#include "output.h"

namespace firn::cli {
namespace {

using Made = Result<std::unique_ptr<FramePainter>>;

// The range over the first and the last frame.
void find_range(SliceView& slice, const std::vector<std::filesystem::path>& frames) {
  for (std::size_t i = 0; i < frames.size(); i += std::max<std::size_t>(frames.size() - 1, 1)) {
    const Result<Frame> table = read_ply(frames[i]);
    if (!table) continue;
    GridSliceOptions options = slice.options;
    if (!(options.position == options.position))
      options.position = center_of(robust_bounds(*table))[options.axis];
    const Result<GridSlice> made = make_grid_slice(*table, options);
    if (!made || made->values.empty()) continue;
    slice.low = i == 0 ? made->low : std::min(slice.low, made->low);
    slice.high = i == 0 ? made->high : std::max(slice.high, made->high);
  }
}

}  // namespace

Result<std::unique_ptr<FramePainter>> choose_painter(
    const PainterChoice& choice, const SceneSettings& scene, const RenderRunOptions& options,
    const std::vector<std::filesystem::path>& frames) {
  PainterOptions more;
  const std::vector<std::string> styles = point_style_names();
  if (const auto found = std::find(styles.begin(), styles.end(), choice.style);
      found != styles.end())
    more.style = static_cast<PointStyle>(found - styles.begin());
  if (!choice.slice.empty()) {
    const Result<GridSliceOptions> slice = parse_slice(choice.slice, scene);
    if (!slice) return slice.errors();
    more.slice = SliceView{*slice, options.low, options.high,
                           options.color_map.value_or(scene.view.color_map), options.legend};
    if (!(options.high > options.low)) find_range(*more.slice, frames);
  }
  const auto by_cpu = [&] {
    const std::string limits = cpu_painter_limits(scene, more);
    if (!limits.empty()) report(limits, kDone);
    return Made(make_cpu_painter(scene, options, more));
  };
  if (choice.renderer == "cpu") return by_cpu();
  const Errors unusable = check_own_driver(false);
  Made painter = unusable.empty() ? make_gl_painter(scene, options, more) : Made(unusable);
  if (painter || choice.renderer == "gl") return painter;
  report(painter.errors().front() + "; drawing with the CPU renderer", kDone);
  return by_cpu();
}

}  // namespace firn::cli
