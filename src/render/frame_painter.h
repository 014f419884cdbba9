// Who draws the frames of a run: the CPU renderer, or one that uses OpenGL.
#pragma once

#include <memory>

#include "io/image.h"
#include "render/survey.h"

namespace firn {

class FramePainter {
 public:
  virtual ~FramePainter() = default;
  // One frame at the options' size, without the legend. The scene's colliders are in their places.
  virtual Result<Image> paint(const PointTable& table, const Survey& survey,
                              const RenderScene& scene, const Camera& camera) = 0;
};

// The CPU renderer: spheres, whatever style is asked for.
std::unique_ptr<FramePainter> make_cpu_painter(const RenderRunOptions& options);

}  // namespace firn
