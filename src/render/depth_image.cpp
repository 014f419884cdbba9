#include "render/depth_image.h"

#include "exec/parallel.h"

namespace firn {

DepthImage shrink_depth(const VisibilityBuffer& buffer, int step) {
  DepthImage image{buffer.width / step, buffer.height / step, step, {}};
  image.depth.resize(std::size_t(image.width) * image.height);
  parallel_for("shrink depth", image.height, 16, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < image.width; ++x) {
        float nearest = kFar;
        for (int j = 0; j < step; ++j)
          for (int i = 0; i < step; ++i)
            nearest = std::min(nearest, buffer.depth[buffer.index(x * step + i, y * step + j)]);
        image.depth[std::size_t(y) * image.width + x] = nearest;
      }
  });
  return image;
}

}  // namespace firn
