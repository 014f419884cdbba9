#include "draw/gl_painter.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "draw/gl_context.h"
#include "draw/renderer.h"
#include "scene/line_text.h"

namespace firn {

namespace {

class GlPainter : public FramePainter {
 public:
  GlPainter(std::unique_ptr<GlContext> context, std::unique_ptr<Renderer> renderer,
            const SceneSettings& settings, const RenderRunOptions& options,
            const GlPainterOptions& more)
      : context_(std::move(context)),
        renderer_(std::move(renderer)),
        look_(look_of(settings)),
        slice_(more.slice),
        width_(options.width),
        height_(options.height),
        supersampling_(options.supersampling) {
    if (more.style) {
      look_.style = *more.style;
      for (ParticleLook& own : look_.groups) own.style.clear();
    }
  }

  Result<Image> paint(const PointTable& table, const Survey& survey, const RenderScene& scene,
                      const Camera& camera) override {
    context_->make_current();
    const Errors errors = slice_ ? upload_slice(table, survey) : upload(table, survey);
    if (!errors.empty()) return errors;
    renderer_->draw(scene, look_, {camera, width_, height_, supersampling_});
    Image image = renderer_->read();
    if (slice_ && slice_->legend)
      draw_legend(image, {title_with_unit(slice_->options.field), low_, high_, {}, slice_->map});
    if (image.width != width_ || image.height != height_)
      return Result<Image>::failure("OpenGL cannot draw a picture of " + std::to_string(width_) +
                                    "x" + std::to_string(height_) + " pixels");
    return image;
  }

 private:
  Errors upload(const PointTable& table, const Survey& survey) {
    FrameOptions options;
    options.origin = center_of(*survey.scene.bounds);
    options.radius = survey.radius;
    options.colors = survey.colors;
    choose_parts(look_, options);
    const Result<FrameData> frame = make_frame_data(table, options);
    if (!frame) return frame.errors();
    renderer_->upload(*frame);
    return {};
  }

  Errors upload_slice(const PointTable& table, const Survey& survey) {
    GridSliceOptions options = slice_->options;
    if (std::isnan(options.position))
      options.position = center_of(*survey.scene.bounds)[options.axis];
    const Result<GridSlice> slice = make_grid_slice(table, options);
    if (!slice) return slice.errors();
    FrameData nothing;
    nothing.dimension = options.dimension;
    nothing.origin = center_of(*survey.scene.bounds);
    renderer_->upload(nothing);
    const bool given = slice_->high > slice_->low;
    low_ = given ? slice_->low : slice->low;
    high_ = given ? slice_->high : slice->high;
    renderer_->upload_slice(picture_of(*slice, low_, high_, slice_->map));
    return {};
  }

  // The renderer goes before the context that it needs.
  std::unique_ptr<GlContext> context_;
  std::unique_ptr<Renderer> renderer_;
  Look look_;
  std::optional<SliceView> slice_;
  double low_ = 0, high_ = 0;  // of the newest slice
  int width_, height_, supersampling_;
};

}  // namespace

Result<std::unique_ptr<FramePainter>> make_gl_painter(const SceneSettings& settings,
                                                      const RenderRunOptions& options,
                                                      const GlPainterOptions& more) {
  Result<std::unique_ptr<GlContext>> context = GlContext::create();
  if (!context) return context.errors();
  Result<std::unique_ptr<Renderer>> renderer = Renderer::create();
  if (!renderer) return renderer.errors();
  return std::unique_ptr<FramePainter>(std::make_unique<GlPainter>(
      std::move(*context), std::move(*renderer), settings, options, more));
}

Result<GridSliceOptions> parse_slice(const std::string& text, const SceneSettings& settings) {
  GridSliceOptions options;
  options.position = NAN;
  options.spacing = settings.grid.spacing;
  options.kernel = settings.kernel;
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
