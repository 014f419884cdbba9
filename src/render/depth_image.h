// The depth picture at the size of the final one: the nearest of each pixel's samples.
#pragma once

#include <algorithm>
#include <vector>

#include "render/visibility.h"

namespace firn {

struct DepthImage {
  int width = 0, height = 0;
  int step = 1;  // samples along a pixel's side
  std::vector<float> depth;

  // Beyond the border the outermost pixels repeat.
  float at(int x, int y) const {
    return depth[std::size_t(std::clamp(y, 0, height - 1)) * width + std::clamp(x, 0, width - 1)];
  }
};

DepthImage shrink_depth(const VisibilityBuffer& buffer, int step);

}  // namespace firn
