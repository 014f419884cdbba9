// Who draws the frames of a run: the CPU renderer, or one that uses OpenGL.
#pragma once

#include "base/image.h"
#include "particles/frame.h"
#include "render/survey.h"

namespace firn {

class FramePainter {
 public:
  virtual ~FramePainter() = default;
  // One frame at the options' size, without the legend. The scene's colliders are in their places.
  virtual Result<Image> paint(const Frame& frame, const Survey& survey, const RenderScene& scene,
                              const Camera& camera) = 0;
};

}  // namespace firn
