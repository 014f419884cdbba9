#include "draw/gl_painter.h"

#include "draw/gl_context.h"
#include "draw/renderer.h"

namespace firn {

namespace {

class GlPainter : public FramePainter {
 public:
  GlPainter(std::unique_ptr<GlContext> context, std::unique_ptr<Renderer> renderer,
            const SceneSettings& settings, const RenderRunOptions& options,
            const PainterOptions& more)
      : context_(std::move(context)),
        renderer_(std::move(renderer)),
        look_(look_of(settings, more)),
        slice_(more.slice),
        width_(options.width),
        height_(options.height),
        supersampling_(options.supersampling) {}

  Result<Image> paint(const Frame& table, const Survey& survey, const RenderScene& scene,
                      const Camera& camera) override {
    context_->make_current();
    const Errors errors = slice_ ? upload_slice(table, survey) : upload(table, survey);
    if (!errors.empty()) return errors;
    renderer_->draw(scene, look_, {camera, width_, height_, supersampling_});
    Image image = renderer_->read();
    if (slice_) draw_slice_legend(*slice_, cut_, image);
    if (image.width != width_ || image.height != height_)
      return Result<Image>::failure("OpenGL cannot draw a picture of " + std::to_string(width_) +
                                    "x" + std::to_string(height_) + " pixels");
    return image;
  }

 private:
  Errors upload(const Frame& table, const Survey& survey) {
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
    Result<CutSlice> cut = cut_slice(table, survey, *slice_);
    if (!cut) return cut.errors();
    cut_ = std::move(*cut);
    FrameData nothing;
    nothing.dimension = slice_->options.dimension;
    nothing.origin = center_of(*survey.scene.bounds);
    renderer_->upload(nothing);
    renderer_->upload_slice(cut_.picture);
    return {};
  }

  // The renderer goes before the context that it needs.
  std::unique_ptr<GlContext> context_;
  std::unique_ptr<Renderer> renderer_;
  Look look_;
  std::optional<SliceView> slice_;
  CutSlice cut_;  // the newest
  int width_, height_, supersampling_;
};

}  // namespace

Result<std::unique_ptr<FramePainter>> make_gl_painter(const SceneSettings& settings,
                                                      const RenderRunOptions& options,
                                                      const PainterOptions& more) {
  Result<std::unique_ptr<GlContext>> context = GlContext::create();
  if (!context) return context.errors();
  Result<std::unique_ptr<Renderer>> renderer = Renderer::create();
  if (!renderer) return renderer.errors();
  return std::unique_ptr<FramePainter>(std::make_unique<GlPainter>(
      std::move(*context), std::move(*renderer), settings, options, more));
}

}  // namespace firn
