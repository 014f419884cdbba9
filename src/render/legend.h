// The small key in a corner of the picture: what the colours mean.
#pragma once

#include <string>
#include <vector>

#include "base/image.h"
#include "render/color.h"

namespace firn {

struct Legend {
  struct Entry {
    std::string label;
    Rgb8 color;
  };
  std::string title;           // quantity and unit
  double low = 0, high = 0;    // a scale, unless there are entries
  std::vector<Entry> entries;  // distinct colours
  ColorMap map = ColorMap::viridis;
};

// Left bottom corner; text dark on light pictures and light on dark ones.
void draw_legend(Image& image, const Legend& legend);

// "speed (m/s)" for the quantities whose unit is known.
std::string title_with_unit(const std::string& quantity);

}  // namespace firn
