#include "render/frame_painter.h"

namespace firn {

namespace {

class CpuPainter : public FramePainter {
 public:
  explicit CpuPainter(const RenderRunOptions& options)
      : picture_{options.width, options.height, options.supersampling, true} {}

  Result<Image> paint(const PointTable& table, const Survey& survey, const RenderScene& scene,
                      const Camera& camera) override {
    const Result<PointCloud> cloud =
        make_point_cloud(table, center_of(*survey.scene.bounds), survey.radius, survey.colors);
    if (!cloud) return cloud.errors();
    return render_points(*cloud, scene, camera, picture_);
  }

 private:
  RenderOptions picture_;
};

}  // namespace

std::unique_ptr<FramePainter> make_cpu_painter(const RenderRunOptions& options) {
  return std::make_unique<CpuPainter>(options);
}

}  // namespace firn
